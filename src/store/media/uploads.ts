/**
 * Writes the media library of an organization. A file is recorded, then put into R2, then becomes an
 * item here. If a step fails, the sweep finds the row and deletes it with its file.
 */
import { and, eq, isNull, sql, type SQL } from "drizzle-orm";
import { mediaTag } from "../../domain/cache-tags.ts";
import type { MediaType, NoSizes } from "../../domain/pictures.ts";
import { isStale, type IfMatch } from "../../domain/preconditions.ts";
import { DomainError } from "../../domain/errors.ts";
import type { EventKind } from "../../domain/events.ts";
import { articles } from "../../schema/articles.ts";
import { isShown } from "../blogs/names.ts";
import { isReachableArticle } from "../core/reach.ts";
import { differsFrom, listChanged } from "../core/changed.ts";
import { commit, makeLicense, type License, type NewEvent } from "../core/commit.ts";
import type { Writer } from "../core/writer.ts";
import type { Versioned } from "../core/paging.ts";
import { matchVersion } from "../core/preconditions.ts";
import { mediaFits, pictureFits, checkQuota, selectUsage } from "../core/quota.ts";
import {
  joinAnd,
  builder,
  jsonObject,
  orm,
  type Statement,
  queryFirstRow,
  insertWhere,
  runTransaction,
} from "../core/sql.ts";
import { requestPurges } from "../edge/purges.ts";
import { isInLibrary, defineMediaResource, type MediaItem } from "./library.ts";
import { media, mediaUses } from "../../schema/media.ts";
import { storeReliably } from "../core/lost-answers.ts";

/** The creation time of files that the next sweep may delete. */
const LONG_AGO = "1970-01-01T00:00:00.000Z";

/** What is stored of an image besides its file. */
export type StoredPicture = {
  readonly mediaType: MediaType;
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
  readonly sha256: string;
  /** Why it will have no smaller files, as far as that is known. */
  readonly sizes: readonly [NoSizes] | null;
};

export type NewMedia = {
  readonly id: string;
  readonly name: string;
  readonly alt: string;
  readonly picture: StoredPicture;
};

const isReserved = ({ organizationId }: Writer, id: string): SQL =>
  joinAnd(
    eq(media.id, id),
    eq(media.organizationId, organizationId),
    sql`${media.library} = 0`,
    sql`${media.articleId} is null`,
  );

/** The condition that another item that the writer may see has this file. */
const hasTwin = ({ organizationId, pinnedBlogId }: Writer, sha256: string): SQL =>
  sql`exists (select 1 from ${media} twin where twin.organization_id = ${organizationId} and twin.library = 1
    and twin.sha256 = ${sha256}
    and ${pinnedBlogId === null ? isShown(sql`twin.blog_id`) : sql`twin.blog_id = ${pinnedBlogId}`})`;

/**
 * Turns a reservation, whose file is in R2, into an item of the library. Returns null if an item has the same file by
 * now. Throws `media_limit`, and `not_ready` if the sweep has deleted the file because the request took too long.
 */
export async function addMedia(
  writer: Writer,
  { id, name, alt, picture }: NewMedia,
  origin: string,
): Promise<Versioned<MediaItem> | null> {
  const license = makeLicense(writer);
  const items = defineMediaResource(writer, origin);
  const twin = hasTwin(writer, picture.sha256);
  const outcome = await commit(writer, license, {
    action: "media.create",
    resourceId: id,
    blogId: writer.pinnedBlogId,
    where: sql`from ${media} where ${joinAnd(isReserved(writer, id), sql`not ${twin}`, pictureFits(writer))}`,
    change: ({ held, time }) => ({
      returning: builder
        .update(media)
        .set({
          library: 1,
          blogId: writer.pinnedBlogId ?? "",
          name,
          alt,
          ...picture,
          version: license.id,
          creationTime: time,
          lastEditTime: time,
        })
        .where(and(eq(media.id, id), held))
        .returning(items.fields),
      again: () => builder.select(items.fields).from(media).where(eq(media.id, id)),
    }),
    event: buildEvent("media.created", items, id),
    answer: buildAnswer(items, id),
    diagnose: sql<{ twin: number }>`select ${twin} as "twin" from ${media} where ${isReserved(writer, id)}`,
  });
  if (!outcome.refused) return items.toRecord(outcome.row);
  const [found] = outcome.diagnosis;
  if (found === undefined) throw new DomainError("not_ready", "The upload took too long. Send it again.");
  if (found.twin === 1) return null;
  throw new DomainError("media_limit");
}

