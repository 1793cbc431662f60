/** Frames, media, widgets and pictures in styles, for which Markdown has addresses at most. */
import { decodeHTML, decodeHTMLAttribute } from "entities/decode";
import { visit } from "unist-util-visit";
import { audioType } from "../markdown/audio.ts";
import { embedAt, pageInFrame } from "../markdown/embeds.ts";
import { element, findElements, hasClass, isBlock, isElement, linkTo, said } from "./html-nodes.ts";
import type { Child, Element, Root } from "./html-tree.ts";
import type { Remarks } from "./remarks.ts";

/** Removes comments of editors. Replaces frames, media and widgets by their addresses, which sites embed. */
export function linkEmbeds(tree: Root, remarks: Remarks): void {
  visit(tree, (parent) => {
    if (parent.type !== "root" && parent.type !== "element") return;
    const children: Child[] = parent.children;
    parent.children = children.flatMap((node) => linked(node, remarks)) as typeof parent.children;
  });
}

function linked(node: Child, remarks: Remarks): Child[] {
  if (node.type === "comment") return [];
  if (node.type !== "element") return [node];
  if (hasClass(node, "wp-block-file__button")) return [{ type: "text", value: " " }, node];
  if (node.tagName === "img") return pictured(node, remarks);
  if (node.tagName === "script") return widget(node, remarks);
  if (node.tagName === "blockquote") return quoted(node);
  if (node.tagName === "select" && node.children.length > 1) remarks.add("<select> elements without their choices");
  if (["style", "svg", "area"].includes(node.tagName)) {
    if (!isIcon(node)) remarks.add(`<${node.tagName}> elements left out`);
    return [];
  }
  if (!["iframe", "embed", "video", "audio", "object"].includes(node.tagName)) return [node];
  const url = addressOf(node);
  if (url === "") {
    remarks.add(`<${node.tagName}> elements left out`);
    return [];
  }
  const bare = bareAddress(url);
  if (embedAt(url) !== null || audioType(url) !== null) return [linkTo(bare)];
  remarks.add(`<${node.tagName}> elements turned into links`);
  return [linkBehind(node) ?? linkTo(bare)];
}

