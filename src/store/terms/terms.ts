/** Changes the tags and authors of a blog (contract 18.23). assigning.ts assigns them to articles. */
import { and, eq, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { blogTag } from "../../domain/cache-tags.ts";
import type { TermKind } from "../../domain/terms.ts";
import { LIMITS } from "../../domain/limits.ts";
import { isStale, type IfMatch } from "../../domain/preconditions.ts";
import { DomainError, invalidField } from "../../domain/errors.ts";
import type { EventKind } from "../../domain/events.ts";
import { newId } from "../../lib/ids.ts";
import { utf8Length } from "../../lib/text.ts";
import { pick } from "../../lib/pick.ts";
import { articles } from "../../schema/articles.ts";
import { blogs } from "../../schema/blogs.ts";
import { differsFrom, listChanged } from "../core/changed.ts";
import { addChanged, commit, insertEvent, makeLicense, type License, type NewEvent } from "../core/commit.ts";
import type { Writer } from "../core/writer.ts";
import type { Versioned } from "../core/paging.ts";
import { matchVersion } from "../core/preconditions.ts";
import { resolveTargetBlog } from "../core/reach.ts";
import { joinAnd, builder, insertWhere, jsonObject } from "../core/sql.ts";
import { requestPurges } from "../edge/purges.ts";
import { mergeInCopies, removeFromCopies, renameInCopies } from "./copies.ts";
import { growthFits, checkQuota, selectUsage } from "../core/quota.ts";
import { isOwnTerm, TERM, TERM_JSON, toTerm, type TermRecord } from "./reading.ts";
import { slugTerms, termArticles, terms } from "../../schema/terms.ts";

export type TermFields = { readonly slug: string; readonly name: string; readonly members: object };

/** Stores a tag or author. Throws `blog_required`, `blog_forbidden`, `slug_taken`, `term_limit`, `quota_exceeded`. */
export async function createTerm(
  writer: Writer,
  kind: TermKind,
  { blogId, slug, name, members }: TermFields & { readonly blogId: string | undefined },
): Promise<Versioned<TermRecord>> {
  const license = makeLicense(writer);
  const id = newId();
  const target = resolveTargetBlog(writer, blogId);
  const row = {
    id,
    organizationId: writer.organizationId,
    blogId: sql`${blogs.id}`,
    kind,
    slug,
    name,
    members: JSON.stringify(members),
    version: license.id,
    creationTime: license.time,
    lastEditTime: license.time,
  };
  const hasRoom = sql`(select count(*) from ${terms} where ${terms.blogId} = ${blogs.id} and ${terms.kind} = ${kind}) < ${LIMITS.terms}`;
  const bytes = countTermBytes(row.members);
  const fits = bytes > 0 && growthFits(writer, sql`${bytes}`);
  const outcome = await commit(writer, license, {
    action: `${kind}s.create`,
    resourceId: id,
    blogId: sql`${blogs.id}`,
    where: sql`from ${blogs} where ${joinAnd(target.is, hasRoom, fits, sql`not ${isTaken(kind, sql`${blogs.id}`, slug)}`)}`,
    change: ({ held }) => ({
      returning: insertWhere(terms, row, sql`from ${blogs} where ${joinAnd(target.is, held)}`).returning(TERM.fields),
      again: () => builder.select(TERM.fields).from(terms).where(eq(terms.id, id)),
    }),
    event: buildEvent(`${kind}.created`, id),
    answer: buildAnswer(id),
    diagnose: sql<Room>`select ${hasRoom} as "hasRoom", ${selectUsage(writer)} as "usage" from ${blogs} where ${target.is}`,
  });
  if (!outcome.refused) return toTerm(outcome.row);
  const found = target.requireOne(outcome.diagnosis);
  if (found.hasRoom === 0) throw new DomainError("term_limit");
  throw checkQuota(writer, found.usage, { articleBytes: bytes }) ?? makeSlugTakenError(kind);
}

/** Up to so many bytes, a term's members are free (migrations). */
const FREE_BYTES = 64;

function countTermBytes(members: string): number {
  const bytes = utf8Length(members);
  return bytes > FREE_BYTES ? bytes : 0;
}

/** Like {@link countTermBytes}, as an SQL expression. */
const selectCounted = (members: SQLWrapper): SQL =>
  sql`(select iif(n > ${FREE_BYTES}, n, 0) from (select octet_length(${members}) as n))`;

type Room = { readonly hasRoom: number; readonly usage: string };

/**
 * Changes a tag or author and returns it. Articles show the change at once, and the edge's copies of them are purged.
 * Throws `not_found`, `precondition_failed`, `slug_taken` and `quota_exceeded`.
 */
export async function updateTerm(
  writer: Writer,
  kind: TermKind,
  change: {
    readonly id: string;
    readonly fields: {
      readonly slug?: string | undefined;
      readonly name?: string | undefined;
      readonly members: object;
    };
    readonly ifMatch: IfMatch | undefined;
  },
): Promise<Versioned<TermRecord>> {
  const license = makeLicense(writer);
  const { slug, name, members } = change.fields;
  const target = isOwnTerm(writer, kind, change.id);
  const free = slug === undefined ? undefined : sql`not ${isTaken(kind, sql`${terms.blogId}`, slug, change.id)}`;
  const isIt = eq(terms.id, change.id);
  const growth = computeGrowth(members);
  const outcome = await commit(writer, license, {
    action: `${kind}s.update`,
    resourceId: change.id,
    blogId: sql`${terms.blogId}`,
    where: sql`from ${terms} where ${joinAnd(target, free, growthFits(writer, growth), ...matchVersion(terms.version, change.ifMatch))}`,
    change: ({ held }) => ({
      before: renameInCopies(kind, change.id, { slug, name }, license),
      returning: builder
        .update(terms)
        .set({ slug, name, members: mergeMembers(members), version: license.id, lastEditTime: license.time })
        .where(and(isIt, held))
        .returning(TERM.fields),
      again: () => builder.select(TERM.fields).from(terms).where(isIt),
      after: [requestPurge(change.id, license, 0)],
    }),
    changed: listChanged({
      slug: differsFrom(terms.slug, slug),
      name: differsFrom(terms.name, name),
      ...Object.fromEntries(Object.entries(members).map(([member, value]) => [member, memberDiffers(member, value)])),
    }),
    event: buildEvent(`${kind}.updated`, change.id),
    answer: buildAnswer(change.id),
    diagnose: sql<Grown>`select ${terms.version} as "rowVersion", ${growth} as "growth", ${selectUsage(writer)} as "usage"
      from ${terms} where ${target}`,
  });
  if (!outcome.refused) return toTerm(outcome.row);
  const [found] = outcome.diagnosis;
  const isFull = found && checkQuota(writer, found.usage, { articleBytes: found.growth });
  throw explainRefusal(kind, found, change.ifMatch) ?? isFull ?? makeSlugTakenError(kind);
}

/** Returns by how many counted bytes a change makes a tag or author longer, as an SQL expression on its row. */
const computeGrowth = (members: object): SQL =>
  Object.keys(members).length === 0
    ? sql`0`
    : sql`(${selectCounted(mergeMembers(members))} - ${selectCounted(terms.members)})`;

type Grown = { readonly rowVersion: string; readonly growth: number; readonly usage: string };

/** Deletes a tag or author, and removes it from all articles. Throws `not_found` and `precondition_failed`. */
export async function deleteTerm(
  writer: Writer,
  kind: TermKind,
  { id, ifMatch }: { readonly id: string; readonly ifMatch: IfMatch | undefined },
): Promise<void> {
  const license = makeLicense(writer);
  const target = isOwnTerm(writer, kind, id);
  const outcome = await commit(writer, license, {
    action: `${kind}s.delete`,
    resourceId: id,
    blogId: sql`${terms.blogId}`,
    where: sql`from ${terms} where ${joinAnd(target, ...matchVersion(terms.version, ifMatch))}`,
    change: () => [removeFromCopies(kind, id, license), ...removeTerm(kind, id, license)],
    event: buildEvent(`${kind}.deleted`, id),
    eventFirst: true,
    answer: sql`json_object('value', json_object('_id', ${id}))`,
    diagnose: sql<{ rowVersion: string }>`select ${terms.version} as "rowVersion" from ${terms} where ${target}`,
  });
  if (outcome.refused) throw explainRefusal(kind, outcome.diagnosis[0], ifMatch) ?? new DomainError("not_found");
}

/** An alias, such as for the term into which another is merged. */
const into = alias(terms, "into_term");

/**
 * Replaces a tag or author by another one of the same blog in all articles, deletes it, and returns the other. Throws
 * `not_found`, `precondition_failed`, and an error on `into` if the blog has no such other term.
 */
export async function mergeTerm(
  writer: Writer,
  kind: TermKind,
  asked: { readonly id: string; readonly into: string; readonly ifMatch: IfMatch | undefined },
): Promise<Versioned<TermRecord>> {
  const license = makeLicense(writer);
  const target = isOwnTerm(writer, kind, asked.id);
  const isOther = sql`exists (select 1 from ${terms} ${into} where ${into.id} = ${asked.into} and ${into.id} <> ${terms.id}
    and ${into.blogId} = ${terms.blogId} and ${into.kind} = ${kind})`;
  const stored = builder.select(TERM.fields).from(terms).where(eq(terms.id, asked.into));
  const outcome = await commit(writer, license, {
    action: `${kind}s.merge`,
    resourceId: asked.id,
    blogId: sql`${terms.blogId}`,
    where: sql`from ${terms} where ${joinAnd(target, isOther, ...matchVersion(terms.version, asked.ifMatch))}`,
    change: ({ held }) => ({
      before: [
        insertWhere(
          slugTerms,
          { ...pick(slugTerms, ["blogId", "slug", "kind", "position"]), termId: asked.into },
          sql`from ${slugTerms} where ${PLACES} in (${selectPlaces(kind, asked.id)}) and ${held}`,
        ).onConflictDoNothing(),
        mergeInCopies(kind, asked.id, asked.into, license),
        ...removeTerm(kind, asked.id, license),
      ],
      returning: stored,
      again: () => stored,
      after: [tellOfMerge(kind, asked.into, license)],
    }),
    event: buildEvent(`${kind}.deleted`, asked.id),
    eventFirst: true,
    answer: buildAnswer(asked.into),
    diagnose: sql<{
      rowVersion: string;
      isOther: number;
    }>`select ${terms.version} as "rowVersion", ${isOther} as "isOther" from ${terms} where ${target}`,
  });
  if (!outcome.refused) return toTerm(outcome.row);
  throw (
    explainRefusal(kind, outcome.diagnosis[0], asked.ifMatch) ??
    invalidField("into", `must be another ${kind} in the same blog`)
  );
}

const PLACES = sql`(${slugTerms.blogId}, ${slugTerms.slug}, ${slugTerms.kind}, ${slugTerms.termId})`;

/** Returns a query of the keys of a term in `slug_terms`, one for each slug of its articles. */
const selectPlaces = (kind: TermKind, id: string): SQL =>
  sql`select distinct ${articles.blogId}, ${articles.slug}, ${kind}, ${id} from ${termArticles} cross join ${articles}
    where ${termArticles.termId} = ${id} and ${articles.id} = ${termArticles.articleId}`;

/** Deletes a term everywhere. Its row goes first, or triggers count down in it for thousands of articles. */
const removeTerm = (kind: TermKind, id: string, license: License): SQL[] => [
  requestPurge(id, license, 1),
  sql`delete from ${terms} where ${terms.id} = ${id} and ${license.held}`,
  sql`delete from ${slugTerms} where ${PLACES} in (${selectPlaces(kind, id)}) and ${license.held}`,
];

/** Requests a purge of the blog's pages, because its articles show the term's name. */
const requestPurge = (id: string, { held, time }: License, urgent: 0 | 1): SQL =>
  requestPurges(
    sql`select ${blogTag("")} || ${terms.blogId} as tag, ${terms.organizationId} as organization_id, ${urgent} as urgent
      from ${terms} where ${terms.id} = ${id} and ${held}`,
    time,
  );

const buildEvent = (kind: EventKind, id: string): NewEvent => ({
  kind,
  blogId: sql`${terms.blogId}`,
  data: TERM_JSON,
  from: sql`from ${terms} where ${terms.id} = ${id}`,
});

/** Returns the statement that stores the event of a tag or author that has got the articles of another one. */
function tellOfMerge(kind: TermKind, id: string, { time, held }: License): SQL {
  const { from, data, ...event } = buildEvent(`${kind}.updated`, id);
  const changed = addChanged(data, sql`'["articles","publishedArticles"]'`);
  const stored = { ...event, id: newId(), organizationId: terms.organizationId, data: changed, time };
  return insertEvent(stored, sql`${from} and ${held}`);
}

/** Returns the condition that a member of a tag or author differs from a new value. */
const memberDiffers = (member: string, value: unknown): SQL =>
  sql`${terms.members} -> ${`$.${member}`} is not json(${JSON.stringify(value)})`;

function mergeMembers(members: object): SQL {
  const parts = Object.entries(members).map(
    ([name, value]) => sql`${`$.${name}`}, ${typeof value === "string" ? value : sql`json(${JSON.stringify(value)})`}`,
  );
  return parts.length === 0 ? sql`${terms.members}` : sql`json_set(${terms.members}, ${sql.join(parts, sql`, `)})`;
}

const buildAnswer = (id: string): SQL =>
  sql`(select ${jsonObject({
    value: TERM_JSON,
    version: sql`${terms.version}`,
  })} from ${terms} where ${terms.id} = ${id})`;

const isTaken = (kind: TermKind, blogId: SQL, slug: string, except = ""): SQL =>
  sql`exists (select 1 from ${terms} ${into} where ${into.blogId} = ${blogId} and ${into.kind} = ${kind}
    and ${into.slug} = ${slug} and ${into.id} <> ${except})`;

const makeSlugTakenError = (kind: TermKind): DomainError =>
  new DomainError("slug_taken", `Another ${kind} in the blog has this slug.`, { worded: true });

function explainRefusal(
  kind: TermKind,
  found: { readonly rowVersion: string } | undefined,
  ifMatch: IfMatch | undefined,
): DomainError | null {
  if (found === undefined) return new DomainError("not_found", `There is no such ${kind}.`);
  return isStale(ifMatch, found.rowVersion) ? new DomainError("precondition_failed") : null;
}
