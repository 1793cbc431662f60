/** The first pass through an export of Ghost: collects the rows of its tables that matter to posts. */
import * as z from "zod";
import { canonicalizeLocale } from "../../src/domain/locale.ts";
import { parseDate } from "../../src/lib/dates.ts";
import { toIso } from "../../src/lib/time.ts";
import { toValidSlug } from "./article.ts";
import { UNCHOSEN } from "./choices.ts";
import { renameDuplicates, type Post as ImportedPost } from "./duplicates.ts";
import { htmlToLine } from "./html.ts";
import { escapeHtml } from "./html-nodes.ts";
import { readElements } from "./json-stream.ts";
import { OldSite } from "./old-site.ts";
import type { Remarks } from "./remarks.ts";
import { toNaturalKey, makeKeys, type Bytes, type Wishes } from "./source.ts";

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");

/** A text, or milliseconds since 1970 in exports before version 1 and files of other programs. */
const time = z
  .union([text, z.number()])
  .transform((value) => (typeof value === "number" ? (toIso(new Date(value)) ?? String(value)) : value));

const flag = z.union([z.boolean(), z.number()]).nullish().transform(Boolean);

/** Metadata of a post: in its own table, and before version 3 in the row of the post. */
const metaFields = {
  meta_title: text,
  meta_description: text,
  og_image: text,
  og_title: text,
  og_description: text,
  twitter_image: text,
  twitter_title: text,
  twitter_description: text,
  feature_image_alt: text,
  feature_image_caption: text,
  email_only: flag,
};

const id = z.union([z.string(), z.number()]).transform(String);

const post = z.object({
  ...metaFields,
  id: z.union([text, z.number()]).transform(String),
  title: text,
  slug: text,
  html: text,
  lexical: text,
  mobiledoc: text,
  feature_image: text,
  /** Names before version 1, and the only author before version 1.22. */
  image: text,
  markdown: text,
  author_id: id.nullish(),
  custom_excerpt: text,
  published_at: time,
  canonical_url: text,
  locale: text,
  type: text,
  status: text,
  visibility: text,
  featured: flag,
  codeinjection_head: text,
  codeinjection_foot: text,
  /** 1 for a page, before version 3. */
  page: flag,
});
export type Post = z.infer<typeof post>;

const postMeta = z.object({ post_id: id, ...metaFields });
const named = z.object({ id, name: text, visibility: text });
const described = z.object({ bio: text, profile_image: text, description: text, feature_image: text });
const postTag = z.object({ post_id: id, tag_id: id, sort_order: z.number().nullish() });
const postAuthor = z.object({ post_id: id, author_id: id, sort_order: z.number().nullish() });

/** The path of a table in the JSON. Ghost's exports have `db`; its documentation allows to leave it out. */
const TABLE = /^(?:db\.)?data\.(\w+)$/;
export const toTableName = (way: string): string => TABLE.exec(way)?.[1] ?? "";

export type Meta = Omit<z.infer<typeof postMeta>, "post_id">;

/** What other tables say about posts. They follow the posts in the file, so they are collected first. */
export type Tables = {
  readonly meta: Map<string, Meta>;
  /** Names by id. Those of internal tags begin with #. */
  readonly tags: Map<string, string>;
  readonly users: Map<string, string>;
  readonly tagsByPost: Map<string, Placed[]>;
  readonly authorsByPost: Map<string, Placed[]>;
};

export type Placed = { readonly id: string; readonly place: number };

/** Returns whether the next import could not recognize a post. */
const isNameless = ({ id, slug, title }: Post): boolean => id === "" && slug === "" && title === "";

export const isPage = ({ type, page }: Post): boolean => type === "page" || page;

/** A row of the posts; `row` is undefined if it is malformed. `isLeft`: it is a page, and pages are not wanted. */
export type Identified = {
  readonly key: string;
  readonly name: string;
  readonly isLeft?: boolean;
  readonly row?: Post;
};

export function makeIdentifier({ pages }: Wishes): (value: unknown) => Identified {
  const { makeKey } = makeKeys();
  let position = 0;
  return (value) => {
    position++;
    const { success, data } = post.safeParse(value);
    if (!success || isNameless(data)) return { key: makeKey(`posts-${position}`), name: `post number ${position}` };
    const kind = isPage(data) ? "page" : "post";
    const name = `${kind} ${data.id || data.slug || `number ${position}`} (${data.title.slice(0, 60)})`;
    if (kind === "page" && !pages) return { key: "", name, isLeft: true, row: data };
    return { key: makeKey(toNaturalKey("post", data)), name, row: data };
  };
}

const TABLES_LEFT_OUT: Readonly<Record<string, string>> = {
  members: "members left out",
  newsletters: "newsletters left out",
};

export type Survey = {
  /** The imported posts by their keys; null for a malformed row. */
  readonly posts: Map<string, Place | null>;
  readonly tables: Tables;
  readonly site: OldSite;
  readonly wishes: Wishes;
  readonly settings: Settings;
};

export type Place = ImportedPost & {
  readonly row: Pick<Post, "slug" | "published_at" | "status" | "visibility">;
};

type Settings = { permalinks: string; timezone: string; isPrivate: boolean };

