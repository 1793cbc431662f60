/** The tags of Hugo, Zola, Liquid (Jekyll), Hexo and Nunjucks (Eleventy) that have a form in Markdown. */
import { isPicture } from "./source.ts";
import { renderAlert, toDestination, renderFence, isAlert, renderPicture, renderQuote } from "./template-blocks.ts";
import type { References } from "./references.ts";

export type Tag = {
  readonly name: string;
  readonly args: readonly string[];
  readonly named: ReadonlyMap<string, string>;
  readonly rest: string;
  readonly isEnd: boolean;
  /** Whether tags of this form may have end tags. */
  readonly isPair: boolean;
  readonly shown: string;
};

type Expanded = { readonly text: string; readonly isBlock: boolean };
type Within = (text: string) => string;
type Expand = (tag: Tag, body: string, references: References, within: Within) => Expanded | null;

/** The ends of tags by their beginnings. Others end with `}}`. */
export const CLOSING: Readonly<Record<string, string>> = { "{{<": ">}}", "{{%": "%}}", "{%": "%}" };

const ARGUMENT =
  /([\w-]+)\s*(?:=|:(?!\/\/))\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|`([^`]*)`|([^\s,"'`]+))|"((?:[^"\\]|\\.)*)"|'([^']*)'|`([^`]*)`|([^\s,]+)/g;