/** Gives up a reservation: its bytes are free at once, and the sweep deletes its file. */
export async function releaseMedia(writer: Writer, id: string): Promise<void> {
  await orm(writer.db)
    .update(media)
    .set({ bytes: 0, creationTime: LONG_AGO })
    .where(
      and(
        eq(media.id, id),
        eq(media.organizationId, writer.organizationId),
        eq(media.library, 0),
        isNull(media.articleId),
      ),
    );
}

/** The item to change, which must have one of the versions of the `If-Match`. */
export type MediaTarget = { readonly id: string; readonly ifMatch: IfMatch | undefined };

/** Changes name or alt text, and returns the item. Throws `not_found` and `precondition_failed`. */
export async function updateMedia(
  writer: Writer,
  target: MediaTarget & { readonly name: string | undefined; readonly alt: string | undefined },
  origin: string,
): Promise<Versioned<MediaItem>> {
  const { name, alt } = target;
  return changeItem(writer, target, origin, {
    action: "media.update",
    changed: { name: differsFrom(media.name, name), alt: differsFrom(media.alt, alt) },
    values: { name, alt },
  });
}

/**
 * Gives an item the file of a reservation, and returns the item. The reservation counted only the additional bytes. It
 * takes over the old file, which the sweep then deletes. Throws `not_found`, `precondition_failed`, `media_exists` if
 * another item has this file, and `not_ready` if another change came in between, such as a replacement by a smaller
 * file.
 */
export async function replaceMedia(
  writer: Writer,
  target: MediaTarget & { readonly fileId: string; readonly picture: StoredPicture },
  origin: string,
): Promise<Versioned<MediaItem>> {
  const { id, fileId, picture } = target;
  const items = defineMediaResource(writer, origin);
  const twin = hasTwin(writer, picture.sha256);
  const more = sql`${picture.bytes} - ${media.bytes}`;
  const counted = sql`(select reserved.bytes from ${media} reserved where reserved.id = ${fileId}
    and reserved.organization_id = ${writer.organizationId} and reserved.library = 0 and reserved.article_id is null)`;
  return changeItem(writer, target, origin, {
    action: "media.replace",
    condition: joinAnd(
      sql`not ${twin}`,
      sql`${counted} is not null`,
      sql`(${more} <= ${counted} or ${mediaFits(writer, sql`${more} - ${counted}`)})`,
    ),
    twin,
    changed: {
      fileUrl: differsFrom(media.sha256, picture.sha256),
      mediaType: differsFrom(media.mediaType, picture.mediaType),
      bytes: differsFrom(media.bytes, picture.bytes),
      width: differsFrom(media.width, picture.width),
      height: differsFrom(media.height, picture.height),
      sizes: sql`${items.members.sizes} <> ${picture.sizes === null ? "pending" : "none"}`,
      sizesReason: sql`${items.members.sizesReason} is not ${picture.sizes?.[0] ?? null}`,
      blurHash: differsFrom(media.blurHash, null),
    },
    values: { ...picture, fileId, blurHash: null, sizeTries: 0 },
    before: ({ held }) => [
      builder
        .update(media)
        .set({
          fileId: sql`(select coalesce(item.file_id, item.id) from ${media} item where item.id = ${id})`,
          bytes: 0,
          creationTime: LONG_AGO,
        })
        .where(and(isReserved(writer, fileId), held)),
    ],
    after: (license) => [requestPurge(writer, id, license)],
  });
}

