/** Mails of local runs: they go nowhere, so that the console can show them. */
import { sql } from "drizzle-orm";
import { newId } from "../../lib/ids.ts";
import { localMails } from "./schema.ts";
import { prepare, rows, type Database } from "../core/sql.ts";

/** How many are shown. */
const MOST = 20;

export type LocalMail = {
  readonly recipient: string;
  readonly subject: string;
  readonly body: string;
  readonly creationTime: string;
};

type Kept = { readonly to: string; readonly subject: string; readonly text: string };

/** Keeps a mail. */
export async function keepLocalMail(db: Database, { to, subject, text }: Kept, now: Date): Promise<void> {
  await prepare(
    db,
    sql`insert into ${localMails} (id, recipient, subject, body, creation_time)
      values (${newId()}, ${to}, ${subject}, ${text}, ${now.toISOString()})`,
  ).run();
}

/** The last mails, newest first; of one recipient where one is given. */
export function listLocalMails(db: Database, recipient?: string): Promise<LocalMail[]> {
  const whose = recipient === undefined ? sql`true` : sql`recipient = ${recipient}`;
  return rows<LocalMail>(
    db,
    sql`select recipient, subject, body, creation_time as "creationTime" from ${localMails}
      where ${whose} order by creation_time desc, id desc limit ${MOST}`,
  );
}
