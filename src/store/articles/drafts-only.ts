/** What writers are refused who may only write drafts (contract 10.18): whatever readers would see, now or at a set time. */
import { sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { DomainError } from "../../domain/errors.ts";
import { articles, movedSlugs } from "../../schema/articles.ts";
import { blogs } from "../../schema/blogs.ts";
import { schedules } from "../../schema/schedules.ts";
import { joinAnd } from "../core/sql.ts";
import type { Writer } from "../core/writer.ts";
import { termsDiffer, type GivenTerms } from "../terms/assigning.ts";
import type { NewArticle } from "./creating.ts";
import type { ArticleChange, Condition } from "./update-conditions.ts";

/** The condition, on a row of `articles`, that it has a time at which it is published. */
const IS_SCHEDULED = sql`exists (select 1 from ${schedules} where ${schedules.articleId} = ${articles.id}
  and ${schedules.publishTime} is not null)`;

/** Returns the conditions, on the article's row, of an update by such a writer. */
export function listDraftConditions(writer: Writer, change: ArticleChange): Condition[] {
  if (!writer.draftsOnly) return [];
  const refuse = makeRefusal(writer);
  return [
    { holds: sql`${articles.published} = 0`, refusal: refuse(PUBLISHED) },
    { holds: sql`not ${IS_SCHEDULED}`, refusal: refuse(SCHEDULED) },
    ...listBesideConditions(change, { taken: makeFormerError(), shared: refuse(SHARED) }),
  ];
}

/**
 * Returns the conditions of what an article that becomes a draft takes from its working copy: whoever unpublishes it has not
 * approved that. Without what they refuse, it is taken all the same (beside.ts).
 */
export function listFoldConditions({ id, fields, terms = {} }: ArticleChange, folded: ArticleChange): Condition[] {
  const { slug, locale } = omitGiven(folded.fields, fields);
  const change = { id, fields: { slug, locale }, terms: omitGiven(folded.terms ?? {}, terms) };
  return listBesideConditions(change, { taken: new DomainError("slug_taken"), shared: new DomainError("term_limit") });
}

const omitGiven = <T extends object>(all: T, own: T): T =>
  Object.fromEntries(Object.entries(all).filter(([name]) => own[name as keyof T] === undefined)) as T;

/** Returns the conditions that an update changes nothing of what readers see beside the article: a redirect, tags of a translation. */
function listBesideConditions(
  { id, fields: { slug, locale }, terms = {} }: Pick<ArticleChange, "id" | "fields" | "terms">,
  { taken, shared }: { readonly taken: DomainError; readonly shared: DomainError },
): Condition[] {
  const conditions: Condition[] = [];
  const place = { slug: sql`${slug ?? articles.slug}`, locale: sql`${locale ?? articles.locale}` };
  if (slug !== undefined || locale !== undefined)
    conditions.push({ holds: sql`not ${isFormerSlug(articles.blogId, place)}`, refusal: taken });
  const own = (column: "blogId" | "slug") =>
    sql`(select ${self[column]} from ${articles} ${self} where ${self.id} = ${id})`;
  const beside = differsBeside({
    blogId: own("blogId"),
    slug: slug === undefined ? own("slug") : sql`${slug}`,
    terms,
    id,
  });
  if (beside !== undefined) conditions.push({ holds: sql`not ${beside}`, refusal: shared });
  return conditions;
}

/** Returns the conditions, on the blog's row, of a creation by such a writer. */
export function listNewDraftConditions(writer: Writer, { slug, terms = {} }: NewArticle, locale: SQL): Condition[] {
  if (!writer.draftsOnly || !("given" in slug)) return [];
  const given = sql`${slug.given}`;
  const beside = differsBeside({ blogId: sql`${blogs.id}`, slug: given, terms });
  return [
    { holds: sql`not ${isFormerSlug(blogs.id, { slug: given, locale })}`, refusal: makeFormerError() },
    ...(beside === undefined ? [] : [{ holds: sql`not ${beside}`, refusal: makeRefusal(writer)(SHARED) }]),
  ];
}

/** Returns the condition that a new draft's slug, which is derived, is one whose terms such a writer may not set. */
export const isBeyondDraft = ({ draftsOnly }: Writer, { terms = {} }: Pick<NewArticle, "terms">, slug: SQL): SQL =>
  (draftsOnly ? differsBeside({ blogId: sql`${blogs.id}`, slug, terms }) : undefined) ?? sql`false`;

const self = alias(articles, "self");

type Beside = { readonly blogId: SQL; readonly slug: SQL; readonly terms: GivenTerms; readonly id?: string };

/**
 * Returns the condition that another article with the slug, in any locale, is published or will be at a set time, and has other terms than
 * these. Undefined if none are given.
 */
function differsBeside({ blogId, slug, terms, id }: Beside): SQL | undefined {
  const differs = termsDiffer(terms);
  if (differs === undefined) return undefined;
  return sql`exists (select 1 from ${articles} where ${joinAnd(
    sql`${articles.blogId} = ${blogId}`,
    sql`${articles.slug} = ${slug}`,
    id !== undefined && sql`${articles.id} <> ${id}`,
    sql`(${articles.published} = 1 or ${IS_SCHEDULED})`,
    differs,
  )})`;
}

/** Returns the condition that an article of the blog had this slug before. */
export const isFormerSlug = (blogId: unknown, { slug, locale }: { readonly slug: SQL; readonly locale: SQL }): SQL =>
  sql`exists (select 1 from ${movedSlugs} where ${movedSlugs.blogId} = ${blogId} and ${movedSlugs.slug} = ${slug}
    and ${movedSlugs.locale} = ${locale})`;

const makeFormerError = (): DomainError =>
  new DomainError("slug_taken", "An article had this slug before, so links to it may be in use.", { worded: true });

const PUBLISHED = "The article is published, so readers would see the change. Save it in the working copy instead";
const SCHEDULED =
  "The article is scheduled, so readers would see the change at that time. Wait until its schedule has ended";
const SHARED =
  "Its tags and authors are shared with an article of the same slug, which is published or will be. Leave them as they are";

const makeRefusal =
  ({ actor }: Writer) =>
  (why: string): DomainError =>
    actor.kind === "user"
      ? new DomainError("role_forbidden", `${why}, or ask a writer.`)
      : new DomainError("scope_missing", `${why}, or use credentials with the scope articles:write.`, {
          scopes: ["articles:write"],
          passes: true,
        });