type Values = Partial<Omit<typeof media.$inferInsert, "name" | "alt">> & {
  name?: string | undefined;
  alt?: string | undefined;
};

/** `condition` must also hold; `twin` is the condition that another item has the file. */
async function changeItem(
  writer: Writer,
  { id, ifMatch }: MediaTarget,
  origin: string,
  what: {
    readonly action: string;
    readonly condition?: SQL;
    readonly twin?: SQL;
    readonly changed: Parameters<typeof listChanged>[0];
    readonly values: Values;
    readonly before?: (license: License) => readonly Statement[];
    readonly after?: (license: License) => SQL[];
  },
): Promise<Versioned<MediaItem>> {
  const license = makeLicense(writer);
  const items = defineMediaResource(writer, origin);
  const target = joinAnd(eq(media.id, id), isInLibrary(writer));
  const outcome = await commit(writer, license, {
    action: what.action,
    resourceId: id,
    blogId: sql`nullif(${media.blogId}, '')`,
    where: sql`from ${media} where ${joinAnd(target, what.condition, ...matchVersion(media.version, ifMatch))}`,
    change: ({ held, time }) => ({
      before: what.before?.(license) ?? [],
      returning: builder
        .update(media)
        .set({ ...what.values, version: license.id, lastEditTime: time })
        .where(and(eq(media.id, id), held))
        .returning(items.fields),
      again: () => builder.select(items.fields).from(media).where(eq(media.id, id)),
      after: what.after?.(license) ?? [],
    }),
    changed: listChanged(what.changed),
    event: buildEvent("media.updated", items, id),
    answer: buildAnswer(items, id),
    diagnose: sql<Found & { twin: number }>`select ${media.version} as "rowVersion", ${what.twin ?? sql`0`} as "twin"
      from ${media} where ${target}`,
  });
  if (!outcome.refused) return items.toRecord(outcome.row);
  const [found] = outcome.diagnosis;
  if (found?.twin === 1) throw explainRefusal(found, ifMatch) ?? new DomainError("media_exists");
  throw (
    explainRefusal(found, ifMatch) ?? new DomainError("not_ready", "The image was changed just now. Send it again.")
  );
}

/**
 * Deletes an item: it is gone at once, and its bytes are free; the sweep deletes its file. Throws `not_found`,
 * `precondition_failed`, and without `force` `media_in_use` if articles show it.
 */
export async function deleteMedia(
  writer: Writer,
  { id, force, ifMatch }: MediaTarget & { readonly force: boolean },
  origin: string,
): Promise<void> {
  const license = makeLicense(writer);
  const target = joinAnd(eq(media.id, id), isInLibrary(writer));
  const used = sql`exists (select 1 from ${mediaUses} where ${mediaUses.mediaId} = ${media.id})`;
  const outcome = await commit(writer, license, {
    action: "media.delete",
    resourceId: id,
    blogId: sql`nullif(${media.blogId}, '')`,
    where: sql`from ${media} where ${joinAnd(target, !force && sql`not ${used}`, ...matchVersion(media.version, ifMatch))}`,
    change: ({ held }) => [
      requestPurge(writer, id, license),
      // Its uses are deleted with the row, by the sweep.
      builder
        .update(media)
        .set({ library: 0, bytes: 0, creationTime: LONG_AGO })
        .where(and(eq(media.id, id), held)),
    ],
    event: buildEvent("media.deleted", defineMediaResource(writer, origin), id),
    eventFirst: true,
    answer: sql`json_object('value', json_object('_id', ${id}))`,
    diagnose: sql<Found & { titles: string; uses: number }>`select ${media.version} as "rowVersion",
      (select count(distinct ${mediaUses.articleId}) from ${mediaUses} where ${mediaUses.mediaId} = ${media.id}) as "uses",
      (select json_group_array(title) from (select ${articles.title} as title from ${mediaUses}
        join ${articles} on ${articles.id} = ${mediaUses.articleId}
        where ${mediaUses.mediaId} = ${media.id} and ${isReachableArticle(writer)}
        group by ${mediaUses.articleId} order by ${mediaUses.articleId} desc limit ${NAMED})) as "titles"
      from ${media} where ${target}`,
  });
  if (!outcome.refused) return;
  const [found] = outcome.diagnosis;
  throw explainRefusal(found, ifMatch) ?? new DomainError("media_in_use", found && describeUses(found));
}

