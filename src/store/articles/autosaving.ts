/** Saves drafts while somebody types (contract 4.13): what such an update reads and asks for. */
import { sql, type SQL } from "drizzle-orm";
import { DomainError } from "../../domain/errors.ts";
import { MINUTE_MS } from "../../lib/time.ts";
import { type Licence } from "../core/commit.ts";
import { auditKind, type Writer } from "../core/writer.ts";
import { audit } from "../../schema/core.ts";
import { firstRow } from "../core/sql.ts";
import type { Attempt } from "./beside.ts";
import { ownArticle } from "./conditions.ts";
import { renderContent } from "./renderings.ts";
import { formerContent, type Present } from "./revisions.ts";
import { articles } from "../../schema/articles.ts";
import { goesOn, LAST_END, type Begun } from "./typing.ts";
import type { ArticleChange, Condition, Preparation } from "./update-conditions.ts";

/** What such an update is called in the audit log. */
export const AUTOSAVE = "articles.autosave";

const IS_PUBLIC = "The article is already published, so readers would see these changes at once.";

/** Reads the draft, and decides whether the save goes on with its present state. Then it is for that version alone. */
export async function prepareAutosave(
  writer: Writer,
  { id, fields }: ArticleChange,
  { beside, moved, isLast }: Attempt,
): Promise<Preparation> {
  const isDraft: Condition = {
    holds: sql`${articles.published} = 0`,
    refusal: new DomainError("article_changed", IS_PUBLIC),
  };
  const begun = await readBegun(writer, id);
  if (begun === null) return { former: null, conditions: [isDraft] };
  const { version } = begun;
  const rendering = fields.content === undefined ? undefined : await renderContent(fields.content);
  // Among many writers, the last try keeps a state rather than be too late again.
  if (isLast || beside.copy !== null || !goesOn(writer, begun, fields)) {
    return { former: await formerContent(begun, fields.content), rendering, conditions: [isDraft] };
  }
  const isStill: Condition = { holds: sql`${articles.version} = ${version}`, refusal: moved };
  return { former: undefined, rendering, continued: version, conditions: [isDraft, isStill] };
}

/** How long the event of text that was saved by itself may wait, in milliseconds. The minute's run fires it. */
const PATIENCE_MS = 5 * MINUTE_MS;

/** Returns when the event of an autosave is due, on the article's row: at the time of the first one that none has told of. */
export const firstDue = ({ time }: Licence): SQL =>
  sql`coalesce(${articles.eventDue}, ${new Date(Date.parse(time) + PATIENCE_MS).toISOString()})`;

const readBegun = (writer: Writer, id: string): Promise<(Begun & Present) | null> =>
  firstRow(
    writer.db,
    sql`select ${articles.version}, ${articles.content}, ${articles.title}, ${articles.description},
        coalesce(${LAST_END}, ${articles.creationTime}) as "began",
        exists (select 1 from ${audit} where ${audit.organizationId} = ${writer.organizationId} and ${audit.id} = ${articles.version}
          and ${audit.action} = ${AUTOSAVE} and ${audit.actorKind} = ${auditKind(writer.actor)}
          and ${audit.actorId} = ${writer.actor.id}) as "isOwn"
      from ${articles} where ${ownArticle(writer, id)}`,
  );
