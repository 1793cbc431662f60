/** Reads the media library of an organization: the uploaded images, and which articles show them. */
import { and, eq, sql, type SQL } from "drizzle-orm";
import { FILE_VERSION, mediaPath, type NoSizes } from "../../domain/pictures.ts";
import { LIMITS } from "../../domain/limits.ts";
import { articles } from "../../schema/articles.ts";
import { isReachableArticle } from "../core/reach.ts";
import type { Writer } from "../core/writer.ts";
import {
  paginate,
  paginateById,
  toPage,
  type Page,
  type Paged,
  type PageQuery,
  type Versioned,
} from "../core/paging.ts";
import { defineResource, type RecordOf } from "../core/resource.ts";
import { joinAnd, jsonBoolean, orm, queryRows } from "../core/sql.ts";
import { isShown } from "../blogs/names.ts";
import { media, mediaUses } from "../../schema/media.ts";

/** The state of the smaller files of an upload. The list has their widths, or as its first entry why there are none. */
const SIZES = sql<"pending" | "made" | "none">`case when ${media.sizes} is null then 'pending'
  when typeof(${media.sizes} ->> 0) = 'integer' then 'made' else 'none' end`;
const NO_SIZES = sql<NoSizes | null>`case typeof(${media.sizes} ->> 0) when 'text' then ${media.sizes} ->> 0 end`;

/** Returns the resource of an upload. Its URLs begin with the origin of the service. */
export function defineMediaResource(writer: Writer, origin: string) {
  const url = sql`${origin + mediaPath("")} || ${media.id}`;
  return defineResource(
    {
      _id: media.id,
      blogId: sql<string | null>`nullif(${media.blogId}, '')`,
      url: sql<string>`${url}`,
      fileUrl: sql<string>`${url} || '?v=' || substr(${media.sha256}, 1, ${sql.raw(String(FILE_VERSION))})`,
      name: media.name,
      alt: media.alt,
      mediaType: media.mediaType,
      bytes: media.bytes,
      width: sql<number>`${media.width}`,
      height: sql<number>`${media.height}`,
      sizes: SIZES,
      sizesReason: NO_SIZES,
      blurHash: media.blurHash,
      articles: sql<number>`(select count(*) from (select distinct ${mediaUses.articleId} as "shown" from ${mediaUses}
        where ${mediaUses.mediaId} = ${media.id} limit ${sql.raw(String(LIMITS.mediaUsesCounted))})
        ${writer.pinnedBlogId === null ? sql`` : sql`where ${isWithinReach(writer)}`})`,
      creationTime: media.creationTime,
      lastEditTime: sql<string>`${media.lastEditTime}`,
    },
    media.version,
  );
}

const isWithinReach = (writer: Writer): SQL =>
  sql`exists (select 1 from ${articles} where ${articles.id} = "shown" and ${isReachableArticle(writer)})`;

export type MediaItem = RecordOf<ReturnType<typeof defineMediaResource>>;

/** Returns the condition that an upload is in the writer's library. A pinned writer has only that of its blog. */
export const isInLibrary = ({ organizationId, pinnedBlogId }: Writer): SQL =>
  joinAnd(
    sql`${media.organizationId} = ${organizationId}`,
    sql`${media.library} = 1`,
    isShown(media.blogId),
    pinnedBlogId !== null && sql`${media.blogId} = ${pinnedBlogId}`,
  );

export type MediaQuery = PageQuery & { readonly words: readonly string[] };

/** Returns a page, newest first, with all (lower-case) `words` in name or alt text. Throws `invalid_cursor`. */
export async function listMedia(writer: Writer, query: MediaQuery, origin: string): Promise<Page<MediaItem>> {
  const page = paginate(query, media.creationTime, media.id);
  const items = defineMediaResource(writer, origin);
  const found = await orm(writer.db)
    .select(items.fields)
    .from(media)
    .where(and(isInLibrary(writer), query.words.length > 0 ? areNamed(query.words) : undefined, page.from))
    .orderBy(...page.order)
    .limit(page.limit)
    .offset(page.offset);
  return toPage(query, found, items.toRecord);
}

