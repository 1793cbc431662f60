/**
 * Reads WXR, the export format of WordPress, as a stream. It is RSS with additional elements
 * (https://developer.wordpress.org/reference/functions/export_wp/, WXR 1.2).
 */
import { SaxesParser } from "saxes";
import { Unusable } from "./article.ts";
import { MOST_NESTED, readChunks, detectUtf16, type Bytes } from "./source.ts";
import { SEO_FIELDS } from "./wordpress-seo.ts";

/** Maximum characters between two tags: more than any post has. */
const MOST_TEXT = 16 * 1024 * 1024;
const MOST_PARTS = 5000;

export type Item = ReturnType<typeof makeItem>;

const makeItem = () => ({
  title: "",
  content: "",
  excerpt: "",
  id: "",
  slug: "",
  status: "",
  type: "",
  password: "",
  attachmentUrl: "",
  /** Where it was, and a permanent address. Both may have its number, `/?p=1`. */
  link: "",
  guid: "",
  /** The id of the post that an attachment was added to, and its place among the others. */
  parent: "",
  order: "",
  sticky: "",
  /** The account. */
  creator: "",
  /** "2026-11-20 09:52:59" in UTC; zeros for what was never published. */
  publishDate: "",
  /** The same by the site's clock, and as RSS has it. */
  localDate: "",
  pubDate: "",
  /** `name` is the slug. */
  categories: [] as { domain: string; name: string; label: string }[],
  meta: new Map<string, string>(),
  /** Former slugs, the oldest first. */
  oldSlugs: [] as string[],
  /** The names of other custom fields that are not only for programs. */
  customFields: new Set<string>(),
  comments: 0,
});

export type Channel = ReturnType<typeof makeChannel>;

export const makeChannel = () => ({
  title: "",
  addresses: [] as string[],
  /** By account. */
  authors: new Map<string, string>(),
  descriptions: 0,
});

/** The field for each XML element. All versions of WordPress write the same prefixes. */
const MEMBERS: Readonly<Record<string, keyof Item>> = {
  title: "title",
  "content:encoded": "content",
  "excerpt:encoded": "excerpt",
  "wp:post_id": "id",
  "wp:post_name": "slug",
  "wp:status": "status",
  "wp:post_type": "type",
  "wp:post_password": "password",
  "wp:attachment_url": "attachmentUrl",
  "wp:post_date_gmt": "publishDate",
  "wp:post_date": "localDate",
  pubDate: "pubDate",
  "dc:creator": "creator",
  link: "link",
  guid: "guid",
  "wp:post_parent": "parent",
  "wp:menu_order": "order",
  "wp:is_sticky": "sticky",
};

/** Yields the items of a file one after another, and fills in `channel`. Throws `Unusable` if the file is not WXR. */
export async function* readItems(file: Bytes, channel: Channel = makeChannel()): AsyncGenerator<Item> {
  const reader = new ItemReader(channel);
  for await (const chunk of readChunks(file, detectEncoding)) {
    reader.write(chunk);
    yield* reader.take();
  }
  reader.end();
  yield* reader.take();
}

/** Returns the encoding from the first bytes or the declaration (https://www.w3.org/TR/xml/#sec-guessing). */
function detectEncoding(start: Uint8Array): string {
  const [, declared = "utf-8"] =
    /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"'>]*)["']/.exec(
      new TextDecoder("latin1").decode(start.subarray(0, 1024)),
    ) ?? [];
  // The declaration of a file in UTF-16 could not be read as Latin-1. If it can and says UTF-16, a program converted the
  // file to UTF-8 and kept the declaration.
  return detectUtf16(start) ?? (/^utf-16/i.test(declared) ? "utf-8" : declared);
}

type Attribute = string | { readonly value: string };

class ItemReader {
  readonly #parser = new SaxesParser();
  readonly #path: string[] = [];
  #items: Item[] = [];
  #item: Item | null = null;
  #text = "";
  #silent = 0;
  #metaKey = "";
  #isWxr = false;

  readonly #channel: Channel;
  #account = "";

