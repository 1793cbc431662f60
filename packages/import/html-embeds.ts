/** Frames, media, widgets and pictures in styles, for which Markdown has addresses at most. */
import { decodeHTML, decodeHTMLAttribute } from "entities/decode";
import { visit } from "unist-util-visit";
import { findAudioType } from "../markdown/audio.ts";
import { findEmbed, findFramePage } from "../markdown/embeds.ts";
import {
  makeElement,
  findElements,
  hasClass,
  isBlock,
  isElement,
  makeLinkParagraph,
  getProperty,
} from "./html-nodes.ts";
import type { Child, Element, Root } from "./html-tree.ts";
import type { Remarks } from "./remarks.ts";

/** Removes comments of editors. Replaces frames, media and widgets by their addresses, which sites embed. */
export function linkEmbeds(tree: Root, remarks: Remarks): void {
  visit(tree, (parent) => {
    if (parent.type !== "root" && parent.type !== "element") return;
    const children: Child[] = parent.children;
    parent.children = children.flatMap((node) => replaceEmbed(node, remarks)) as typeof parent.children;
  });
}

function replaceEmbed(node: Child, remarks: Remarks): Child[] {
  if (node.type === "comment") return [];
  if (node.type !== "element") return [node];
  if (hasClass(node, "wp-block-file__button")) return [{ type: "text", value: " " }, node];
  if (node.tagName === "img") return fixLazyImage(node, remarks);
  if (node.tagName === "script") return convertWidget(node, remarks);
  if (node.tagName === "blockquote") return convertQuote(node);
  if (node.tagName === "select" && node.children.length > 1) remarks.add("<select> elements without their choices");
  if (["style", "svg", "area"].includes(node.tagName)) {
    if (!isIcon(node)) remarks.add(`<${node.tagName}> elements left out`);
    return [];
  }
  if (!["iframe", "embed", "video", "audio", "object"].includes(node.tagName)) return [node];
  const url = findAddress(node);
  if (url === "") {
    remarks.add(`<${node.tagName}> elements left out`);
    return [];
  }
  const bare = toPageUrl(url);
  if (findEmbed(url) !== null || findAudioType(url) !== null) return [makeLinkParagraph(bare)];
  remarks.add(`<${node.tagName}> elements turned into links`);
  return [findFallbackLink(node) ?? makeLinkParagraph(bare)];
}

