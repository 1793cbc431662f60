/** Emails of local runs. They are stored instead of sent, and the console shows them. */
import { desc, eq, getTableColumns } from "drizzle-orm";
import { newId } from "../../lib/ids.ts";
import { localMails } from "../../schema/people.ts";
import { orm, type Database } from "../core/sql.ts";

const MOST = 20;

export type LocalMail = Omit<typeof localMails.$inferSelect, "id">;

type Kept = { readonly to: string; readonly subject: string; readonly text: string };

export async function keepLocalMail(db: Database, { to, subject, text }: Kept, now: Date): Promise<void> {
  const mail = { id: newId(), recipient: to, subject, body: text, creationTime: now.toISOString() };
  await orm(db).insert(localMails).values(mail);
}

/** Returns the last emails, newest first; only those to `recipient` if it is given. */
export async function listLocalMails(db: Database, recipient?: string): Promise<LocalMail[]> {
  const { id, ...shown } = getTableColumns(localMails);
  return orm(db)
    .select(shown)
    .from(localMails)
    .where(recipient === undefined ? undefined : eq(localMails.recipient, recipient))
    .orderBy(desc(localMails.creationTime), desc(id))
    .limit(MOST);
}