/** Returns the link that some players have for browsers without frames. It has a title and leads to a page. */
function linkBehind(frame: Element): Element | null {
  const [only] = frame.children;
  const source = frame.tagName === "iframe" && only?.type === "text" ? only.value.slice(0, MOST_STYLE) : "";
  const [, , href, title] = /<a\b[^>]*\shref=(["'])(https?:[^"'<>]*)\1[^>]*>([^<]+)<\/a>/.exec(source) ?? [];
  if (href === undefined || title === undefined) return null;
  const link = element("a", { href: decodeHTMLAttribute(href) }, [{ type: "text", value: decodeHTML(title) }]);
  return element("p", {}, [link]);
}

const isIcon = ({ tagName, properties }: Element): boolean => tagName === "svg" && properties["ariaHidden"] === "true";

const LATE = ["dataSrc", "dataLazySrc", "dataOriginal", "dataOrigFile"];

function pictured(image: Element, remarks: Remarks): Child[] {
  const { properties } = image;
  const late = LATE.map((name) => said(image, name)).find((url) => url !== "");
  if (late !== undefined && /^(?:data:|$)/.test(said(image, "src"))) properties["src"] = late;
  if (said(image, "src") !== "") return [image];
  remarks.add("pictures without an address left out");
  return [];
}

function widget(script: Element, remarks: Remarks): Child[] {
  const source = said(script, "src");
  const page = pageInFrame("script", source);
  if (page) return [linkTo(page)];
  if (page === null) remarks.add("<script> elements left out");
  return [];
}

const QUOTES = "twitter-tweet twitter-video instagram-media tiktok-embed bluesky-embed reddit-embed-bq".split(" ");

/** Returns a quoted post with its address. The quotes of Instagram do not describe the picture, and are left out. */
function quoted(quote: Element): Child[] {
  if (!QUOTES.some((name) => hasClass(quote, name))) return [quote];
  const last = findElements(quote, (node) => node.tagName === "a" && said(node, "href") !== "").at(-1);
  const url = (said(quote, "dataInstgrmPermalink") || said(quote, "cite") || said(last, "href")).replace(
    /\?(?:utm_|ref_)[^#]*$/,
    "",
  );
  if (!/^https?:/.test(url)) return [quote];
  return hasClass(quote, "instagram-media") ? [linkTo(url)] : [quote, linkTo(url)];
}

/** Returns the absolute address or the path of a frame or media element; "" if it has none. */
function addressOf(node: Element): string {
  const inside = node.children.find((child): child is Element => isElement(child, "source", "embed"));
  const param = node.children.find((child): child is Element => isElement(child, "param") && isMovie(child));
  const url = [node, inside]
    .flatMap((each) => [said(each, "src"), said(each, "data"), said(each, "dataSrc")])
    .concat(said(param, "value"))
    .find((each) => each !== "" && each !== "about:blank");
  return url !== undefined && /^(?:https?:)?\/|^https?:/.test(url) ? url.replace(/^\/\//, "https://") : "";
}

const isMovie = (param: Element): boolean => ["movie", "src", "filename"].includes(said(param, "name").toLowerCase());

const PLAYER = /^https:\/\/(?:(?:player|w|platform|geo|embed)\.|[^/]+\/(?:[^?#]*\/)?(?:embed|embed-podcast|v)\/)/;

/** Returns the address of the page that a frame shows if it is known; else that of the frame. */
export function bareAddress(url: string): string {
  const secure = url.replace(/^http:/, "https:");
  const found = embedAt(secure);
  return found === null ? url : PLAYER.test(secure) ? found.url : secure;
}

const STRICT = new Set("table tbody thead tfoot tr ul ol dl picture".split(" "));

/** Puts background pictures before the text, unless the text shows them anyway. */
export function showBackgrounds(tree: Root, remarks: Remarks): void {
  const shown = new Set(findElements(tree, ({ tagName }) => tagName === "img").map((image) => said(image, "src")));
  visit(tree, "element", (node, index, parent) => {
    const urls = backgroundsOf(node).filter((url) => !shown.has(url));
    if (urls.length === 0 || index === undefined || parent === undefined) return undefined;
    for (const url of urls) shown.add(url);
    const images = urls.map((url) => element("img", { src: url, alt: said(node, "ariaLabel") }, []));
    if (STRICT.has(node.tagName)) remarks.add("background pictures of tables and lists left out", images.length);
    else if (!isBlock(node)) node.children.unshift(...images);
    else if (LINES.test(node.tagName)) parent.children.splice(index, 0, element("p", {}, images));
    else node.children.unshift(element("p", {}, images));
    return LINES.test(node.tagName) ? index + 2 : undefined;
  });
}

const LINES = /^(?:p|h[1-6])$/;

const DECLARATION = /(?:^|[;\s])background(?:-image)?\s*:((?:"[^"]*"|'[^']*'|\([^)]*\)|[^;"'()])*)/gi;
const ADDRESS = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^"'()\s]*))\s*\)/gi;

const MOST_STYLE = 2000;

function backgroundsOf(node: Element): string[] {
  const style = said(node, "style")
    .slice(0, MOST_STYLE)
    .replaceAll(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g, "");
  const urls = [...style.matchAll(DECLARATION)].flatMap(([, value = ""]) =>
    [...value.matchAll(ADDRESS)].map(([, double, single, bare]) => unescaped(double ?? single ?? bare ?? "")),
  );
  return [...urls, said(node, "background")].filter((url) => url !== "" && !/^(?:data:|#)/i.test(url));
}

const unescaped = (url: string): string =>
  url
    .replaceAll(/\\([\da-f]{1,6})\s?/gi, (_, code: string) =>
      String.fromCodePoint(Math.min(parseInt(code, 16), 0x10_ff_ff)),
    )
    .trim();