const NAMED = 5;

function describeUses({ titles, uses }: { readonly titles: string; readonly uses: number }): string {
  const named = (JSON.parse(titles) as string[]).map((title) => `"${title}"`);
  const others = uses - named.length;
  if (named.length === 0)
    return `${uses} ${uses === 1 ? "article shows" : "articles show"} it, but you cannot access them.`;
  return `It is shown by ${named.join(", ")}${others > 0 ? ` and ${others} more` : ""}.`;
}

type Found = { readonly rowVersion: string };

function explainRefusal(found: Found | undefined, ifMatch: IfMatch | undefined): DomainError | null {
  if (found === undefined) return new DomainError("not_found", "There is no such image.");
  return isStale(ifMatch, found.rowVersion) ? new DomainError("precondition_failed") : null;
}

/** Composed anew each time, because the URLs in it are parameters. */
const buildAnswer = ({ members }: ReturnType<typeof defineMediaResource>, id: string): SQL =>
  sql`(select ${jsonObject({ value: jsonObject(members), version: sql`${media.version}` })} from ${media} where ${media.id} = ${id})`;

const buildEvent = (kind: EventKind, { members }: ReturnType<typeof defineMediaResource>, id: string): NewEvent => ({
  kind,
  blogId: sql`nullif(${media.blogId}, '')`,
  data: jsonObject(members),
  from: sql`from ${media} where ${media.id} = ${id}`,
});

const requestPurge = ({ organizationId }: Writer, id: string, { held, time }: License): SQL =>
  requestPurges(
    sql`select ${mediaTag(id)} as tag, ${organizationId} as organization_id, 1 as urgent where ${held}`,
    time,
  );

export type NewFile = Pick<typeof media.$inferSelect, "id" | "mediaType" | "bytes">;

/**
 * Records a file before it is written to R2, so that no file is ever unknown to the database. If no article takes the
 * file, the sweep deletes it. `bytes` is what it adds to the organization's usage. Throws `quota_exceeded` if the quota
 * has no room for them.
 */
export async function reserveMedia(writer: Writer, file: NewFile): Promise<void> {
  const { db, organizationId } = writer;
  const row = { ...file, organizationId, creationTime: writer.now().toISOString() };
  // Only what adds bytes is refused. If the row exists, an earlier attempt was stored and its response lost.
  const fits = sql`where ${file.bytes} = 0 or ${mediaFits(writer, file.bytes)}
    or exists (select 1 from ${media} known where known.id = ${file.id})`;
  const statements = {
    inserted: insertWhere(media, row, fits)
      .onConflictDoUpdate({ target: media.id, set: { bytes: file.bytes } })
      .returning({ id: media.id }),
    usage: sql<{ usage: string }>`select ${selectUsage(writer)} as "usage"`,
  };
  const { inserted, usage } = await storeReliably(() => runTransaction(db, statements));
  if (inserted.length === 0) throw makeQuotaError(writer, usage[0]?.usage ?? "{}", file.bytes);
}

/** Throws `quota_exceeded` if there is no room for any file, so that nobody pays for an image that cannot be kept. */
export async function requireMediaRoom(writer: Writer): Promise<void> {
  const row = await queryFirstRow<{ usage: string }>(
    writer.db,
    sql`select ${selectUsage(writer)} as "usage" where not ${mediaFits(writer, 1)}`,
  );
  if (row !== null) throw makeQuotaError(writer, row.usage, 1);
}

const makeQuotaError = (writer: Writer, usage: string, mediaBytes: number): DomainError =>
  checkQuota(writer, usage, { mediaBytes }) ?? new DomainError("quota_exceeded");
