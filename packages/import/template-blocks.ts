/** GitHub's five alerts, and their names elsewhere. */
const ALERTS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    NOTE: "note info abstract summary tldr todo example quote cite question help faq notice secondary default primary callout alert",
    TIP: "tip hint success check done",
    IMPORTANT: "important",
    WARNING: "warning attention warn",
    CAUTION: "caution danger failure fail missing error bug",
  }).flatMap(([kind, names]) => names.split(" ").map((name) => [name, kind])),
);

export const isAlert = (name: string): boolean => Object.hasOwn(ALERTS, name.toLowerCase());

/** Returns an alert of GitHub. It has no titles, so the title becomes the first line. */
export function renderAlert(kind: string, title: string, body: string): string {
  const name = isAlert(kind) ? ALERTS[kind.toLowerCase()] : "NOTE";
  const text = [title === "" ? "" : `**${title}**`, body.trim()].filter((part) => part !== "").join("\n\n");
  return text === "" ? `> [!${name}]` : `> [!${name}]\n${renderQuote(text)}`;
}

export const renderQuote = (text: string): string =>
  text
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");

export function renderFence(code: string, language: string): string {
  const text = code.replace(/^[ \t]*\r?\n/, "").replace(/\r?\n?[ \t]*$/, "");
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, each) => Math.max(most, each.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}${/^[\w+#.-]+$/.test(language) ? language : ""}\n${text}\n${fence}`;
}

/** Returns a picture, perhaps in a link. A caption becomes its title, or a figure if it has formatting. */
export function renderPicture(src: string, alt: string, caption = "", link = ""): string {
  const isPlain = !/[*_`~<[\\]/.test(caption);
  const words = caption.replaceAll(/\s+/g, " ").trim();
  const title = isPlain && words !== "" ? ` "${words.replaceAll('"', '\\"')}"` : "";
  const shown = `![${alt.replaceAll(/[[\]]/g, "\\$&")}](${toDestination(src)}${title})`;
  const linked = link === "" ? shown : `[${shown}](${toDestination(link)})`;
  return isPlain ? linked : `<figure>\n\n${linked}\n\n<figcaption>\n\n${caption.trim()}\n\n</figcaption>\n</figure>`;
}

export const toDestination = (address: string): string =>
  /[\s()<>]/.test(address) ? `<${address.replaceAll(/[<>\n]/g, encodeURIComponent)}>` : address;

/** Returns the ranges of lines that are code because of their indentation: after an empty line, outside of lists. */
export function findIndentedCode(text: string): [number, number][] {
  const ranges: [number, number][] = [];
  let [at, isList, isEmpty, isCode] = [0, false, true, false];
  for (const line of text.split("\n")) {
    const isIndented = /^(?: {4}|\t)/.test(line) && line.trim() !== "";
    if (line.trim() === "") isEmpty = true;
    else {
      isCode = isIndented && !isList && (isEmpty || isCode);
      if (isCode) ranges.push([at, at + line.length]);
      else if (!/^\s/.test(line)) isList = /^(?:[-*+]|\d{1,9}[.)])\s/.test(line) || (isList && !isEmpty);
      else if (/^\s+(?:[-*+]|\d{1,9}[.)])\s/.test(line)) isList = true;
      isEmpty = false;
    }
    at += line.length + 1;
  }
  return ranges;
}