export async function surveyGhost(file: Bytes, wishes: Wishes, remarks: Remarks): Promise<Survey> {
  const tables: Tables = {
    meta: new Map(),
    tags: new Map(),
    users: new Map(),
    tagsByPost: new Map(),
    authorsByPost: new Map(),
  };
  const settings = { permalinks: "", timezone: "UTC", isPrivate: false };
  const survey: Survey = { posts: new Map(), tables, site: new OldSite(), wishes, settings };
  const identify = makeIdentifier(wishes);
  const left: string[] = [];
  for await (const { path, value } of readElements(file, (way) => TABLE.test(way))) {
    const table = path.at(-1) ?? "";
    if (table === "posts") surveyPost(identify(value), survey, left, remarks);
    else if (Object.hasOwn(READERS, table)) READERS[table]?.(value, tables);
    else if (Object.hasOwn(TABLES_LEFT_OUT, table)) remarks.count(TABLES_LEFT_OUT[table] ?? "");
    else if (table === "settings") surveySetting(value, settings);
    if (table === "users" || table === "tags") {
      const said = Object.values(described.safeParse(value).data ?? {});
      if (said.some((each) => each !== ""))
        remarks.count(`texts and pictures of ${table === "users" ? "authors" : "tags"} left out`);
    }
  }
  settle(survey, remarks);
  for (const slug of left) survey.site.addPlace(`/${slug}/`, { left: "pages" });
  return survey;
}

function surveyPost({ key, name, row, isLeft }: Identified, survey: Survey, left: string[], remarks: Remarks): void {
  if (isLeft) {
    remarks.forArticle(name).add(UNCHOSEN.pages);
    left.push(row?.slug ?? "");
  } else survey.posts.set(key, row === undefined ? null : toPlace(name, row, survey.wishes));
}

const toPlace = (name: string, row: Post, wishes: Wishes): Place => ({
  name,
  slug: toValidSlug(row.slug || htmlToLine(escapeHtml(row.title)) || `post-${row.id}`),
  locale: findLocale(row, wishes) ?? "",
  redirects: [],
  row: { slug: row.slug, published_at: row.published_at, status: row.status, visibility: row.visibility },
});

export const findLocale = ({ locale }: Post, wishes: Wishes): string | null =>
  locale === "" ? wishes.locale : canonicalizeLocale(locale.replaceAll("_", "-"));

function surveySetting(value: unknown, settings: Settings): void {
  const { key, value: said } = setting.safeParse(value).data ?? { key: "", value: "" };
  if (key === "permalinks") settings.permalinks = said;
  if (key === "timezone" || key === "active_timezone" || key === "activeTimezone") settings.timezone = said;
  if (key === "is_private") settings.isPrivate = said === "true";
}

const setting = z.object({ key: text, value: z.union([text, z.boolean()]).transform(String) });

function settle({ posts, site, wishes, settings }: Survey, remarks: Remarks): void {
  const places = [...posts.values()].filter((place) => place !== null);
  if (wishes.renameDuplicates === true) renameDuplicates(places, remarks);
  site.addAddress(wishes.siteUrl);
  for (const place of places) {
    const { slug, status, visibility, published_at: time } = place.row;
    const isPublic = status === "published" && (visibility || "public") === "public";
    const addresses = [makeDatedAddress(slug, time, settings), `/${slug}/`].filter(
      (address) => !/^\/?\/$/.test(address),
    );
    for (const address of addresses) site.addPlace(address, { slug: place.slug, isPublic });
    place.redirects = addresses.flatMap((address) => site.listRedirects(address, place.slug));
  }
}

/** Returns the address of a post in the form that the settings had before version 2; "/" if they have none. */
function makeDatedAddress(slug: string, time: string, { permalinks, timezone }: Settings): string {
  const milliseconds = parseDate(time);
  if (!permalinks.includes(":slug") || milliseconds === undefined) return "/";
  const [year = "", month = "", day = ""] = formatDay(milliseconds, timezone).split("-");
  const address = permalinks
    .replace(":slug", slug)
    .replace(":year", year)
    .replace(":month", month)
    .replace(":day", day);
  return address.includes(":") ? "/" : address;
}

function formatDay(milliseconds: number, timeZone: string): string {
  try {
    return new Intl.DateTimeFormat("en-CA", { timeZone }).format(milliseconds);
  } catch {
    return new Date(milliseconds).toISOString().slice(0, 10);
  }
}

type ReadRow = (value: unknown, tables: Tables) => void;

/** Returns a function that reads the rows of a table. It skips malformed ones. */
const makeRowReader =
  <Row>(table: z.ZodType<Row>, read: (row: Row, tables: Tables) => void): ReadRow =>
  (value, tables) => {
    const { data, success } = table.safeParse(value);
    if (success) read(data, tables);
  };

const READERS: Readonly<Record<string, ReadRow>> = {
  posts_meta: makeRowReader(postMeta, (row, { meta }) => meta.set(row.post_id, row)),
  tags: makeRowReader(named, ({ id, name, visibility }, { tags }) =>
    tags.set(id, visibility === "internal" ? name.replace(/^#?/, "#") : name),
  ),
  users: makeRowReader(named, ({ id, name }, { users }) => users.set(id, name)),
  posts_tags: makeRowReader(postTag, (row, { tagsByPost }) => place(tagsByPost, row, row.tag_id)),
  posts_authors: makeRowReader(postAuthor, (row, { authorsByPost }) => place(authorsByPost, row, row.author_id)),
};

/** Maximum tags and authors that are kept of a post. An import takes fewer. */
const MOST_PLACED = 100;

function place(
  byPost: Map<string, Placed[]>,
  { post_id: postId, sort_order: order }: Pick<z.infer<typeof postTag>, "post_id" | "sort_order">,
  id: string,
): void {
  const others = byPost.get(postId) ?? [];
  if (others.length < MOST_PLACED) byPost.set(postId, [...others, { id, place: order ?? 0 }]);
}
