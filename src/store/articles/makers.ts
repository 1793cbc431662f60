/** Who made which state of an article, and whether a model wrote it (contract 18.31). */
import { sql } from "drizzle-orm";
import type { GeneratedOrigin } from "../../domain/origin.ts";
import { articles, revisions } from "../../schema/articles.ts";
import { audit } from "../../schema/core.ts";
import type { Writer } from "../core/writer.ts";
import { queryRows } from "../core/sql.ts";
import { isOwnArticle } from "./conditions.ts";
import { PRESENT, type Maker } from "./revisions.ts";

export type MadeState = {
  readonly number: number;
  /** Whether it is the article as it is. */
  readonly present: boolean;
  readonly workingCopy: boolean;
  readonly by: Maker | null;
  readonly time: string;
  /** The origin of the article in this state; null if people wrote it, or it is not known. */
  readonly origin: (Partial<GeneratedOrigin> & { readonly writeTime?: string }) | null;
};

type Row = {
  readonly number: number;
  readonly present: number;
  readonly workingCopy: number;
  readonly kind: string | null;
  readonly id: string | null;
  readonly action: string | null;
  readonly time: string;
  readonly origin: string | null;
};

/** Returns the states of an article with the present one, newest first. Empty if there is no such article. */
export async function listMakers(writer: Writer, articleId: string): Promise<MadeState[]> {
  const isIt = isOwnArticle(writer, articleId);
  const rows = await queryRows<Row>(
    writer.db,
    sql`select ${PRESENT} as "number", 1 as "present", 0 as "workingCopy", ${audit.actorKind} as "kind", ${audit.actorId} as "id",
        ${audit.action} as "action", iif(${articles.stateVersion} is null, ${articles.lastEditTime},
          coalesce(${audit.creationTime}, ${articles.lastEditTime})) as "time", ${articles.origin} as "origin"
      from ${articles} left join ${audit} on ${audit.organizationId} = ${articles.organizationId}
        and ${audit.id} = coalesce(${articles.stateVersion}, ${articles.version}) where ${isIt}
      union all
      select ${revisions.number}, 0, ${revisions.workingCopy}, ${revisions.actorKind}, ${revisions.actorId}, ${revisions.action},
        ${revisions.lastEditTime}, ${revisions.members} ->> '$.origin'
      from ${articles} cross join ${revisions} where ${isIt} and ${revisions.articleId} = ${articles.id}
      order by 1 desc`,
  );
  return rows.map(({ number, present, workingCopy, kind, id, action, time, origin }) => ({
    number,
    present: present === 1,
    workingCopy: workingCopy === 1,
    by: kind === null ? null : { kind, id: id ?? "", action: action ?? "" },
    time,
    origin: origin === null ? null : (JSON.parse(origin) as MadeState["origin"]),
  }));
}
