/** Makes text safe to write to a terminal, and measures its width there. */
import { styleText } from "node:util";
import stringWidth from "string-width";

/** Replaces the characters that control a terminal. Line breaks and tabs stay. */
export const toPrintable = (text: string): string => text.replaceAll(/\r\n/g, "\n").replaceAll(OBEYED, toPicture);

export const toPrintableLine = (text: string): string =>
  text.replaceAll(/\s+/g, " ").replaceAll(OBEYED, toPicture).trim();

/**
 * Matches control characters (C0, DEL, C1) except tab and line feed, line and paragraph separators, marks that change
 * the direction of text, tag characters, and lone surrogates.
 */
const OBEYED = /(?![\t\n])[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\p{Cs}\u{e0000}-\u{e007f}]/gu;

function toPicture(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\ufffd";
}

/** Returns JSON in which characters that control a terminal are escaped. `indent` 0 makes it one line. */
export const toPrintableJson = (value: unknown, indent = 2): string =>
  JSON.stringify(value, null, indent).replaceAll(OBEYED, (character) => character.replaceAll(/[^]/g, escapeUnit));

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

export const measureWidth = (line: string): number => stringWidth(line);

const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Cuts a line to `most` terminal columns, with an ellipsis at its end. */
export function truncateLine(line: string, most: number): string {
  if (measureWidth(line) <= most) return line;
  let kept = "";
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(line)) {
    width += measureWidth(segment);
    if (width > most - 1) break;
    kept += segment;
  }
  return most < 1 ? "" : `${kept}…`;
}

export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

export type Paint = (style: Style, text: string) => string;

/** NO_COLOR turns colours off, then FORCE_COLOR decides, then whether the stream is a terminal (no-color.org). */
export function makePaint(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): Paint {
  const forced = env["FORCE_COLOR"] ?? "";
  const coloured =
    !env["NO_COLOR"] && (forced === "" ? Boolean(stream.isTTY) && env["TERM"] !== "dumb" : forced !== "0");
  return coloured ? (style, text) => styleText(style, text, { validateStream: false }) : (_style, text) => text;
}
