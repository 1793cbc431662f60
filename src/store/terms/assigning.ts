/** Assigns tags and authors to articles (contract 18.24): the preconditions and statements for writes of articles. */
import { sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { LIMITS } from "../../domain/limits.ts";
import type { NamedTerm, TermKind } from "../../domain/terms.ts";
import { blogTag } from "../../domain/cache-tags.ts";
import { requestPurges } from "../edge/purges.ts";
import { newId } from "../../lib/ids.ts";
import { pick } from "../../lib/pick.ts";
import { articles } from "../../schema/articles.ts";
import { insertEvent, type License } from "../core/commit.ts";
import { joinAnd, toColumnName, insertWhere, type Statement } from "../core/sql.ts";
import { slugTerms, terms } from "../../schema/terms.ts";
import { TERM_JSON } from "./reading.ts";

/** The tags and authors that an article's slug is to have, in order; an undefined list changes nothing. */
export type GivenTerms = {
  readonly tags?: readonly NamedTerm[] | undefined;
  readonly authors?: readonly NamedTerm[] | undefined;
};

const listKinds = ({ tags, authors }: GivenTerms) => {
  const given: readonly (readonly [TermKind, readonly NamedTerm[] | undefined])[] = [
    ["tag", tags],
    ["author", authors],
  ];
  return given.flatMap(([kind, list]) => (list === undefined ? [] : [[kind, list] as const]));
};

/** `key` is the position. */
const expandList = (list: readonly object[]): SQL => sql`json_each(${JSON.stringify(list)}) j`;

/** Returns the conditions that the blog with this id has room for the terms that it does not have yet. */
export const termsFit = (given: GivenTerms, blogId: SQL): SQL[] =>
  listKinds(given).flatMap(([kind, list]) => {
    if (list.length === 0) return [];
    const isInBlog = sql`${terms.blogId} = ${blogId} and ${terms.kind} = ${kind}`;
    const missing = sql`(select count(*) from ${expandList(list)} where not exists (select 1 from ${terms}
      where ${isInBlog} and ${terms.slug} = j.value ->> '$.slug'))`;
    // Counted only if there is one to add: a blog may have a thousand.
    const fits = sql`(select count(*) from ${terms} where ${isInBlog}) + ${missing} <= ${LIMITS.terms}`;
    return [sql`(case when ${missing} = 0 then 1 else ${fits} end)`];
  });

/** Returns the condition, on `articles`, that its slug has other terms. Undefined if none are given. */
export function termsDiffer(given: GivenTerms): SQL | undefined {
  const different = listKinds(given).map(([kind, list]) => {
    const slugs = list.map(({ slug }) => slug).join(" ");
    return sql`coalesce((select group_concat(slug, ' ') from (select ${terms.slug} from ${slugTerms}
      join ${terms} on ${terms.id} = ${slugTerms.termId} where ${isForArticle(kind)} order by ${slugTerms.position})), '') <> ${slugs}`;
  });
  return different.length === 0 ? undefined : sql`(${sql.join(different, sql` or `)})`;
}

/** The condition, on rows of `articles` and `slug_terms`, that the article's slug has the term. */
const isForArticle = (kind: TermKind): SQL =>
  joinAnd(
    sql`${slugTerms.blogId} = ${articles.blogId}`,
    sql`${slugTerms.slug} = ${articles.slug}`,
    sql`${slugTerms.kind} = ${kind}`,
  );

/** The members of a term that was created by its name alone. */
const NEW_MEMBERS: Readonly<Record<TermKind, string>> = {
  tag: JSON.stringify({ names: {} }),
  author: JSON.stringify({ bio: "", pictureUrl: "" }),
};

/** Returns the statements that give a written article's slug exactly these terms, and create those that are new. */
export const assignTerms = (articleId: string, given: GivenTerms, license: License): Statement[] => [
  ...replaceTerms(articleId, given, license),
  ...purgeForTerms(articleId, given, license),
];

const replaceTerms = (articleId: string, given: GivenTerms, { id: version, held, time }: License): Statement[] =>
  listKinds(given).flatMap(([kind, list]) => {
    const isIt = sql`${articles.id} = ${articleId}`;
    const withIds = list.map((term) => ({ ...term, id: newId(), eventId: newId() }));
    const found = sql`from ${articles} cross join ${expandList(list)} cross join ${terms} where ${isIt}
      and ${terms.blogId} = ${articles.blogId} and ${terms.kind} = ${kind} and ${terms.slug} = j.value ->> '$.slug'`;
    const replaced: Statement[] = [
      insertWhere(
        terms,
        {
          id: sql`j.value ->> '$.id'`,
          ...pick(articles, ["organizationId", "blogId"]),
          kind,
          slug: sql`j.value ->> '$.slug'`,
          name: sql`j.value ->> '$.name'`,
          members: NEW_MEMBERS[kind],
          version,
          creationTime: time,
          lastEditTime: time,
        },
        sql`from ${articles} cross join ${expandList(withIds)} where ${isIt} and ${held}`,
      ).onConflictDoNothing(),
      sql`delete from ${slugTerms} where (${toColumnName(slugTerms.blogId)}, ${toColumnName(slugTerms.slug)}) =
          (select ${articles.blogId}, ${articles.slug} from ${articles} where ${isIt})
        and ${slugTerms.kind} = ${kind} and ${slugTerms.termId} not in (select ${terms.id} ${found}) and ${held}`,
      insertWhere(
        slugTerms,
        { ...pick(articles, ["blogId", "slug"]), kind, termId: terms.id, position: sql`j.key` },
        sql`${found} and ${held}`,
      ).onConflictDoUpdate({
        target: [slugTerms.blogId, slugTerms.slug, slugTerms.kind, slugTerms.termId],
        set: { position: sql`excluded.position` },
        setWhere: sql`${slugTerms.position} <> excluded.position`,
      }),
    ];
    return list.length === 0 ? replaced : replaced.concat(tellOfNewTerms(kind, withIds, time));
  });

/** Returns the statement that stores the events of those terms that did not exist: the others have other ids. */
const tellOfNewTerms = (kind: TermKind, withIds: readonly object[], time: string): SQL =>
  insertEvent(
    {
      id: sql`j.value ->> '$.eventId'`,
      ...pick(terms, ["organizationId", "blogId"]),
      kind: `${kind}.created`,
      data: TERM_JSON,
      time,
    },
    sql`from ${expandList(withIds)} cross join ${terms} where ${terms.id} = j.value ->> '$.id'`,
  );

/**
 * Returns the statement that requests a purge of the blog from the edge's cache, if a published article shares the
 * slug: a draft changes the tags of its translations without an event that would request it. None if no terms are
 * given.
 */
const purgeForTerms = (articleId: string, given: GivenTerms, { held, time }: License): SQL[] =>
  listKinds(given).length === 0
    ? []
    : [
        requestPurges(
          sql`select ${blogTag("")} || ${articles.blogId} as tag, ${articles.organizationId} as organization_id, 0 as urgent
            from ${articles} where ${articles.id} = ${articleId} and ${held} and exists (select 1 from ${articles} ${others} indexed by articles_slug
              where ${others.blogId} = ${articles.blogId} and ${others.slug} = ${articles.slug} and ${others.published} = 1)`,
          time,
        ),
      ];

const others = alias(articles, "translations");

/** The tags of an article's slug, on a row of `articles`, as JSON text, with their names in its language. */
export const TAGS = sql<string>`(select json_group_array(json_object('_id', id, 'slug', slug, 'name', name)) from (
  select ${terms.id}, ${terms.slug},
    coalesce(${terms.members} ->> ('$.names."' || ${articles.locale} || '"'), ${terms.name}) as "name"
  from ${slugTerms} join ${terms} on ${terms.id} = ${slugTerms.termId} where ${isForArticle("tag")}
  order by ${slugTerms.position}))`;

/** The same of its authors. Without their bios, which a list of articles would repeat a thousand times. */
export const AUTHORS = sql<string>`(select json_group_array(json_object('_id', id, 'slug', slug, 'name', name)) from (
  select ${terms.id}, ${terms.slug}, ${terms.name}
  from ${slugTerms} join ${terms} on ${terms.id} = ${slugTerms.termId} where ${isForArticle("author")}
  order by ${slugTerms.position}))`;

/** Returns an SQL expression for the id of the term that a list of articles is about: NULL if the blog has none. */
export const selectTermId = (blogId: unknown, kind: TermKind, slug: unknown): SQL =>
  sql`(select ${terms.id} from ${terms} where ${terms.blogId} = ${blogId} and ${terms.kind} = ${kind} and ${terms.slug} = ${slug})`;