/** Returns the link that some players have for browsers without frames. It has a title and leads to a page. */
function findFallbackLink(frame: Element): Element | null {
  const [only] = frame.children;
  const source = frame.tagName === "iframe" && only?.type === "text" ? only.value.slice(0, MOST_STYLE) : "";
  const [, , href, title] = /<a\b[^>]*\shref=(["'])(https?:[^"'<>]*)\1[^>]*>([^<]+)<\/a>/.exec(source) ?? [];
  if (href === undefined || title === undefined) return null;
  const link = makeElement("a", { href: decodeHTMLAttribute(href) }, [{ type: "text", value: decodeHTML(title) }]);
  return makeElement("p", {}, [link]);
}

const isIcon = ({ tagName, properties }: Element): boolean => tagName === "svg" && properties["ariaHidden"] === "true";

const LATE = ["dataSrc", "dataLazySrc", "dataOriginal", "dataOrigFile"];

function fixLazyImage(image: Element, remarks: Remarks): Child[] {
  const { properties } = image;
  const late = LATE.map((name) => getProperty(image, name)).find((url) => url !== "");
  if (late !== undefined && /^(?:data:|$)/.test(getProperty(image, "src"))) properties["src"] = late;
  if (getProperty(image, "src") !== "") return [image];
  remarks.add("pictures without an address left out");
  return [];
}

function convertWidget(script: Element, remarks: Remarks): Child[] {
  const source = getProperty(script, "src");
  const page = findFramePage("script", source);
  if (page) return [makeLinkParagraph(page)];
  if (page === null) remarks.add("<script> elements left out");
  return [];
}

const QUOTES = "twitter-tweet twitter-video instagram-media tiktok-embed bluesky-embed reddit-embed-bq".split(" ");

/** Returns a quoted post with its address. The quotes of Instagram do not describe the picture, and are left out. */
function convertQuote(quote: Element): Child[] {
  if (!QUOTES.some((name) => hasClass(quote, name))) return [quote];
  const last = findElements(quote, (node) => node.tagName === "a" && getProperty(node, "href") !== "").at(-1);
  const url = (
    getProperty(quote, "dataInstgrmPermalink") ||
    getProperty(quote, "cite") ||
    getProperty(last, "href")
  ).replace(/\?(?:utm_|ref_)[^#]*$/, "");
  if (!/^https?:/.test(url)) return [quote];
  return hasClass(quote, "instagram-media") ? [makeLinkParagraph(url)] : [quote, makeLinkParagraph(url)];
}

/** Returns the absolute address or the path of a frame or media element; "" if it has none. */
function findAddress(node: Element): string {
  const inside = node.children.find((child): child is Element => isElement(child, "source", "embed"));
  const param = node.children.find((child): child is Element => isElement(child, "param") && isMovie(child));
  const url = [node, inside]
    .flatMap((each) => [getProperty(each, "src"), getProperty(each, "data"), getProperty(each, "dataSrc")])
    .concat(getProperty(param, "value"))
    .find((each) => each !== "" && each !== "about:blank");
  return url !== undefined && /^(?:https?:)?\/|^https?:/.test(url) ? url.replace(/^\/\//, "https://") : "";
}

const isMovie = (param: Element): boolean =>
  ["movie", "src", "filename"].includes(getProperty(param, "name").toLowerCase());

const PLAYER = /^https:\/\/(?:(?:player|w|platform|geo|embed)\.|[^/]+\/(?:[^?#]*\/)?(?:embed|embed-podcast|v)\/)/;

/** Returns the address of the page that a frame shows if it is known; else that of the frame. */
export function toPageUrl(url: string): string {
  const secure = url.replace(/^http:/, "https:");
  const found = findEmbed(secure);
  return found === null ? url : PLAYER.test(secure) ? found.url : secure;
}

const STRICT = new Set("table tbody thead tfoot tr ul ol dl picture".split(" "));

/** Puts background pictures before the text, unless the text shows them anyway. */
export function showBackgrounds(tree: Root, remarks: Remarks): void {
  const shown = new Set(
    findElements(tree, ({ tagName }) => tagName === "img").map((image) => getProperty(image, "src")),
  );
  visit(tree, "element", (node, index, parent) => {
    const urls = listBackgrounds(node).filter((url) => !shown.has(url));
    if (urls.length === 0 || index === undefined || parent === undefined) return undefined;
    for (const url of urls) shown.add(url);
    const images = urls.map((url) => makeElement("img", { src: url, alt: getProperty(node, "ariaLabel") }, []));
    if (STRICT.has(node.tagName)) remarks.add("background pictures of tables and lists left out", images.length);
    else if (!isBlock(node)) node.children.unshift(...images);
    else if (LINES.test(node.tagName)) parent.children.splice(index, 0, makeElement("p", {}, images));
    else node.children.unshift(makeElement("p", {}, images));
    return LINES.test(node.tagName) ? index + 2 : undefined;
  });
}

const LINES = /^(?:p|h[1-6])$/;

const DECLARATION = /(?:^|[;\s])background(?:-image)?\s*:((?:"[^"]*"|'[^']*'|\([^)]*\)|[^;"'()])*)/gi;
const ADDRESS = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^"'()\s]*))\s*\)/gi;

const MOST_STYLE = 2000;

function listBackgrounds(node: Element): string[] {
  const style = getProperty(node, "style")
    .slice(0, MOST_STYLE)
    .replaceAll(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g, "");
  const urls = [...style.matchAll(DECLARATION)].flatMap(([, value = ""]) =>
    [...value.matchAll(ADDRESS)].map(([, double, single, bare]) => unescapeCss(double ?? single ?? bare ?? "")),
  );
  return [...urls, getProperty(node, "background")].filter((url) => url !== "" && !/^(?:data:|#)/i.test(url));
}

const unescapeCss = (url: string): string =>
  url
    .replaceAll(/\\([\da-f]{1,6})\s?/gi, (_, code: string) =>
      String.fromCodePoint(Math.min(parseInt(code, 16), 0x10_ff_ff)),
    )
    .trim();
