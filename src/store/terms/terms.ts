/** Changes the tags and authors of a blog (contract 18.23). assigning.ts assigns them to articles. */
import { and, eq, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { blogTag } from "../../domain/cache-tags.ts";
import type { TermKind } from "../../domain/terms.ts";
import { LIMITS } from "../../domain/limits.ts";
import { isStale, type IfMatch } from "../../domain/preconditions.ts";
import { DomainError, invalidField } from "../../domain/errors.ts";
import { newId } from "../../lib/ids.ts";
import { utf8Length } from "../../lib/text.ts";
import { pick } from "../../lib/pick.ts";
import { articles } from "../../schema/articles.ts";
import { blogs } from "../../schema/blogs.ts";
import { commit, newLicence, type Licence } from "../core/commit.ts";
import type { Writer } from "../core/writer.ts";
import type { Versioned } from "../core/paging.ts";
import { holds, refusal, versionIn, type Preconditions } from "../core/preconditions.ts";
import { targetBlog } from "../core/reach.ts";
import { all, builder, insertWhere, jsonObject, returned } from "../core/sql.ts";
import { askForPurges } from "../edge/purges.ts";
import { mergeInCopies, removeFromCopies, renameInCopies } from "./copies.ts";
import { growthFits, quotaRefusal, usageOf } from "../core/quota.ts";
import { ownTerm, TERM, toTerm, type TermRecord } from "./reading.ts";
import { slugTerms, termArticles, terms } from "../../schema/terms.ts";

export type TermFields = { readonly slug: string; readonly name: string; readonly members: object };

/** Stores a tag or author. Throws `blog_required`, `blog_forbidden`, `slug_taken`, `term_limit`, `quota_exceeded`. */
export async function createTerm(
  writer: Writer,
  kind: TermKind,
  { blogId, slug, name, members }: TermFields & { readonly blogId: string | undefined },
): Promise<Versioned<TermRecord>> {
  const licence = newLicence(writer);
  const id = newId();
  const target = targetBlog(writer, blogId);
  const row = {
    id,
    organizationId: writer.organizationId,
    blogId: sql`${blogs.id}`,
    kind,
    slug,
    name,
    members: JSON.stringify(members),
    version: licence.id,
    creationTime: licence.time,
    lastEditTime: licence.time,
  };
  const hasRoom = sql`(select count(*) from ${terms} where ${terms.blogId} = ${blogs.id} and ${terms.kind} = ${kind}) < ${LIMITS.terms}`;
  const bytes = termBytes(row.members);
  const fits = bytes > 0 && growthFits(writer, sql`${bytes}`);
  const outcome = await commit(writer, licence, {
    action: `${kind}s.create`,
    resourceId: id,
    blogId: sql`${blogs.id}`,
    where: sql`from ${blogs} where ${all(target.is, hasRoom, fits, sql`not ${taken(kind, sql`${blogs.id}`, slug)}`)}`,
    change: ({ held }) => ({
      returning: insertWhere(terms, row, sql`from ${blogs} where ${all(target.is, held)}`).returning(TERM.fields),
      again: () => builder.select(TERM.fields).from(terms).where(eq(terms.id, id)),
    }),
    answer: answerOf(id),
    diagnose: sql<Room>`select ${hasRoom} as "hasRoom", ${usageOf(writer)} as "usage" from ${blogs} where ${target.is}`,
  });
  if (!outcome.refused) return toTerm(outcome.row);
  const found = target.one(outcome.diagnosis);
  if (found.hasRoom === 0) throw new DomainError("term_limit");
  throw quotaRefusal(writer, found.usage, { articleBytes: bytes }) ?? slugTaken(kind);
}

/** Up to so many bytes, a term's members are free (migrations). */
const FREE_BYTES = 64;

function termBytes(members: string): number {
  const bytes = utf8Length(members);
  return bytes > FREE_BYTES ? bytes : 0;
}

/** Like {@link termBytes}, as an SQL expression. */
const countedOf = (members: SQLWrapper): SQL =>
  sql`(select iif(n > ${FREE_BYTES}, n, 0) from (select octet_length(${members}) as n))`;

type Room = { readonly hasRoom: number; readonly usage: string };

/**
 * Changes a tag or author and returns it. Articles show the change at once, and the edge's copies of them are purged.
 * Throws `not_found`, `precondition_failed`, `immutable_field`, `slug_taken` and `quota_exceeded`.
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
  } & Preconditions<ReadOnly>,
): Promise<Versioned<TermRecord>> {
  const licence = newLicence(writer);
  const { slug, name, members } = change.fields;
  const target = ownTerm(writer, kind, change.id);
  const free = slug === undefined ? undefined : sql`not ${taken(kind, sql`${terms.blogId}`, slug, change.id)}`;
  const isIt = eq(terms.id, change.id);
  const growth = growthBy(members);
  const outcome = await commit(writer, licence, {
    action: `${kind}s.update`,
    resourceId: change.id,
    blogId: sql`${terms.blogId}`,
    where: sql`from ${terms} where ${all(target, free, growthFits(writer, growth), ...holds(change, terms.version, READ_ONLY))}`,
    change: ({ held }) => ({
      before: renameInCopies(kind, change.id, { slug, name }, licence),
      returning: builder
        .update(terms)
        .set({
          slug,
          name,
          members: changed(members),
          version: licence.id,
          lastEditTime: licence.time,
        })
        .where(and(isIt, held))
        .returning(TERM.fields),
      again: () => builder.select(TERM.fields).from(terms).where(isIt),
      after: [purging(change.id, licence)],
    }),
    answer: answerOf(change.id),
    diagnose: sql<
      ReadOnly & Grown
    >`select ${returned(READ_ONLY, terms.version)}, ${growth} as "growth", ${usageOf(writer)} as "usage"
      from ${terms} where ${target}`,
  });
  if (!outcome.refused) return toTerm(outcome.row);
  const [found] = outcome.diagnosis;
  const isFull = found && quotaRefusal(writer, found.usage, { articleBytes: found.growth });
  throw refusalOf(kind, found, change.ifMatch) ?? (found && refusal(change, found)) ?? isFull ?? slugTaken(kind);
}

/** Returns by how many counted bytes a change makes a tag or author longer, as an SQL expression on its row. */
const growthBy = (members: object): SQL =>
  Object.keys(members).length === 0 ? sql`0` : sql`(${countedOf(changed(members))} - ${countedOf(terms.members)})`;

type Grown = { readonly rowVersion: string; readonly growth: number; readonly usage: string };

/** The read-only fields, which callers may send back unchanged. */
type ReadOnly = Pick<TermRecord, "_id" | "blogId" | "articles" | "publishedArticles" | "creationTime" | "lastEditTime">;

const { _id, blogId: ofBlog, articles: counted, publishedArticles, creationTime, lastEditTime } = TERM.members;
const READ_ONLY = { _id, blogId: ofBlog, articles: counted, publishedArticles, creationTime, lastEditTime };

/** Deletes a tag or author, and removes it from all articles. Throws `not_found` and `precondition_failed`. */
export async function deleteTerm(
  writer: Writer,
  kind: TermKind,
  { id, ifMatch }: { readonly id: string; readonly ifMatch: IfMatch | undefined },
): Promise<void> {
  const licence = newLicence(writer);
  const target = ownTerm(writer, kind, id);
  const outcome = await commit(writer, licence, {
    action: `${kind}s.delete`,
    resourceId: id,
    blogId: sql`${terms.blogId}`,
    where: sql`from ${terms} where ${all(target, ...versionIn(terms.version, ifMatch))}`,
    change: () => [removeFromCopies(kind, id, licence), ...removal(kind, id, licence)],
    answer: sql`json_object('value', json_object('_id', ${id}))`,
    diagnose: sql<{ rowVersion: string }>`select ${terms.version} as "rowVersion" from ${terms} where ${target}`,
  });
  if (outcome.refused) throw refusalOf(kind, outcome.diagnosis[0], ifMatch) ?? new DomainError("not_found");
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
  const licence = newLicence(writer);
  const target = ownTerm(writer, kind, asked.id);
  const isOther = sql`exists (select 1 from ${terms} ${into} where ${into.id} = ${asked.into} and ${into.id} <> ${terms.id}
    and ${into.blogId} = ${terms.blogId} and ${into.kind} = ${kind})`;
  const stored = builder.select(TERM.fields).from(terms).where(eq(terms.id, asked.into));
  const outcome = await commit(writer, licence, {
    action: `${kind}s.merge`,
    resourceId: asked.id,
    blogId: sql`${terms.blogId}`,
    where: sql`from ${terms} where ${all(target, isOther, ...versionIn(terms.version, asked.ifMatch))}`,
    change: ({ held }) => ({
      before: [
        insertWhere(
          slugTerms,
          { ...pick(slugTerms, ["blogId", "slug", "kind", "position"]), termId: asked.into },
          sql`from ${slugTerms} where ${PLACES} in (${placesOf(kind, asked.id)}) and ${held}`,
        ).onConflictDoNothing(),
        mergeInCopies(kind, asked.id, asked.into, licence),
        ...removal(kind, asked.id, licence),
      ],
      returning: stored,
      again: () => stored,
    }),
    answer: answerOf(asked.into),
    diagnose: sql<{
      rowVersion: string;
      isOther: number;
    }>`select ${terms.version} as "rowVersion", ${isOther} as "isOther" from ${terms} where ${target}`,
  });
  if (!outcome.refused) return toTerm(outcome.row);
  throw (
    refusalOf(kind, outcome.diagnosis[0], asked.ifMatch) ??
    invalidField("into", `must be another ${kind} in the same blog`)
  );
}

const PLACES = sql`(${slugTerms.blogId}, ${slugTerms.slug}, ${slugTerms.kind}, ${slugTerms.termId})`;

/** Returns a query of the keys of a term in `slug_terms`, one for each slug of its articles. */
const placesOf = (kind: TermKind, id: string): SQL =>
  sql`select distinct ${articles.blogId}, ${articles.slug}, ${kind}, ${id} from ${termArticles} cross join ${articles}
    where ${termArticles.termId} = ${id} and ${articles.id} = ${termArticles.articleId}`;

/** Deletes a term everywhere. Its row goes first, or triggers count down in it for thousands of articles. */
const removal = (kind: TermKind, id: string, licence: Licence): SQL[] => [
  purging(id, licence),
  sql`delete from ${terms} where ${terms.id} = ${id} and ${licence.held}`,
  sql`delete from ${slugTerms} where ${PLACES} in (${placesOf(kind, id)}) and ${licence.held}`,
];

/** Requests a purge of the blog's pages, because its articles show the term's name. */
const purging = (id: string, { held, time }: Licence): SQL =>
  askForPurges(
    sql`select ${blogTag("")} || ${terms.blogId} as tag, ${terms.organizationId} as organization_id, 0 as urgent
      from ${terms} where ${terms.id} = ${id} and ${held}`,
    time,
  );

function changed(members: object): SQL {
  const parts = Object.entries(members).map(
    ([name, value]) => sql`${`$.${name}`}, ${typeof value === "string" ? value : sql`json(${JSON.stringify(value)})`}`,
  );
  return parts.length === 0 ? sql`${terms.members}` : sql`json_set(${terms.members}, ${sql.join(parts, sql`, `)})`;
}

const { members: _members, ...SHARED } = TERM.members;

const answerOf = (id: string): SQL =>
  sql`(select ${jsonObject({
    value: sql`json_patch(${jsonObject(SHARED)}, ${terms.members})`,
    version: sql`${terms.version}`,
  })} from ${terms} where ${terms.id} = ${id})`;

const taken = (kind: TermKind, blogId: SQL, slug: string, except = ""): SQL =>
  sql`exists (select 1 from ${terms} ${into} where ${into.blogId} = ${blogId} and ${into.kind} = ${kind}
    and ${into.slug} = ${slug} and ${into.id} <> ${except})`;

const slugTaken = (kind: TermKind): DomainError =>
  new DomainError("slug_taken", `Another ${kind} in the blog has this slug.`);

function refusalOf(
  kind: TermKind,
  found: { readonly rowVersion: string } | undefined,
  ifMatch: IfMatch | undefined,
): DomainError | null {
  if (found === undefined) return new DomainError("not_found", `There is no such ${kind}.`);
  return isStale(ifMatch, found.rowVersion) ? new DomainError("precondition_failed") : null;
}
