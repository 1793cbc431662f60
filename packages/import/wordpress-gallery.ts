import { escapeHtml, wrapFigure } from "./html-nodes.ts";
import { requireSizeOfArticle } from "./html-tree.ts";
import { PICTURE } from "./source.ts";
import type { Remarks } from "./remarks.ts";

/** A file in WordPress's library. `parent` is the id of the post that it was added to. */
export type Attachment = {
  readonly url: string;
  readonly title: string;
  readonly caption: string;
  readonly alt: string;
  readonly parent: string;
  readonly order: number;
};

export type Library = {
  readonly attachments: Map<string, Attachment>;
  readonly children: Map<string, string[]>;
};

export type Pictures = Library & { readonly postId: string };

export const getAttribute = (words: string, name: string): string =>
  new RegExp(`(?:^|\\s)${name}=(?:"([^"]*)"|'([^']*)'|([^\\s"']+))`).exec(words)?.slice(1).find(Boolean) ?? "";

const KINDS: Readonly<Record<string, RegExp>> = {
  image: PICTURE,
  audio: /\.(?:mp3|m4a|ogg|wav|wma|flac|aac)(?:[?#]|$)/i,
  video: /\.(?:mp4|m4v|webm|ogv|wmv|flv|mov)(?:[?#]|$)/i,
};

/** Expands the galleries of a post and limits their total size: short ids can stand for long addresses, and be repeated. */
export class Galleries {
  readonly #of: Pictures;
  readonly #remarks: Remarks;
  #length = 0;

  constructor(of: Pictures, remarks: Remarks) {
    this.#of = of;
    this.#remarks = remarks;
  }

  expand(words: string, kind: string): string {
    const { attachments } = this.#of;
    const ids = this.#idsOf(words);
    const known = ids.flatMap((id) => attachments.get(id) ?? []);
    const what = kind === "image" ? "galleries" : "playlists";
    if (known.length === 0) this.#remarks.add(`${what} left out, because none of their files is in the export`);
    else this.#remarks.add(`files missing from ${what}, because they are not in the export`, ids.length - known.length);
    let html = "";
    for (const each of known) {
      // Without a list of ids, a gallery shows those attachments that are pictures by their address.
      if (!/(?:^|\s)(?:ids|include)=/.test(words) && !(KINDS[kind] ?? /^/).test(each.url)) continue;
      const shown = kind === "image" ? renderPicture(each) : renderLink(each);
      html += shown;
      this.#length += shown.length;
      requireSizeOfArticle(this.#length);
    }
    return `\n\n${kind === "image" && html !== "" ? wrapFigure(html) : html}\n\n`;
  }

  /** https://developer.wordpress.org/reference/functions/gallery_shortcode/ */
  #idsOf(words: string): string[] {
    const { attachments, children, postId } = this.#of;
    const list = (name: string) =>
      getAttribute(words, name)
        .split(/[\s,]+/)
        .filter(Boolean);
    const excluded = new Set(list("exclude"));
    const named = [...list("ids"), ...list("include")];
    const attached = children.get(getAttribute(words, "id") || postId) ?? [];
    const ids = (named.length > 0 ? named : attached).filter((id) => !excluded.has(id));
    const by =
      getAttribute(words, "orderby").split(/\s/)[0]?.toLowerCase() || (list("ids").length > 0 ? "post__in" : "");
    if (by === "post__in") return ids;
    const sorted = ids.toSorted(
      (a, b) => compareAttachments(attachments.get(a), attachments.get(b), by) || Number(a) - Number(b),
    );
    return getAttribute(words, "order").toLowerCase() === "desc" ? sorted.toReversed() : sorted;
  }
}

/** Sorting by date is sorting by id. */
function compareAttachments(one: Attachment | undefined, other: Attachment | undefined, by: string): number {
  if (one === undefined || other === undefined) return 0;
  if (by === "title") return one.title < other.title ? -1 : Number(one.title > other.title);
  return /^(?:id|date|post_date|rand)$/.test(by) ? 0 : one.order - other.order;
}

const renderPicture = ({ url, alt, caption }: Attachment): string =>
  wrapFigure(`<img src="${escapeHtml(url)}" alt="${escapeHtml(alt)}">`, caption);

export const renderLink = ({ url, title }: Pick<Attachment, "url" | "title">): string =>
  `<p><a href="${escapeHtml(url)}">${escapeHtml(title || url)}</a></p>`;
