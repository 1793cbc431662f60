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

/** Returns the conditions, on the article's row, of an update by such a writer. */
export function listDraftConditions(
  writer: Writer,
  { fields: { slug, locale }, terms = {} }: ArticleChange,
): Condition[] {
  if (!writer.draftsOnly) return [];
  const refuse = makeRefusal(writer);
  const isScheduled = sql`exists (select 1 from ${schedules} where ${schedules.articleId} = ${articles.id}
    and ${schedules.publishTime} is not null)`;
  const conditions = [
    { holds: sql`${articles.published} = 0`, refusal: refuse(PUBLISHED) },
    { holds: sql`not ${isScheduled}`, refusal: refuse(SCHEDULED) },
  ];
  const moved = { slug: sql`${slug ?? articles.slug}`, locale: sql`${locale ?? articles.locale}` };
  if (slug !== undefined || locale !== undefined)
    conditions.push({
      holds: sql`not ${isFormerSlug(articles.blogId, moved)}`,
      refusal: new DomainError("slug_taken", FORMER, { worded: true }),
    });
  const differs = termsDiffer(terms);
  if (differs !== undefined) {
    const isSame = slug === undefined ? sql`not ${differs}` : sql`false`;
    const holds = sql`(${isSame} or not ${hasPublished(articles.blogId, moved.slug)})`;
    conditions.push({ holds, refusal: refuse(SHARED) });
  }
  return conditions;
}

/** Returns the conditions, on the blog's row, of a creation by such a writer. */
export function listNewDraftConditions(writer: Writer, { slug, terms }: NewArticle, locale: SQL): Condition[] {
  if (!writer.draftsOnly || !("given" in slug)) return [];
  const given = sql`${slug.given}`;
  const isFormer = isFormerSlug(blogs.id, { slug: given, locale });
  const conditions = [
    { holds: sql`not ${isFormer}`, refusal: new DomainError("slug_taken", FORMER, { worded: true }) },
  ];
  if (hasTerms(terms))
    conditions.push({ holds: sql`not ${hasPublished(blogs.id, given)}`, refusal: makeRefusal(writer)(SHARED) });
  return conditions;
}

/** Returns the condition that a new draft's slug, which is derived, is one whose terms such a writer may not set. */
export const isBeyondDraft = ({ draftsOnly }: Writer, { terms }: Pick<NewArticle, "terms">, slug: SQL): SQL =>
  draftsOnly && hasTerms(terms) ? hasPublished(blogs.id, slug) : sql`false`;

const hasTerms = ({ tags, authors }: GivenTerms = {}): boolean => tags !== undefined || authors !== undefined;

const others = alias(articles, "public_ones");

/** Returns the condition that a published article of the blog has the slug, in any locale. */
const hasPublished = (blogId: unknown, slug: SQL): SQL =>
  sql`exists (select 1 from ${articles} ${others} where ${joinAnd(
    sql`${others.blogId} = ${blogId}`,
    sql`${others.slug} = ${slug}`,
    sql`${others.published} = 1`,
  )})`;

/** Returns the condition that readers are still led from this slug to the article that had it before. */
export const isFormerSlug = (blogId: unknown, { slug, locale }: { readonly slug: SQL; readonly locale: SQL }): SQL =>
  sql`exists (select 1 from ${movedSlugs} where ${movedSlugs.blogId} = ${blogId} and ${movedSlugs.slug} = ${slug}
    and ${movedSlugs.locale} = ${locale})`;

const PUBLISHED = "The article is published, so readers would see the change. Save it in the working copy instead";
const SCHEDULED =
  "The article is scheduled, so readers would see the change at that time. Wait until its schedule has ended";
const SHARED = "Its tags and authors are shared with a published article of the same slug. Leave them as they are";
const FORMER = "An article had this slug before, and readers who use it are led there.";

const makeRefusal =
  ({ actor }: Writer) =>
  (why: string): DomainError =>
    actor.kind === "user"
      ? new DomainError("role_forbidden", `${why}, or ask a writer.`)
      : new DomainError("scope_missing", `${why}, or use credentials with the scope articles:write.`, {
          scopes: ["articles:write"],
        });
