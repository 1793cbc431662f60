/** Elements of JSX and HTML in Markdown, and the modules that MDX imports for them. */
import { convertElement } from "./markdown-html.ts";
import { renderPicture } from "./template-blocks.ts";
import type { References } from "./references.ts";

/** Returns the length of an `import` or `export` in MDX; null if it is text. Records the paths of imported files. */
export function findModuleEnd(text: string, { modules, losses, isMdx }: References): number | null {
  const [line = ""] = /^.*/.exec(text) ?? [];
  if (line.startsWith("import")) {
    const [whole = "", names = "", quote = "", path = ""] =
      /^import\s+(?:([\w*{}\s,$]+?)\s+from\s+)?(["'])([^"'\n]{1,300})\2[ \t]*;?[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
    if (quote === "") return null;
    if (/^[\w$]+$/.test(names)) modules.set(names, path);
    return whole.length;
  }
  const [, name = ""] =
    /^export\s+(?:default\s+)?(?:async\s+)?(?:const|let|var|function\*?|class|type|interface)?\s*([\w$]*)/.exec(line) ??
    [];
  if (!isMdx || !/^export\s+(?:default|const|let|var|function|async|class|\*|\{)/.test(line)) return null;
  losses.add("code", `export ${name}`.trim());
  return findStatementEnd(text);
}

function findStatementEnd(text: string): number {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(
    /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|[([{]|[)\]}]|\n/g,
  )) {
    if (/^[([{]$/.test(token)) depth++;
    else if (/^[)\]}]$/.test(token)) depth--;
    else if (token === "\n" && depth <= 0) return index + 1;
  }
  return text.length;
}

const ELEMENT =
  /^<(\/?)([A-Za-z][\w.]*)((?:\s+(?:[\w:@.-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|[^\s"'>{]+))?|\{\.\.\.[^}]*\}))*)\s*(\/?)>/;
const ATTRIBUTE = /([\w:@.-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|\{([^{}]*)\}))?/g;

type Found = { readonly length: number; readonly text: string | null };

/** Returns the element at the start of a text as Markdown; null if there is none. Its `text` is null if it stays. */
export function expandElement(text: string, references: References, within: (text: string) => string): Found | null {
  const [whole = "", end = "", name = "", given = ""] = ELEMENT.exec(text) ?? [];
  // `<YOUR_ACCOUNT>` is a placeholder for readers.
  if (whole === "" || name.includes("_")) return null;
  const attributes = parseAttributes(given, references);
  const length = whole.length;
  const isHtml = /^[a-z]/.test(name) || /^[A-Z]+\d?$/.test(name);
  if (!isHtml || (name === "img" && given.includes("{"))) {
    return { length, text: expandComponent(name, end !== "", attributes, references) };
  }
  const html = { tag: whole, isEnd: end !== "", name: name.toLowerCase(), attributes };
  const found = convertElement(text, html, references, within);
  // A single letter, such as `<X />`, may be either.
  if (found === null && /^[A-Z]$/.test(name))
    return { length, text: expandComponent(name, end !== "", attributes, references) };
  return found ?? { length, text: null };
}

function parseAttributes(given: string, { modules }: References): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, key = "", double, single, value] of given.matchAll(ATTRIBUTE)) {
    const expression = value?.trim().replaceAll(/^["'`]|["'`]$/g, "");
    const [, required] = /^require\(["']([^"']+)["']\)(?:\.default)?$/.exec(expression ?? "") ?? [];
    attributes.set(
      key.toLowerCase(),
      double ?? single ?? required ?? modules.get((expression ?? "").replace(/\.src$/, "")) ?? expression ?? "",
    );
  }
  return attributes;
}

function expandComponent(
  name: string,
  isEnd: boolean,
  attributes: ReadonlyMap<string, string>,
  { losses }: References,
): string | null {
  const [src = "", alt = "", id = ""] = ["src", "alt", "id"].map((key) => attributes.get(key));
  if (isEnd) return null;
  if (/^(?:img|Image|Img|Picture|Figure|StaticImage|ThemedImage)$/.test(name) && /[./]/.test(src)) {
    return renderPicture(src, alt, attributes.get("caption") ?? "");
  }
  const shown = id || (attributes.get("videoid") ?? attributes.get("youtubeid") ?? attributes.get("tweetid") ?? "");
  const [kind] = /youtube|vimeo|tweet|gist/i.exec(name) ?? [];
  const place = {
    youtube: "https://www.youtube.com/watch?v=",
    vimeo: "https://vimeo.com/",
    tweet: "https://twitter.com/i/status/",
    gist: "https://gist.github.com/",
  }[kind?.toLowerCase() ?? ""];
  if (place !== undefined && shown !== "") return `\n\n${/^https?:/.test(shown) ? shown : place + shown}\n\n`;
  losses.add("templates", `<${name}>`);
  return null;
}
