/** Writes plain text as Markdown, with only the backslashes that it needs. */

export type Place = { readonly isCell: boolean; readonly isLabel: boolean };

/** A bare address, in which a backslash would not be an escape. */
const ADDRESS = /(?<![A-Za-z])(https?:\/\/(?:[a-z\d-]+\.)+[a-z]{2,}(?:[/?#][\w\-./?=&%#:+~,;@!$'*]*[\w/=&%#+~$-])?)/i;

/** Returns a text with escapes. `before` and `after` are the characters around it; "" at the ends of the block. */
export function escapedText(text: string, before: string, after: string, place: Place): string {
  const parts = place.isLabel ? [text] : text.split(ADDRESS);
  const marked = parts.map((part, index) => {
    if (index % 2 === 1) return part;
    const [last, next] = [index === 0 ? before : "a", index === parts.length - 1 ? after : "h"];
    return escapedMarks(part, last, next, place);
  });
  const joined = marked.join("");
  const lines = joined.split("\n");
  return lines
    .map((line, index) => (index > 0 || /^\n?$/.test(before) ? escapedStart(line, index > 0 || before === "\n") : line))
    .map((line, index) => (index < lines.length - 1 ? line.replace(/(?<![ \t])[ \t]+$/, "") : line))
    .join("\n");
}

const SPACE = /^\s?$/;
const WORD = /^[\p{L}\p{N}]$/u;
const PUNCTUATION = /^[!-/:-@[-`{-~]$/;

function escapedMarks(text: string, before: string, after: string, { isCell, isLabel }: Place): string {
  return text.replaceAll(/[\\`*_[\]<&~!|]/g, (sign, at: number) => {
    const last = at === 0 ? before : text.charAt(at - 1);
    const rest = text.slice(at + 1, at + 40);
    const next = rest.charAt(0) || after;
    const isAlone = SPACE.test(last) && SPACE.test(next);
    switch (sign) {
      case "\\":
        return PUNCTUATION.test(next) || next === "\n" || next === "" ? "\\\\" : sign;
      case "*":
      case "~":
        return isAlone ? sign : `\\${sign}`;
      case "_":
        return isAlone || (WORD.test(last) && WORD.test(next)) ? sign : "\\_";
      case "]":
        return isLabel ? "\\]" : sign;
      case "<":
        return /^[!/?A-Za-z]/.test(next) ? "\\<" : sign;
      case "&":
        return /^(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/i.test(rest) ? "\\&" : sign;
      case "!":
        return next === "[" && rest === "" ? "\\!" : sign;
      case "|":
        return isCell ? "\\|" : sign;
      default:
        return `\\${sign}`;
    }
  });
}

function escapedStart(written: string, isBehindLine: boolean): string {
  const line = written.replace(/^[ \t]+/, "");
  const [number] = /^\d{1,9}(?=[.)](?:\s|$))/.exec(line) ?? [];
  if (number !== undefined) return `${number}\\${line.slice(number.length)}`;
  const begins =
    /^(?:#{1,6}|[-+*])(?:\s|$)/.test(line) ||
    line.startsWith(">") ||
    /^(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/.test(line) ||
    (isBehindLine && (/^(?:=+|-+)\s*$/.test(line) || /^[|:-][\s|:-]*$/.test(line)));
  return begins ? `\\${line}` : line;
}
