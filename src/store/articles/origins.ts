/**
 * How the origin of an article changes with its texts (contract 18.20). The column `origin` is null where people wrote
 * all of it. What an application that is connected for models writes counts as written by a model.
 */
import { sql, type SQL } from "drizzle-orm";
import { connectedApps } from "../../schema/access.ts";
import { articles, workingCopies } from "../../schema/articles.ts";
import { jsonObject } from "../core/sql.ts";
import type { Writer } from "../core/writer.ts";

/** Who takes responsibility for a text, and since when. */
export type Review = { readonly by: string; readonly time: string };

/**
 * Returns an expression, on a row of `connected_apps`, if the writer is an application that is connected for models; otherwise
 * it is NULL. Undefined for any other writer: scripts that use the API are no models.
 */
const selectOfApplication = ({ actor }: Pick<Writer, "actor">, expression: SQL): SQL | undefined =>
  actor.kind === "app"
    ? sql`(select ${expression} from ${connectedApps}
        where ${connectedApps.id} = ${actor.id} and ${connectedApps.resource} like '%/mcp')`
    : undefined;

const NAME = sql`${connectedApps.clientName}`;

/** Returns the origin of a new article; undefined if no application writes it. */
export const originateArticle = (writer: Writer, time: string): SQL | undefined =>
  selectOfApplication(writer, jsonObject({ kind: sql`'generated'`, application: NAME, writeTime: sql`${time}` }));

/**
 * Returns the origin of an article whose texts an application has changed. Nobody has reviewed these. What models alone
 * have written stays `generated`.
 */
const markOrigin = (application: SQL, time: SQL): SQL =>
  jsonObject({
    kind: sql`iif(${articles.origin} ->> '$.kind' = 'generated', 'generated', 'edited')`,
    model: sql`${articles.origin} ->> '$.model'`,
    generationId: sql`${articles.origin} ->> '$.generationId'`,
    application,
    writeTime: time,
  });

/** The origin of an article whose texts somebody else has changed: no review ends. */
const EDITED = sql`json_set(${articles.origin}, '$.kind', 'edited')`;

/** Whose texts an update has, if not only the writer's. */
export type OthersTexts = {
  /** The application that wrote in the working copy. */
  readonly application: string | null;
  /** Whether the writer has added texts. */
  readonly andOwn: boolean;
};

type Written = {
  /** The condition that title, description or content change; undefined if the update has none of them. */
  readonly textsDiffer: SQL | undefined;
  readonly others: OthersTexts | undefined;
  /** The origin of the former state that is restored, as it is stored. */
  readonly restored: string | null | undefined;
  readonly time: string;
  /** Who confirms the review by this update. */
  readonly review: Review | undefined;
};

/** Returns the new `origin`, on the article's row before the update; undefined if it does not change. */
export function computeOrigin(writer: Writer, { textsDiffer, review, ...how }: Written): SQL | undefined {
  const written =
    textsDiffer && sql`case when ${textsDiffer} then ${rewriteOrigin(writer, how)} else ${articles.origin} end`;
  return review === undefined ? written : confirmReview(written ?? sql`${articles.origin}`, review);
}

type Rewritten = Pick<Written, "others" | "restored" | "time">;

function rewriteOrigin(writer: Writer, { others, restored, time }: Rewritten): SQL {
  if (restored !== undefined) return sql`json_set(${restored}, '$.writeTime', ${time})`;
  const at = sql`${time}`;
  const own = others?.andOwn === false ? undefined : selectOfApplication(writer, markOrigin(NAME, at));
  const other = others?.application == null ? undefined : markOrigin(sql`${others.application}`, at);
  const marks = [own, other].filter((mark) => mark !== undefined);
  return marks.length === 0 ? EDITED : sql`coalesce(${sql.join(marks, sql`, `)}, ${EDITED})`;
}

/** Returns an origin that somebody has reviewed, unless an application has written after they did. */
const confirmReview = (origin: SQL, { by, time }: Review): SQL =>
  sql`json_patch(${origin}, iif(coalesce(${articles.origin} ->> '$.writeTime', '') <= ${time},
    ${JSON.stringify({ reviewedBy: by, reviewTime: time })}, '{}'))`;

/** The condition, on an article, that nobody has confirmed the review of what a model wrote. */
export const IS_UNREVIEWED = sql`(${articles.origin} is not null and ${articles.origin} ->> '$.reviewTime' is null)`;

const COPY_HAS_TEXTS = sql`(${workingCopies.content} is not null or ${workingCopies.members} ->> '$.title' is not null
  or ${workingCopies.members} ->> '$.description' is not null)`;

/** The origin that an article would have with its working copy. */
export const ORIGIN_OF_COPY = sql`case when not ${COPY_HAS_TEXTS} then ${articles.origin}
  when ${workingCopies.application} is null then ${EDITED}
  else ${markOrigin(sql`${workingCopies.application}`, sql`${workingCopies.lastEditTime}`)} end`;

type Texts = {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly content?: string | undefined;
};

export const hasTexts = ({ title, description, content }: Texts): boolean =>
  [title, description, content].some((text) => text !== undefined);

/** Returns the application that has changed the texts of a working copy, if it is saved with these; undefined for people. */
export function computeApplicationOfCopy(writer: Writer, fields: Texts): SQL | undefined {
  const application = selectOfApplication(writer, NAME);
  if (application === undefined || !hasTexts(fields)) return undefined;
  const shown = {
    title: sql`coalesce(${workingCopies.members} ->> '$.title', ${articles.title})`,
    description: sql`coalesce(${workingCopies.members} ->> '$.description', ${articles.description})`,
    content: sql`coalesce(${workingCopies.content}, ${articles.content})`,
  };
  const different = (["title", "description", "content"] as const).flatMap((name) =>
    fields[name] === undefined ? [] : [sql`${shown[name]} is not ${fields[name]}`],
  );
  return sql`(select case when ${sql.join(different, sql` or `)} then coalesce(${application}, ${workingCopies.application})
    else ${workingCopies.application} end from ${articles} where ${articles.id} = ${workingCopies.articleId})`;
}