  constructor(channel: Channel) {
    this.#channel = channel;
    const parser = this.#parser;
    parser.on("error", ({ message }) => {
      // The message begins with line and column, and ends with a full stop. It becomes part of a sentence.
      throw new Unusable(`is not well-formed XML: line ${message.replace(/\.$/, "")}`);
    });
    parser.on("doctype", () => {
      throw new Unusable("has a DOCTYPE, which WordPress exports do not have");
    });
    parser.on("opentag", ({ name, attributes }) => this.#open(name, attributes));
    parser.on("closetag", ({ name }) => this.#close(name));
    parser.on("text", (text) => this.#append(text));
    parser.on("cdata", (text) => this.#append(text));
  }

  write(chunk: string): void {
    this.#silent += chunk.length;
    // WordPress exports control characters, which XML does not allow.
    this.#parser.write(chunk.replaceAll(NO_XML, ""));
    if (this.#silent > MOST_TEXT) throw new Unusable(`has a text of more than ${MOST_TEXT / 1024 / 1024} MiB`);
  }

  end(): void {
    this.#parser.close();
    if (!this.#isWxr) throw new Unusable("is not a WordPress export (WXR): it has no <wp:wxr_version>");
  }

  take(): Item[] {
    const items = this.#items;
    this.#items = [];
    return items;
  }

  #open(name: string, attributes: Record<string, Attribute>): void {
    this.#silent = 0;
    this.#text = "";
    if (this.#path.length >= MOST_NESTED) throw new Unusable("is nested too deeply");
    this.#path.push(name);
    if (name === "wp:wxr_version") this.#isWxr = true;
    if (name === "item" && this.#item === null) this.#item = makeItem();
    if (name === "wp:postmeta") this.#metaKey = "";
    if (name === "category" && this.#item !== null && this.#item.categories.length < MOST_PARTS) {
      this.#item.categories.push({
        domain: getValue(attributes["domain"]),
        name: getValue(attributes["nicename"]),
        label: "",
      });
    }
  }

  #close(name: string): void {
    this.#silent = 0;
    this.#path.pop();
    // Programs that write or format XML put line breaks around texts.
    this.#text = this.#text.trim();
    const item = this.#item;
    if (item === null) return this.#closeOfChannel(name);
    if (name === "item") {
      this.#items.push(item);
      this.#item = null;
    } else if (name === "wp:comment") item.comments++;
    else if (this.#path.at(-1) === "wp:postmeta") this.#closeMeta(name, item);
    else if (name === "category" && this.#path.at(-1) === "item") {
      const category = item.categories.at(-1);
      if (category !== undefined && category.label === "") category.label = this.#text.slice(0, 1000);
    } else if (this.#path.at(-1) === "item") setMember(item, name, this.#text);
    this.#text = "";
  }

  /** Reads a custom field of a post. Comments have elements of the same names, in `wp:commentmeta`. */
  #closeMeta(name: string, item: Item): void {
    const key = this.#metaKey;
    if (name === "wp:meta_key") this.#metaKey = this.#text;
    if (name !== "wp:meta_value" || this.#text === "") return;
    if (key === "_wp_old_slug") item.oldSlugs = [...item.oldSlugs, this.#text.slice(0, 1000)].slice(-MOST_OLD_SLUGS);
    else if (KEPT_META.has(key)) item.meta.set(key, this.#text);
    else if (!/^_|^$/.test(key) && item.customFields.size < 20) item.customFields.add(key.slice(0, 60));
  }

  /** WordPress lists the authors before the items: `wp:author` with `wp:author_login` and `wp:author_display_name`. */
  #closeOfChannel(name: string): void {
    const { authors, addresses } = this.#channel;
    const [parent, text] = [this.#path.at(-1), this.#text.slice(0, 1000)];
    if (parent === "channel" && name === "title") this.#channel.title = text;
    if (parent === "channel" && ["link", "wp:base_blog_url"].includes(name)) addresses.push(text);
    if (text !== "" && /^wp:(?:category|tag)_description$/.test(name)) this.#channel.descriptions++;
    if (parent !== "wp:author" || authors.size >= MOST_PARTS) return;
    if (name === "wp:author_login") this.#account = text;
    if (name === "wp:author_display_name") authors.set(this.#account, text);
  }

  #append(text: string): void {
    this.#silent = 0;
    this.#text += text;
    if (this.#text.length > MOST_TEXT) throw new Unusable(`has a text of more than ${MOST_TEXT / 1024 / 1024} MiB`);
  }
}

/** Characters that XML 1.0 (2.2) does not allow, except surrogates: a chunk may end within a pair. */
// oxlint-disable-next-line no-control-regex
const NO_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** The custom fields by which plugins restrict readers: Jetpack, Members, Patreon, Restrict Content and WP-Members. */
export const ACCESS_FIELDS = [
  "_jetpack_newsletter_access",
  "_members_access_role",
  "rcp_user_level",
  "rcp_subscription_level",
  "rcp_access_level",
  "_wpmem_block",
  "_is_paid",
  "patreon-level",
];

const KEPT_META = new Set([
  "_thumbnail_id",
  "_wp_attachment_image_alt",
  "_wpml_import_language_code",
  "cap-user_login",
  "enclosure",
  "footnotes",
  ...SEO_FIELDS,
  ...ACCESS_FIELDS,
]);
const MOST_OLD_SLUGS = 50;

const getValue = (attribute: Attribute | undefined): string =>
  (typeof attribute === "object" ? attribute.value : (attribute ?? "")).trim();

function setMember(item: Item, name: string, value: string): void {
  const member = Object.hasOwn(MEMBERS, name) ? MEMBERS[name] : undefined;
  if (member !== undefined) Object.assign(item, { [member]: value });
}
