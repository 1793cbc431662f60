/** Autosaves of drafts (contract 4.13). Most keep no former revision, so hours of typing leave few (contract 18.7). */
import { sql, type SQL } from "drizzle-orm";
import { DomainError } from "../../domain/errors.ts";
import { countCommonEnds } from "../../lib/ends.ts";
import { MINUTE_MS } from "../../lib/time.ts";
import { type License } from "../core/commit.ts";
import { getAuditKind, type Writer } from "../core/writer.ts";
import { audit } from "../../schema/core.ts";
import { queryFirstRow } from "../core/sql.ts";
import type { Attempt } from "./beside.ts";
import { isOwnArticle } from "./conditions.ts";
import { makeRendering } from "./renderings.ts";
import { packContent, type Present } from "./revisions.ts";
import { articles, revisions } from "../../schema/articles.ts";
import type { Optional } from "../core/preconditions.ts";
import type { SearchedTexts } from "./search-index.ts";
import type { ArticleChange, Condition, Preparation } from "./update-conditions.ts";

/** How long autosaves continue one revision, in milliseconds from its beginning. */
const WINDOW_MS = 10 * 60_000;

/** The most characters that a save may remove, and the most if that is over half of the text. */
const MOST_REMOVED = 200;
const MOST_OF_SHORT = 20;

type Texts = Omit<SearchedTexts, "text">;

/** The revision that somebody is writing, as it was read before a save. */
export type Begun = Texts & {
  /** When the former revision before it ended, or the article or working copy was created. */
  readonly began: string;
  /** 1 if the same writer made it by the same kind of save. */
  readonly isOwn: number;
};

/** Returns whether a save of these texts continues the revision. */
export function continuesRevision({ now }: Writer, begun: Begun, saved: Optional<Texts>): boolean {
  if (begun.isOwn === 0 || now().getTime() - Date.parse(begun.began) >= WINDOW_MS) return false;
  let [removed, all] = [0, 0];
  for (const name of ["title", "description", "content"] as const) {
    removed += countRemoved(begun[name], saved[name]);
    all += begun[name].length;
  }
  return removed <= (removed > all / 2 ? MOST_OF_SHORT : MOST_REMOVED);
}

/** Returns how many characters a text loses between the beginning and the end that it shares with the next one. */
function countRemoved(text: string, next = text): number {
  const { before, after } = countCommonEnds(text, next);
  return text.length - before - after;
}

/** When the newest former revision of an article ended, on a row of `articles`; NULL if it has none. */
export const LAST_END = sql`(select ${revisions.endTime} from ${revisions} where ${revisions.articleId} = ${articles.id}
  order by ${revisions.number} desc limit 1)`;

/** The action of an autosave in the audit log. */
export const AUTOSAVE = "articles.autosave";

const IS_PUBLIC = "The article is already published, so readers would see these changes at once.";

/** Reads the draft, and decides whether the save continues its current revision. Then it is for that version only. */
export async function prepareAutosave(
  writer: Writer,
  { id, fields }: ArticleChange,
  { copy, moved, isLast }: Attempt,
): Promise<Preparation> {
  const isDraft: Condition = {
    holds: sql`${articles.published} = 0`,
    refusal: new DomainError("article_changed", IS_PUBLIC),
  };
  const begun = await readBegun(writer, id);
  if (begun === null) return { former: null, conditions: [isDraft] };
  const { version } = begun;
  const rendering = fields.content === undefined ? undefined : await makeRendering(fields.content);
  // The last try keeps a revision, because with many writers it could be too late again.
  if (isLast || copy !== null || !continuesRevision(writer, begun, fields)) {
    return { former: await packContent(begun, fields.content), rendering, conditions: [isDraft] };
  }
  const isStill: Condition = { holds: sql`${articles.version} = ${version}`, refusal: moved };
  return { former: undefined, rendering, continued: version, conditions: [isDraft, isStill] };
}

/** How long the event of an autosave may wait, in milliseconds. The sweep of each minute fires it. */
const PATIENCE_MS = 5 * MINUTE_MS;

/** Returns when the event of an autosave is due, on the article's row: counted from the first unreported one. */
export const computeEventDue = ({ time }: License): SQL =>
  sql`coalesce(${articles.eventDue}, ${new Date(Date.parse(time) + PATIENCE_MS).toISOString()})`;

const readBegun = (writer: Writer, id: string): Promise<(Begun & Present) | null> =>
  queryFirstRow(
    writer.db,
    sql`select ${articles.version}, ${articles.content}, ${articles.title}, ${articles.description},
        coalesce(${LAST_END}, ${articles.creationTime}) as "began",
        exists (select 1 from ${audit} where ${audit.organizationId} = ${writer.organizationId} and ${audit.id} = ${articles.version}
          and ${audit.action} = ${AUTOSAVE} and ${audit.actorKind} = ${getAuditKind(writer.actor)}
          and ${audit.actorId} = ${writer.actor.id}) as "isOwn"
      from ${articles} where ${isOwnArticle(writer, id)}`,
  );
