/**
 * Reads articles from an export of Ghost: JSON with the rows of Ghost's tables
 * (https://ghost.org/docs/migration/custom/, "JSON file structure").
 */
import * as z from "zod";
import { canonicalLocale } from "../../domain/locale.ts";
import { isoOf } from "../../lib/time.ts";
import { slugFrom, Unusable, type Article } from "./article.ts";
import { contentOf, SITE } from "./ghost-content.ts";
import { descriptionFrom, lineFrom } from "./html.ts";
import { elementsOf } from "./json-stream.ts";
import { publicationOf, type Said } from "./publication.ts";
import type { Remarks } from "./remarks.ts";
import { coverFrom, naturalKey, newEntry, uniqueKeys, type Entry, type Source, type Wishes } from "./source.ts";

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");

/** A time as text, or in milliseconds since 1970, as in exports of Ghost before version 1 and in files of other programs. */
const time = z
  .union([text, z.number()])
  .transform((value) => (typeof value === "number" ? (isoOf(new Date(value)) ?? String(value)) : value));

/** A boolean of a database: 0 or 1. */
const flag = z.union([z.boolean(), z.number()]).nullish().transform(Boolean);

const post = z.object({
  id: z.union([text, z.number()]).transform(String),
  title: text,
  slug: text,
  html: text,
  lexical: text,
  mobiledoc: text,
  feature_image: text,
  custom_excerpt: text,
  published_at: time,
  canonical_url: text,
  locale: text,
  type: text,
  status: text,
  visibility: text,
  /** 1 for a page, in exports of Ghost before version 3. */
  page: flag,
});
type Post = z.infer<typeof post>;

const id = z.union([z.string(), z.number()]).transform(String);
const postMeta = z.object({
  post_id: id,
  meta_title: text,
  meta_description: text,
  og_image: text,
  email_only: flag,
});
const named = z.object({ id, name: text, visibility: text });
const postTag = z.object({ post_id: id, tag_id: id, sort_order: z.number().nullish() });
const postAuthor = z.object({ post_id: id, author_id: id, sort_order: z.number().nullish() });

/** Matches the path of a table in the JSON: with `db`, as Ghost exports it, or without, as its documentation allows. */
const TABLE = /^(?:db\.)?data\.(\w+)$/;
const tableOf = (way: string): string => TABLE.exec(way)?.[1] ?? "";

type Meta = z.infer<typeof postMeta>;

/** What other tables say of posts. The file has them after the posts, so they are collected first. */
type Tables = {
  readonly meta: Map<string, Meta>;
  /** The names of tags and of users, by id. */
  readonly tags: Map<string, string>;
  readonly users: Map<string, string>;
  /** The ids of a post's tags and authors, with their places. */
  readonly tagsOf: Map<string, Placed[]>;
  readonly authorsOf: Map<string, Placed[]>;
};

type Placed = { readonly id: string; readonly place: number };

/**
 * Opens an export. Reads the whole file, so that a malformed file is found before anything is sent. Throws `Unusable`.
 */
export async function openGhost(file: string, wishes: Wishes, remarks: Remarks): Promise<Source> {
  const { keys, tables } = await surveyOf(file, wishes, remarks);
  return {
    format: "ghost",
    keys,
    async *entries(): AsyncGenerator<Entry> {
      const identify = identifier(wishes);
      for await (const { value } of elementsOf(file, (way) => tableOf(way) === "posts")) {
        const identified = identify(value);
        if (identified !== null) yield entryOf(identified, tables, wishes, remarks);
      }
    },
  };
}

/** Returns whether there is nothing by which the next import would know a post again. */
const isNameless = ({ id, slug, title }: Post): boolean => id === "" && slug === "" && title === "";

const isPage = ({ type, page }: Post): boolean => type === "page" || page;

/** A row of the posts with its key and name. `row` is undefined if the row is malformed. */
type Identified = { readonly key: string; readonly name: string; readonly row?: Post };

/** Returns a function that identifies the rows of one pass through the file. It returns null for unwanted pages. */
function identifier({ pages }: Wishes): (value: unknown) => Identified | null {
  const { keyOf } = uniqueKeys();
  let position = 0;
  return (value) => {
    position++;
    const { success, data } = post.safeParse(value);
    if (!success || isNameless(data)) return { key: keyOf(`posts-${position}`), name: `post number ${position}` };
    if (isPage(data) && !pages) return null;
    const name = `post ${data.id || data.slug || `number ${position}`} (${data.title.slice(0, 60)})`;
    return { key: keyOf(naturalKey("post", data)), name, row: data };
  };
}

const entryOf = ({ key, name, row }: Identified, tables: Tables, wishes: Wishes, remarks: Remarks) =>
  newEntry(key, name, remarks, (ofPost) => {
    if (row === undefined)
      throw new Unusable("is not a Ghost post: it has no id, slug or title, or its fields are not texts");
    return articleFrom(row, tables, wishes, ofPost);
  });

const TABLES_LEFT_OUT: Readonly<Record<string, string>> = {
  members: "members left out",
  newsletters: "newsletters left out",
};

type Survey = { readonly keys: Set<string>; readonly tables: Tables };