/** Returns a tag; null if it is a variable or an expression. */
export function parseTag(token: string, source: string): Tag | null {
  const inside = source.replaceAll(/^[\s-]+|[\s-]+$/g, "").replace(/\s*\/$/, "");
  const [, called = "", given = ""] = /^([\w-]+)\s*\(([^]*)\)$/.exec(inside) ?? [];
  if (token === "{{" && called === "") return null;
  const [, word = "", after = ""] = /^(\/?\s*[\w./-]+)([^]*)$/.exec(inside) ?? [];
  const first = (called || word).replaceAll(/\s/g, "");
  const rest = called === "" ? after.trim() : given;
  const args: string[] = [];
  const named = new Map<string, string>();
  for (const found of rest.matchAll(ARGUMENT)) {
    const [, key, ...values] = found;
    const value = (values.find((each) => each !== undefined) ?? "").replaceAll(/\\(["\\])/g, "$1");
    if (key === undefined) args.push(value);
    else named.set(key.toLowerCase(), value);
  }
  const isLiquid = token === "{%";
  const isInclude = isLiquid && /^include(?:_cached|_relative)?$/.test(first);
  const name = isInclude ? (args[0] ?? "").replace(/^.*\//, "").replace(/\.\w+$/, "") : first;
  const shown = isInclude ? `{% include ${args[0] ?? ""} %}` : `${token} ${first} ${CLOSING[token] ?? "}}"}`;
  const isEnd = first.startsWith("/") || (isLiquid && first.startsWith("end"));
  return {
    name: name.toLowerCase(),
    args: isInclude ? args.slice(1) : args,
    named,
    rest,
    isEnd,
    isPair: token !== "{{" && !isInclude,
    shown,
  };
}

const block = (text: string): Expanded => ({ text, isBlock: true });
const inline = (text: string): Expanded => ({ text, isBlock: false });

const first = ({ args, named }: Tag, ...names: string[]): string =>
  names.map((name) => named.get(name)).find((value) => value !== undefined && value !== "") ?? args[0] ?? "";

/** Returns the address of what a service shows. Alone in a paragraph, it becomes a card. */
const makeCardTag =
  (address: (id: string, tag: Tag) => string, ...names: string[]): Expand =>
  (tag) => {
    const id = first(tag, "id", ...names, "url", "src");
    if (id === "") return null;
    return block(/^https?:\/\//.test(id) ? id : address(id, tag));
  };

const status: Expand = (tag) => {
  const id = tag.named.get("id") ?? tag.args.at(-1) ?? "";
  const user = tag.named.get("user") ?? (tag.args.length > 1 ? tag.args[0] : "i");
  if (/^https?:/.test(id)) return block(id);
  return /^\d+$/.test(id) ? block(`https://twitter.com/${user}/status/${id}`) : null;
};

const figure: Expand = (tag, _, { findFile, modules }) => {
  const { args, named } = tag;
  const said =
    ["src", "url", "image_path", "path", "image", "file", "filename"].map((name) => named.get(name)).find(Boolean) ??
    [...named.values()].find(isPicture);
  const at = args.findIndex(isPicture);
  const src = said ?? args[at] ?? (tag.name === "asset_img" ? args[0] : undefined);
  if (src === undefined || src.includes("{{")) return null;
  const words = said === undefined ? args.slice(at + 1).filter((each) => !/^\d+(?:px|%)?$|^x$/.test(each)) : [];
  const text = (...names: string[]) => names.map((name) => named.get(name)).find(Boolean) ?? "";
  const isHexo = tag.name === "asset_img" || tag.name === "img";
  // Hexo has a title and an alt text in one: "title 'alt'", or one after the other.
  const isQuoted = /["']/.test(tag.rest) && words.length === 2;
  const both = isQuoted ? words : (/^(.*?)(?:\s*['"]([^]*?)['"])?$/.exec(words.join(" "))?.slice(1) ?? []);
  const [title = "", hexoAlt = ""] = isHexo ? both : [];
  const caption = [...new Set([text("title"), text("caption")])].filter(Boolean).join(" – ");
  const alt = text("alt", "imagealt") || hexoAlt || title || (isHexo ? "" : (words[0] ?? ""));
  const attribution = text("attr");
  const whole = [
    caption,
    attribution && (text("attrlink") ? `[${attribution}](${toDestination(text("attrlink"))})` : attribution),
  ];
  return block(
    renderPicture(
      modules.get(src) ?? (tag.shown.startsWith("{% include") || isPicture(src) ? src : (findFile(src) ?? src)),
      alt,
      whole.filter(Boolean).join(" "),
      text("link", "href"),
    ),
  );
};

/** Returns the address of an article, or of a file (Jekyll's `link`). */
const reference: Expand = (tag, _, { findArticle, losses }) => {
  const name = first(tag, "path");
  if (name === "") return null;
  const [path = "", ...anchor] = name.split("#");
  const hash = anchor.length === 0 ? "" : `#${anchor.join("#")}`;
  const found = path === "" ? { address: "" } : findArticle(path);
  if (found !== null) return inline(found.address + hash);
  if (/\.(?:md|markdown|mdx|html)$/i.test(path) || !/\.\w+$/.test(path)) losses.add("links", name);
  // A relative address would lead into the current folder.
  return inline(`${path.startsWith("/") ? "" : "/"}${path.replace(/\.(?:md|mdx|markdown)$/i, "")}${hash}`);
};

const makeLinkTag =
  (isArticle: boolean): Expand =>
  (tag, _, references) => {
    const [name = "", ...words] = tag.args;
    if (name === "") return null;
    const found = isArticle ? references.findArticle(name.split("#", 1)[0] ?? "") : null;
    if (isArticle && found === null) references.losses.add("links", name);
    const title = words.filter((word) => !/^(?:true|false)$/.test(word)).join(" ") || found?.title || name;
    const address = isArticle ? found?.address : name;
    return inline(address === undefined ? title : `[${title}](${toDestination(address)})`);
  };

const code: Expand = (tag, body) => {
  if (body === "") return null;
  const language = tag.named.get("lang") ?? (tag.name === "highlight" ? tag.args[0] : undefined) ?? "";
  const title =
    tag.name === "highlight"
      ? ""
      : tag.args.filter((each) => !/^https?:|^(?:line_number|highlight|first_line|mark|wrap)/.test(each)).join(" ");
  return block(
    `${title === "" ? "" : `*${title}*\n\n`}${renderFence(body, language === "" && /^[a-z]+$/.test(tag.rest) && tag.name === "highlight" ? tag.rest : language)}`,
  );
};

const quote: Expand = (tag, body, _, within) => {
  const author =
    [tag.named.get("author"), tag.named.get("source")].filter(Boolean).join(", ") ||
    (tag.named.size === 0 ? tag.rest : "");
  const link = tag.named.get("url") ?? tag.named.get("link") ?? "";
  const by =
    author === "" ? link : link === "" ? author.replace(/\s*https?:\S+/, "") : `[${author}](${toDestination(link)})`;
  const isPull = tag.name === "pullquote";
  return block(
    renderQuote(within(body).trim() + (by === "" || isPull ? "" : `\n\n— ${by.replaceAll(/^["']|["']$/g, "")}`)),
  );
};

const note: Expand = (tag, body, _, within) => {
  const kind = [tag.name, tag.named.get("type") ?? "", ...tag.args].findLast((each) => isAlert(each)) ?? tag.name;
  const title = tag.named.get("title") ?? tag.args.filter((each) => !isAlert(each) && /\s|[A-Z]/.test(each)).join(" ");
  return block(renderAlert(kind, title.replace(/^(?:modern|flat|simple|no-icon)$/, ""), within(body)));
};

const details: Expand = (tag, body, _, within) => {
  const summary = first(tag, "summary", "title") || "Details";
  return block(
    `<details>\n<summary>${summary.replaceAll("<", "&lt;")}</summary>\n\n${within(body).trim()}\n\n</details>`,
  );
};

const inner: Expand = (_, body) => inline(body.replace(/^[ \t]*\r?\n/, "").replace(/\r?\n[ \t]*$/, ""));

const forNames = (names: string, expand: Expand): Record<string, Expand> =>
  Object.fromEntries(names.split(" ").map((name) => [name, expand]));

/** Tags that only have a meaning together with their body. */
const PAIRS: Readonly<Record<string, Expand>> = {
  ...forNames("highlight codeblock code", code),
  ...forNames("raw verbatim rawhtml raw-html", inner),
  comment: () => inline(""),
  ...forNames("blockquote quote pullquote", quote),
  details,
  mermaid: (_, body) => block(renderFence(body, "mermaid")),
  ...forNames("note notice alert callout admonition info tip warning hint caution danger important", note),
};

const SINGLES: Readonly<Record<string, Expand>> = {
  ...forNames("figure img image picture asset_img respimage responsive-image postimage", figure),
  ...forNames(
    "youtube youtube-lite youtubeplayer youtube_embed yt lite-youtube",
    makeCardTag((id) => `https://www.youtube.com/watch?v=${id}`, "v", "video", "videoid", "code"),
  ),
  vimeo: makeCardTag((id) => `https://vimeo.com/${id}`),
  gist: makeCardTag(
    (id, { args }) =>
      `https://gist.github.com/${args.length > 1 && !/[/.]/.test(id) && !args[1]?.includes(".") ? `${id}/${args[1]}` : id}`,
  ),
  ...forNames("tweet twitter twitter_simple x x_simple", status),
  instagram: makeCardTag((id) => `https://www.instagram.com/p/${id}/`),
  codepen: makeCardTag(
    (id, { named, args }) => `https://codepen.io/${named.get("user") ?? args[1] ?? "anon"}/pen/${id}`,
    "hash",
    "slug",
  ),
  spotify: makeCardTag(
    (id, { named, args }) =>
      `https://open.spotify.com/${named.get("type") ?? (args.length > 1 ? `${id}/${args[1]}` : "track")}${args.length > 1 ? "" : `/${id}`}`,
  ),
  bilibili: makeCardTag((id) => `https://www.bilibili.com/video/${id}`),
  jsfiddle: makeCardTag((id) => `https://jsfiddle.net/${id}/`),
  asciinema: makeCardTag((id) => `https://asciinema.org/a/${id}`),
  ...forNames("ref relref post_url post_path", reference),
  asset_path: (tag) => inline(encodeURI(tag.args[0] ?? "")),
  static: (tag) => inline(first(tag, "path")),
  ...forNames("url_for full_url_for", (tag) => inline(first(tag, "path").replace(/^(?!\/)/, "/"))),
  post_link: makeLinkTag(true),
  asset_link: makeLinkTag(false),
  link: (tag, ...more) => {
    // Jekyll's `link` has one path, Hexo's a text and an address.
    const at = tag.args.findIndex((each) => /^https?:/.test(each));
    if (at > 0) return inline(`[${tag.args.slice(0, at).join(" ")}](${toDestination(tag.args[at] ?? "")})`);
    return tag.args.length === 1 ? reference(tag, ...more) : null;
  },
  iframe: makeCardTag((id) => id),
  kbd: (tag) => inline(`<kbd>${first(tag, "text").replaceAll("<", "&lt;")}</kbd>`),
};

const findPair = ({ name, isPair, isEnd }: Tag): Expand | undefined =>
  isPair && !isEnd && Object.hasOwn(PAIRS, name) ? PAIRS[name] : undefined;

export const hasBody = (tag: Tag): boolean => findPair(tag) !== undefined;

/** Returns a tag as Markdown; null if it is unknown. `body` is null if it has no end tag. */
export function expandTag(tag: Tag, body: string | null, references: References, within: Within): Expanded | null {
  if (tag.isEnd) return null;
  const pair = findPair(tag);
  if (pair !== undefined && body !== null) return pair(tag, body, references, within);
  const name = Object.hasOwn(SINGLES, tag.name) ? tag.name : guessKind(tag.name);
  return name === null ? null : (SINGLES[name]?.(tag, "", references, within) ?? null);
}

/** Includes have their own names, such as `youtube-player` or `blog-figure`. */
function guessKind(name: string): string | null {
  if (/^(?:re)?(?:(?:\w+[-_])?(?:figure|image|img|picture)(?:[-_]\w+)?)$/.test(name)) return "figure";
  return /youtube/.test(name) ? "youtube" : /vimeo/.test(name) ? "vimeo" : null;
}
