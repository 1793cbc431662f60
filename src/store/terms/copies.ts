/** Updates the tags and authors in working copies (contract 18.23), which hold slugs and names until published. */
import { sql, type SQL } from "drizzle-orm";
import type { TermKind } from "../../domain/terms.ts";
import { articles, workingCopies } from "../../schema/articles.ts";
import type { License } from "../core/commit.ts";
import type { Writer } from "../core/writer.ts";
import { joinAnd, toColumnName, queryFirstRow } from "../core/sql.ts";
import { isOwnTerm } from "./reading.ts";
import { terms } from "../../schema/terms.ts";

/** The new slug and name of a term; an undefined one stays. */
type Renamed = { readonly slug?: string | undefined; readonly name?: string | undefined };

/** How many articles, and how many working copies with terms (and their bytes), a change of a term may affect. */
export type Reach = { readonly articles: number; readonly copies: number; readonly bytes: number };

const MOST_COUNTED = 1000;

/**
 * Returns what a deletion of a term may affect. With `renamed`, returns what the new slug or name may affect, or null
 * if the term already has them. Returns null, too, if there is no such term. Searching and changing working copies
 * takes long: each is written as a whole, with its content.
 */
export async function countTermReach(
  writer: Writer,
  kind: TermKind,
  id: string,
  renamed?: Renamed,
): Promise<Reach | null> {
  const { slug, name } = renamed ?? {};
  if (renamed !== undefined && slug === undefined && name === undefined) return null;
  const differs = renamed && sql`(${terms.slug} <> ${slug ?? terms.slug} or ${terms.name} <> ${name ?? terms.name})`;
  return queryFirstRow<Reach>(
    writer.db,
    sql`select ${terms.articles} as "articles", count(bytes) as "copies", coalesce(sum(bytes), 0) as "bytes" from ${terms}
      left join (select coalesce(octet_length(${workingCopies.content}), 0) as bytes
        from ${workingCopies} indexed by working_copies_with_terms
        where ${workingCopies.organizationId} = ${writer.organizationId} and ${NAMES_TERMS} limit ${MOST_COUNTED})
      where ${joinAnd(isOwnTerm(writer, kind, id), differs)} group by ${terms.id}`,
  );
}

/** Returns the statement that renames a term in the working copies of its blog. It must run before the term changes. */
export function renameInCopies(kind: TermKind, id: string, { slug, name }: Renamed, license: License): SQL[] {
  const { slug: oldSlug, name: oldName } = terms;
  const differs = sql`(${oldSlug} <> ${slug ?? oldSlug} or ${oldName} <> ${name ?? oldName})`;
  const term = sql`(select json_object('slug', ${slug ?? oldSlug}, 'name', ${name ?? oldName}) from ${terms} where ${terms.id} = ${id})`;
  return slug === undefined && name === undefined ? [] : [replaceInCopies(kind, { id, differs }, term, license)];
}

/** Returns the statement that replaces a term by another one of the blog. It must run before the term is deleted. */
export function mergeInCopies(kind: TermKind, id: string, into: string, license: License): SQL {
  const term = sql`(select json_object('slug', ${terms.slug}, 'name', ${terms.name}) from ${terms} where ${terms.id} = ${into})`;
  return replaceInCopies(kind, { id }, term, license);
}

/** Returns the statement that removes a term from working copies. It must run before the term is deleted. */
export const removeFromCopies = (kind: TermKind, id: string, license: License): SQL =>
  replaceInCopies(kind, { id }, sql`null`, license);

/**
 * Replaces the term with this id by `term` (JSON) in all working copies that name it, once in each; null removes it. It
 * reads only the lists of copies whose text has the slug in quotes: an organization may have thousands of copies, with
 * twenty terms each.
 */
function replaceInCopies(
  kind: TermKind,
  { id, differs }: { readonly id: string; readonly differs?: SQL },
  term: SQL,
  { held }: License,
): SQL {
  const path = `$.${kind}s`;
  const listed = sql`json_each(${workingCopies.members}, ${path}) j`;
  const slug = sql`(select ${terms.slug} from ${terms} where ${terms.id} = ${id})`;
  const replaced = sql`select json_group_array(json(term)) from (
    select min(place), term from (
      select j.key as place, case j.value ->> '$.slug' when ${slug} then ${term} else j.value end as term from ${listed})
    where term is not null group by term ->> '$.slug' order by 1)`;
  const own = sql`${workingCopies.organizationId} = (select ${terms.organizationId} from ${terms}
    where ${joinAnd(sql`${terms.id} = ${id}`, differs)}) and ${NAMES_TERMS}`;
  const isInBlog = sql`exists (select 1 from ${articles} where ${articles.id} = ${workingCopies.articleId}
    and ${articles.blogId} = (select ${terms.blogId} from ${terms} where ${terms.id} = ${id}))`;
  return sql`update ${workingCopies} indexed by working_copies_with_terms
    set ${toColumnName(workingCopies.members)} = json_set(${workingCopies.members}, ${path}, json((${replaced})))
    where ${own} and ${held} and instr(${workingCopies.members}, json_quote(${slug})) > 0
      and exists (select 1 from ${listed} where j.value ->> '$.slug' = ${slug}) and ${isInBlog}`;
}

/** Word for word the condition of the index `working_copies_with_terms`: otherwise, SQLite would not use it. */
const NAMES_TERMS = sql`(${workingCopies.members} ->> '$.tags' is not null or ${workingCopies.members} ->> '$.authors' is not null)`;
