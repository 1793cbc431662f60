/** The text that people read on a web page: without navigation, scripts and what is hidden. Takes linear time. */
import { Parser } from "htmlparser2";
import { INLINE, MAX_DEPTH, toOneLine } from "../topics/plain-text.ts";

/** `isCut`: it goes on, but only its beginning was read. */
export type PageText = { readonly title: string; readonly text: string; readonly isCut: boolean };

/** The most characters and elements of a page that are read: far more than those of most articles. */
export const MOST_CHARACTERS = 512 * 1024;
const MOST_ELEMENTS = 30_000;

/** Returns the title, and the main text with a line for each paragraph. */
export function readPage(html: string): PageText {
  const reader = new PageReader();
  reader.read(html.slice(0, MOST_CHARACTERS));
  const [main, all] = [toLines(reader.main), toLines(reader.all)];
  const isCut = reader.isCut || html.length > MOST_CHARACTERS;
  return { title: toOneLine(reader.title), text: main.length >= LEAST_MAIN ? main : all, isCut };
}

/** A shorter main element is only a part of the page, such as a teaser. */
const LEAST_MAIN = 200;

export const toLines = (text: string): string =>
  text
    .split("\n")
    .map(toOneLine)
    .filter((line) => line !== "")
    .join("\n");

class PageReader {
  main = "";
  all = "";
  title = "";
  isCut = false;
  #elements = 0;
  #depth = 0;
  /** The depths of the outermost elements that are hidden, and that are the main one; 0 outside of such elements. */
  #hidden = 0;
  #main = 0;
  #isTitle = false;

  read(html: string): void {
    const parser = new Parser({
      onopentag: (name, attributes) => {
        this.#depth++;
        this.#elements++;
        // The parser's time grows with the square of the depth.
        if (this.#depth > MAX_DEPTH || this.#elements > MOST_ELEMENTS) {
          this.isCut = true;
          parser.pause();
        }
        if (name === "title" && this.title === "") this.#isTitle = true;
        if (this.#hidden === 0 && isHidden(name, attributes, this.#main > 0)) this.#hidden = this.#depth;
        if (this.#main === 0 && this.#hidden === 0 && isMain(name, attributes)) this.#main = this.#depth;
        this.#separate(name);
      },
      onclosetag: (name) => {
        this.#separate(name);
        if (name === "title") this.#isTitle = false;
        if (this.#hidden === this.#depth) this.#hidden = 0;
        if (this.#main === this.#depth) this.#main = 0;
        this.#depth--;
      },
      ontext: (data) => {
        if (this.#isTitle) this.title += data;
        else this.#add(data.replaceAll("\n", " "));
      },
    });
    parser.end(html);
  }

  #separate(name: string): void {
    if (!INLINE.has(name)) this.#add(name === "td" || name === "th" ? " | " : "\n");
  }

  #add(text: string): void {
    if (this.#hidden > 0) return;
    this.all += text;
    if (this.#main > 0) this.main += text;
  }
}

const isMain = (name: string, { role }: Attributes): boolean =>
  name === "main" || name === "article" || role === "main";

function isHidden(
  name: string,
  { hidden, style = "", role = "", ...rest }: Attributes,
  isWithinMain: boolean,
): boolean {
  if (UNREAD.has(name) || UNREAD_ROLES.has(role) || hidden !== undefined || rest["aria-hidden"] === "true") return true;
  if (!isWithinMain && (name === "header" || name === "footer")) return true;
  return /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style);
}

type Attributes = Readonly<Record<string, string>>;

const UNREAD: ReadonlySet<string> = new Set(
  (
    "aside audio button canvas dialog embed form head iframe math nav noscript object script select style svg template " +
    "textarea video"
  ).split(" "),
);

const UNREAD_ROLES: ReadonlySet<string> = new Set(["navigation", "banner", "search", "contentinfo", "complementary"]);
