/** Expands captions, galleries and embeds in posts of WordPress into HTML (https://codex.wordpress.org/Shortcode). */
import { escapeHtml, wrapFigure } from "./html-nodes.ts";
import { requireSizeOfArticle } from "./html-tree.ts";
import type { Remarks } from "./remarks.ts";
import { getAttribute, Galleries, type Pictures } from "./wordpress-gallery.ts";

/**
 * Replaces WordPress's own shortcodes by HTML. Those of plugins stay as text, with a remark; those in code stay
 * without one. Throws `Unusable` if the result is too large. In the patterns, attributes end at the next bracket of
 * either kind, so that unclosed ones do not cause quadratic time.
 */
export function expandShortcodes(html: string, of: Pictures, remarks: Remarks): string {
  requireSizeOfArticle(html.length);
  const galleries = new Galleries(of, remarks);
  return expandCaptions(escapeCode(showEscaped(expandCode(html))))
    .replaceAll(/\[embed\b([^[\]]*)\](?:([^[]*)\[\/embed\])?/g, (whole, words: string, url: string = "") =>
      url.trim() === "" ? renderMedia(whole, words) : renderFrame(url.trim()),
    )
    .replaceAll(/\[gallery\b([^[\]]*)\]/g, (_, words: string) => galleries.expand(words, "image"))
    .replaceAll(/\[playlist\b([^[\]]*)\](?:\[\/playlist\])?/g, (_, words: string) =>
      galleries.expand(words, getAttribute(words, "type") || "audio"),
    )
    .replaceAll(MEDIA, (whole, _, words: string, inside: string = "") => renderMedia(whole, `${words} ${inside}`))
    .replaceAll(/\[\/?([a-z][\w-]{2,40})\b(?: [^[\]]*)?\](?!\()/g, (whole, name: string) => {
      if (!whole.startsWith("[/")) remarks.add(`shortcodes [${name}], left as text`);
      return whole;
    });
}

const SHOWING = "audio|video|youtube|vimeo|soundcloud|spotify|gist|tweet|instagram|dailymotion|ted|slideshare|codepen";
const MEDIA = new RegExp(String.raw`\[(${SHOWING})\b([^[\]]*)\](?:([^[\]]*)\[/\1\])?`, "g");

const CORE = `caption|embed|gallery|playlist|${SHOWING}`;
const ESCAPED = new RegExp(String.raw`\[(\[(${CORE})\b[^[\]]*\](?:[^[\]]*\[/\2\])?)\]`, "g");

/** Unwraps shortcodes that are to be shown: `[[gallery]]` shows `[gallery]`. */
const showEscaped = (html: string): string =>
  html.replaceAll(ESCAPED, (_, shortcode: string) => escapeBrackets(shortcode));

/** Escapes opening brackets, as the block editor does in code. */
const escapeBrackets = (text: string): string => text.replaceAll("[", "&#91;");

/** Escapes opening brackets in code, where they begin no shortcode. Unclosed code is none. */
function escapeCode(html: string): string {
  let text = "";
  let from = 0;
  let code: { readonly name: string; readonly at: number } | null = null;
  for (const { index, 1: slash, 2: tag = "" } of html.matchAll(/<(\/?)(pre|code)(?=[\s>])/gi)) {
    const name = tag.toLowerCase();
    if (slash === "") code ??= { name, at: index };
    else if (code?.name === name) {
      text += html.slice(from, code.at) + escapeBrackets(html.slice(code.at, index));
      from = index;
      code = null;
    }
  }
  return text + html.slice(from);
}

const CODE =
  "code|sourcecode|source|as3|bash|c|cpp|csharp|css|delphi|diff|erlang|go|groovy|html|java|javascript|js|jscript|mysql|objc|perl|php|plain|powershell|python|py|r|ruby|scala|shell|sql|text|vb|xml|xhtml";
/** CodeColorer has letters for its options, and `_php`. */
const CODE_START = new RegExp(String.raw`(?<!\[)\[(${CODE}|cc[a-zA-Z]{0,8}(?:_[a-z\d]+)?)\b([^[\]]*)\]`, "g");

const expandCode = (html: string): string =>
  replacePairs(html, CODE_START, (inside, name, words) => {
    const source = inside
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replace(/^\r?\n/, "");
    const language = getAttribute(words, "lang") || getAttribute(words, "language") || getLanguage(name);
    return `<pre><code class="language-${escapeHtml(language)}">${source}</code></pre>`;
  });

/**
 * Replaces shortcodes with what is between them and their next end tag. The groups of `starts` are the name and the
 * attributes. Shortcodes without an end tag stay as they are.
 */
function replacePairs(
  html: string,
  starts: RegExp,
  replacement: (inside: string, name: string, words: string) => string,
): string {
  let replaced = "";
  let from = 0;
  const unclosed = new Set<string>();
  for (const { index, 0: start, 1: name = "", 2: words = "" } of html.matchAll(starts)) {
    if (index < from || unclosed.has(name)) continue;
    const end = `[/${name}]`;
    const to = html.indexOf(end, index + start.length);
    if (to < 0) unclosed.add(name);
    else {
      replaced += html.slice(from, index) + replacement(html.slice(index + start.length, to), name, words);
      from = to + end.length;
    }
  }
  return replaced + html.slice(from);
}

const getLanguage = (name: string): string =>
  name.startsWith("cc") ? (name.split("_")[1] ?? "") : /^(?:code|source|sourcecode|plain)$/.test(name) ? "" : name;

const expandCaptions = (html: string): string =>
  replacePairs(html, /\[((?:wp_)?caption)\b([^[\]]*)\]/g, (inside, _, words) =>
    renderCaption(inside, getAttribute(words, "caption")),
  );

/**
 * Returns a figure for the content of a caption; anything else unchanged. Before WordPress 3.4, the text was an
 * attribute; now it follows the image.
 */
function renderCaption(inside: string, text: string): string {
  if (text !== "") return wrapFigure(inside, text);
  const [, image = "", caption = ""] = /^\s*((?:<a\b[^>]*>\s*)?<img\b[^>]*>(?:\s*<\/a>)?)([^]*)$/.exec(inside) ?? [];
  return image === "" ? inside : wrapFigure(image, caption.trim());
}

const renderFrame = (url: string): string => `\n\n<iframe src="${escapeHtml(url)}"></iframe>\n\n`;

/** Returns a frame for what a shortcode shows; the shortcode itself if it has no address. */
function renderMedia(whole: string, words: string): string {
  if (!/[=:\d]/.test(words)) return whole;
  const url = ["src", "mp4", "m4v", "webm", "ogv", "flv", "wmv", "mp3", "m4a", "ogg", "wav", "wma", "url"]
    .map((name) => getAttribute(words, name))
    .find(Boolean);
  const [address = ""] = url === undefined ? (/https?:\/\/[^\s"'<>[\]]+/.exec(words) ?? []) : [url];
  const [, vimeo = ""] = /^\[vimeo (?:id=)?["']?(\d+)/.exec(whole) ?? [];
  const shown = address || (vimeo === "" ? "" : `https://vimeo.com/${vimeo}`);
  return shown === "" ? whole : renderFrame(shown);
}