async function surveyOf(file: string, wishes: Wishes, remarks: Remarks): Promise<Survey> {
  const tables = { meta: new Map(), tags: new Map(), users: new Map(), tagsOf: new Map(), authorsOf: new Map() };
  const survey: Survey = { keys: new Set(), tables };
  const identify = identifier(wishes);
  for await (const { path, value } of elementsOf(file, (way) => TABLE.test(way))) {
    const table = path.at(-1) ?? "";
    if (table === "posts") surveyPost(identify(value), survey, remarks);
    else if (Object.hasOwn(READERS, table)) READERS[table]?.(value, tables);
    else if (Object.hasOwn(TABLES_LEFT_OUT, table)) remarks.add(TABLES_LEFT_OUT[table] ?? "");
  }
  return survey;
}

/** How the rows of each table are read that says something of posts. A malformed row says nothing. */
const READERS: Readonly<Record<string, (value: unknown, tables: Tables) => void>> = {
  posts_meta(value, { meta }) {
    const row = postMeta.safeParse(value).data;
    if (row !== undefined) meta.set(row.post_id, row);
  },
  tags(value, { tags }) {
    const row = named.safeParse(value).data;
    // Tags whose name begins with # are for Ghost's own themes.
    if (row !== undefined && row.visibility !== "internal" && !row.name.startsWith("#")) tags.set(row.id, row.name);
  },
  users(value, { users }) {
    const row = named.safeParse(value).data;
    if (row !== undefined) users.set(row.id, row.name);
  },
  posts_tags(value, { tagsOf }) {
    const row = postTag.safeParse(value).data;
    if (row !== undefined) place(tagsOf, row.post_id, { id: row.tag_id, place: row.sort_order ?? 0 });
  },
  posts_authors(value, { authorsOf }) {
    const row = postAuthor.safeParse(value).data;
    if (row !== undefined) place(authorsOf, row.post_id, { id: row.author_id, place: row.sort_order ?? 0 });
  },
};

/** How many tags, and how many authors, of a post are kept. An import takes fewer. */
const MOST_PLACED = 100;

function place(of: Map<string, Placed[]>, postId: string, placed: Placed): void {
  const others = of.get(postId) ?? [];
  if (others.length < MOST_PLACED) of.set(postId, [...others, placed]);
}

/** Returns the names of a post's tags or authors in order; undefined if the export says none. */
function namesOf(placed: readonly Placed[] | undefined, names: ReadonlyMap<string, string>): string[] | undefined {
  if (placed === undefined) return undefined;
  const inOrder = placed.toSorted((a, b) => a.place - b.place);
  return inOrder.flatMap((each) => names.get(each.id) ?? []);
}

function surveyPost(identified: Identified | null, { keys }: Survey, remarks: Remarks): void {
  if (identified === null) {
    remarks.add("pages left out (--pages imports them)");
    return;
  }
  keys.add(identified.key);
}

function articleFrom(row: Post, tables: Tables, wishes: Wishes, remarks: Remarks): Article {
  const locale = row.locale === "" ? wishes.locale : canonicalLocale(row.locale.replaceAll("_", "-"));
  if (locale === null) throw new Unusable("locale: must be a BCP 47 language tag");
  const meta = tables.meta.get(row.id);
  const description = meta?.meta_description ?? "";
  const extras = {
    time: row.published_at,
    tags: namesOf(tables.tagsOf.get(row.id), tables.tags),
    authors: namesOf(tables.authorsOf.get(row.id), tables.users),
    seo: {
      title: meta?.meta_title ?? "",
      description: row.custom_excerpt === "" ? "" : description,
      canonicalUrl: row.canonical_url.replaceAll(SITE, wishes.siteUrl),
      image: (meta?.og_image ?? "").replaceAll(SITE, wishes.siteUrl),
    },
  };
  return {
    title: lineOf(row.title),
    description: descriptionFrom(escaped(row.custom_excerpt || description), remarks),
    content: contentOf(row, wishes, remarks),
    slug: slugFrom(row.slug || lineFrom(escaped(row.title)) || `post-${row.id}`),
    locale,
    coverUrl: coverOf(row, wishes, remarks),
    ...publicationOf(saidOf(row, meta), extras, wishes, remarks),
  };
}

/** Returns a title on one line. Titles and excerpts are plain text in Ghost, not HTML. */
const lineOf = (title: string): string => title.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
const escaped = (plain: string): string => plain.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** Returns what a post says of who may see it. A file of another program may have no `visibility`. */
const saidOf = ({ status, visibility, html, lexical }: Post, meta: Meta | undefined): Said => ({
  fields: [
    ["status", status],
    ["visibility", visibility || "public"],
  ],
  doubts: [
    ...(meta?.email_only === true ? ["it is for e-mail only"] : []),
    ...(/nonMember"?:\s*false/.test(html + lexical) ? ["parts of it are for members only"] : []),
  ],
  mayLackDate: false,
});

const coverOf = ({ feature_image: image }: Post, { siteUrl }: Wishes, remarks: Remarks): string =>
  coverFrom(
    image.replaceAll(SITE, siteUrl),
    remarks,
    "not web addresses (--site-url gives the address of the old site)",
  );