/**
 * The condition that all words, given in lower case, are in name or alt text, in either case. Not `like`: D1 limits its
 * patterns to 50 bytes. SQLite's `lower` leaves letters beyond ASCII as they are, so capitals are searched for, too.
 */
function areNamed(words: readonly string[]): SQL {
  // With a limit, SQLite makes the text once per image, not for each use.
  const names = sql`(select lower(${media.name} || char(10) || ${media.alt}) as "names" limit 1)`;
  return sql`exists (select 1 from ${names} where ${joinAnd(...words.map(isNamed))})`;
}

function isNamed(word: string): SQL {
  const [first = ""] = word;
  const spellings = [word, word.toUpperCase(), first.toUpperCase() + word.slice(first.length)].map(lowerInAscii);
  const found = [...new Set(spellings)].map((spelled) => sql`instr("names", ${spelled}) > 0`);
  return sql`(${sql.join(found, sql` or `)})`;
}

const lowerInAscii = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Returns an upload that the writer may see, or null if there is none with this id. */
export const findMedia = (writer: Writer, id: string, origin: string): Promise<Versioned<MediaItem> | null> =>
  findOne(writer, sql`${media.id} = ${id}`, origin);

/** Returns the oldest upload that the writer may see with this file, or null if there is none. */
export const findMediaByHash = (writer: Writer, sha256: string, origin: string): Promise<Versioned<MediaItem> | null> =>
  findOne(writer, sql`${media.sha256} = ${sha256}`, origin);

async function findOne(writer: Writer, which: SQL, origin: string): Promise<Versioned<MediaItem> | null> {
  const items = defineMediaResource(writer, origin);
  const [row] = await orm(writer.db)
    .select(items.fields)
    .from(media)
    .where(and(which, isInLibrary(writer)))
    // With `+`, SQLite looks the image up instead of walking through the library in this order.
    .orderBy(sql`+${media.creationTime}`, media.id)
    .limit(1);
  return row === undefined ? null : items.toRecord(row);
}

/** An article that shows an upload, itself or in its working copy ("draft"). */
export type MediaUse = {
  readonly articleId: string;
  readonly blogId: string;
  readonly title: string;
  readonly slug: string;
  readonly locale: string;
  readonly published: boolean;
  readonly places: ("article" | "draft")[];
};

/** Returns a page of the articles that show an upload, newest first. Throws `invalid_cursor`. */
export async function listMediaUses(writer: Writer, id: string, query: PageQuery): Promise<Paged<MediaUse>> {
  const page = paginateById(query, mediaUses.articleId);
  const found = await queryRows<
    Omit<MediaUse, "published" | "places"> & { published: string; places: string; time: string }
  >(
    writer.db,
    sql`select ${articles.id} as "articleId", ${articles.blogId} as "blogId", ${articles.title}, ${articles.slug},
        ${articles.locale}, ${jsonBoolean(articles.published)} as "published",
        json_group_array(${mediaUses.place}) as "places", ${articles.creationTime} as "time"
      from ${mediaUses} join ${articles} on ${articles.id} = ${mediaUses.articleId}
      where ${joinAnd(eq(mediaUses.mediaId, id), isReachableArticle(writer), page.from)}
      group by ${mediaUses.articleId} order by ${mediaUses.articleId} desc limit ${page.limit} offset ${page.offset}`,
  );
  return toPage(
    query,
    found,
    ({ articleId, blogId, title, slug, locale, published, places }): MediaUse => ({
      articleId,
      blogId,
      title,
      slug,
      locale,
      published: published === "true",
      places: (JSON.parse(places) as MediaUse["places"]).sort(),
    }),
    ({ articleId, time }) => ({ time, id: articleId }),
  );
}
