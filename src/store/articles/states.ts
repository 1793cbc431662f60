/** Reads whole revisions, former and current, and restores them. Their memory is reserved (contract 14.15). */
import { sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { pickWritten } from "../../domain/article-fields.ts";
import { DomainError } from "../../domain/errors.ts";
import type { IfMatch } from "../../domain/preconditions.ts";
import { serializeSeo } from "../../domain/seo.ts";
import { hold } from "../../memory.ts";
import { gunzip } from "../../lib/gzip.ts";
import type { Writer } from "../core/writer.ts";
import type { Versioned } from "../core/paging.ts";
import { joinAnd, jsonObject, runTransaction } from "../core/sql.ts";
import {
  KEPT,
  PRESENT,
  REVISION_COLUMNS,
  toRevision,
  formatVersion,
  readOrigin,
  type RevisionRecord,
  type RevisionRow,
} from "./revisions.ts";
import { articles, revisions } from "../../schema/articles.ts";
import { isOwnArticle } from "./conditions.ts";
import { updateArticle, type Updated } from "./updating.ts";

export type WholeRevision = RevisionRecord & { readonly content: string };

/** A revision, and the origin that the article had, as it is stored. */
export type State = Versioned<WholeRevision> & { readonly origin: string | null | undefined };

/** The number of a former revision, or the article as it is. */
export type StateName = number | "current";

/** Contents of at most so many bytes are read at once; larger ones once their memory is reserved. */
const LIGHT_BYTES = 20 * 1024;
/** Bytes of memory per byte of text: as two-byte characters, as lines, as JSON and in the response. */
const HELD = 8;
/** Additional bytes per compressed byte, because D1 returns it as a number: in JSON, as text and in an array. */
const HELD_PACKED = 16;

/** Returns a former revision of an article, or null if there is none that the writer may read. */
export async function findRevision(writer: Writer, articleId: string, number: number): Promise<State | null> {
  const [state] = await findStates(writer, articleId, [number]);
  return state ?? null;
}

/** Returns the named revisions in order; null for those that do not exist or are out of reach. Throws `not_ready`. */
export async function findStates(
  writer: Writer,
  articleId: string,
  names: readonly StateName[],
): Promise<(State | null)[]> {
  const read = async (most: number): Promise<(Row | undefined)[]> => {
    const states = names.map((name) => selectContent(selectState(writer, articleId, name), most));
    const { found } = await runTransaction(writer.db, { found: states });
    return (found as readonly (readonly Row[])[]).map(([row]) => row);
  };
  const rows = await read(LIGHT_BYTES);
  const held = await hold(rows.reduce((sum, row) => sum + (row ? computeMemory(row) : 0), 0));
  try {
    const isHeavy = rows.some((row) => row?.content === null);
    const whole = isHeavy ? await read(Number.MAX_SAFE_INTEGER) : rows;
    return await Promise.all(whole.map(async (row) => (row ? toWholeRevision(row) : null)));
  } finally {
    held.end();
  }
}

type Row = RevisionRow & {
  readonly bytes: number;
  /** The last four bytes of a compressed content; null if it is not compressed. */
  readonly ending: string | null;
  /** Text, or compressed bytes. Null if it is larger than the query asked for. */
  readonly content: string | number[] | null;
};

/** Returns the query for a revision, with its stored content if that has at most `most` bytes. */
const selectContent = (state: SQL, most: number): SQL<Row> =>
  sql<Row>`with state as materialized (${state})
    select "articleId", number, published, "workingCopy", members, "actorKind", "actorId", action, "lastEditTime", "endTime",
      octet_length(content) as "bytes", iif(typeof(content) = 'blob', hex(substr(content, -4)), null) as "ending",
      iif(octet_length(content) <= ${most}, content, null) as "content"
    from state`;

/** The revision that has the content of another one. A state of a working copy has its own. */
const holder = alias(revisions, "holder");

function selectState(writer: Writer, articleId: string, name: StateName): SQL {
  const isIt = isOwnArticle(writer, articleId);
  if (name === "current") {
    return sql`select ${articles.id} as "articleId", ${PRESENT} as number, ${articles.published}, 0 as "workingCopy", ${jsonObject(KEPT)} as members,
        null as "actorKind", null as "actorId", null as action, ${articles.lastEditTime} as "lastEditTime",
        ${articles.lastEditTime} as "endTime", ${articles.content} from ${articles} where ${isIt}`;
  }
  const where = joinAnd(isIt, sql`${revisions.articleId} = ${articles.id}`, sql`${revisions.number} = ${name}`);
  return sql`select ${REVISION_COLUMNS}, coalesce((select ${holder.content} from ${revisions} ${holder}
        where ${holder.articleId} = ${revisions.articleId} and ${holder.number} >= ${revisions.number}
          and ${holder.workingCopy} = ${revisions.workingCopy} and ${holder.content} is not null order by ${holder.number} limit 1), ${articles.content}) as content
      from ${articles} cross join ${revisions} where ${where}`;
}

/** Returns the memory of a revision. A gzip stream ends with the length of its text (RFC 1952), lowest byte first. */
function computeMemory({ bytes, ending }: Row): number {
  if (ending === null) return bytes * HELD;
  const length = (ending.match(/../g) ?? []).reduceRight((sum, byte) => sum * 256 + Number.parseInt(byte, 16), 0);
  return length * HELD + bytes * HELD_PACKED;
}

async function toWholeRevision({ content: stored, ...row }: Row): Promise<State> {
  const content = Array.isArray(stored) ? await gunzip(Uint8Array.from(stored)) : (stored ?? "");
  return { value: { ...toRevision(row), content }, version: formatVersion(row), origin: readOrigin(row) };
}

/**
 * Gives an article the texts, slug, locale, cover and `seo` of a former revision, and returns it. It is an ordinary
 * update: it stores the revision before it and fires `article.updated`. It does not change whether and since when the
 * article is published. Throws `not_found` and the errors of {@link updateArticle}.
 */
export async function restoreRevision(
  writer: Writer,
  asked: { readonly articleId: string; readonly number: number; readonly ifMatch: IfMatch | undefined },
): Promise<Updated> {
  const state = await findRevision(writer, asked.articleId, asked.number);
  if (state === null) throw new DomainError("not_found", "There is no such article, or it has no such revision.");
  const written = pickWritten(state.value);
  return updateArticle(
    writer,
    {
      id: asked.articleId,
      fields: { ...written, seo: serializeSeo(written.seo) },
      ifMatch: asked.ifMatch,
    },
    { action: "articles.restore", isContentUnsent: true, restoredOrigin: state.origin },
  );
}
