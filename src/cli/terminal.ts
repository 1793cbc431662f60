/** Text for terminals: what may reach one, and how wide it is there. */
import { styleText } from "node:util";
import stringWidth from "string-width";

/** A text of many lines from elsewhere, without anything that a terminal obeys. Line breaks and tabs stay. */
export const printable = (text: string): string => text.replaceAll(/\r\n/g, "\n").replaceAll(OBEYED, pictured);

/** The same as one line, for cells and messages. */
export const printableLine = (text: string): string => text.replaceAll(/\s+/g, " ").replaceAll(OBEYED, pictured).trim();

/** Controls (C0, DEL, C1) but tab and line feed; marks that turn text around; tags; lone surrogates. */
const OBEYED = /(?![\t\n])[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\p{Cs}\u{e0000}-\u{e007f}]/gu;

/** C0 as their pictures (␛), the rest as the sign for what cannot be shown. */
function pictured(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\ufffd";
}

/** JSON of which no character means anything to a terminal: still the same JSON. `indent` 0 makes it one line. */
export const printableJson = (value: unknown, indent = 2): string =>
  JSON.stringify(value, null, indent).replaceAll(OBEYED, (character) => character.replaceAll(/[^]/g, escaped));

/** A UTF-16 unit as JSON has it: a character beyond the first 65,536 is two of them. */
const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Columns that a single line takes: CJK and emoji two, combining marks none. */
export const widthOf = (line: string): number => stringWidth(line);

const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });

/** A line of at most `most` columns; what is cut off ends in an ellipsis. */
export function fitted(line: string, most: number): string {
  if (widthOf(line) <= most) return line;
  let kept = "";
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(line)) {
    width += widthOf(segment);
    if (width > most - 1) break;
    kept += segment;
  }
  return most < 1 ? "" : `${kept}…`;
}

export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/** Colours a text, or leaves it as it is. */
export type Paint = (style: Style, text: string) => string;

/** Colours for a stream: NO_COLOR and FORCE_COLOR decide, then whether it is a terminal (no-color.org). */
export function paintFor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): Paint {
  const forced = env["FORCE_COLOR"] ?? "";
  const coloured =
    !env["NO_COLOR"] && (forced === "" ? Boolean(stream.isTTY) && env["TERM"] !== "dumb" : forced !== "0");
  return coloured ? (style, text) => styleText(style, text, { validateStream: false }) : (_style, text) => text;
}
