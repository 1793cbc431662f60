/** An organization's machine connections: apps without a browser, which an owner made for a program (contract 10.19). */
import { and, desc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";
import { DomainError } from "../../domain/errors.ts";
import type { StoredSecret } from "../../domain/secrets.ts";
import { connectedApps } from "../../schema/access.ts";
import { blogs } from "../../schema/blogs.ts";
import { users } from "../../schema/people.ts";
import { commit, makeLicense } from "../core/commit.ts";
import { builder, orm } from "../core/sql.ts";
import type { Writer } from "../core/writer.ts";

const MACHINE = {
  _id: connectedApps.id,
  name: connectedApps.clientName,
  hint: sql<string>`${connectedApps.hint}`,
  scopes: connectedApps.scopes,
  /** The name of the only blog that it may touch; null for all. */
  blog: sql<string | null>`(select ${blogs.name} from ${blogs} where ${blogs.id} = ${connectedApps.blogId})`,
  owner: users.name,
  expirationTime: connectedApps.expirationTime,
  lastUsedTime: connectedApps.lastUsedTime,
  creationTime: connectedApps.creationTime,
};

export type Machine = SelectResultFields<typeof MACHINE>;

const isOwn = ({ organizationId }: Writer) =>
  and(
    eq(connectedApps.organizationId, organizationId),
    isNotNull(connectedApps.secretHash),
    isNull(connectedApps.disconnectTime),
  );

/** Returns the machine connections that nobody has ended, expired ones too, newest first. Owners have up to 100 each. */
export async function listMachines(writer: Writer): Promise<Machine[]> {
  return orm(writer.db)
    .select(MACHINE)
    .from(connectedApps)
    .innerJoin(users, eq(users.id, connectedApps.userId))
    .where(isOwn(writer))
    .orderBy(desc(connectedApps.creationTime), desc(connectedApps.id))
    .limit(1000);
}

/** Gives a machine connection another secret. The former one, and all tokens, stop working at once. Throws `not_found`. */
export const rotateMachine = (writer: Writer, id: string, { hash, hint }: StoredSecret): Promise<void> =>
  change(writer, id, { action: "apps.rotate", set: () => ({ secretHash: hash, hint }) });

/** Ends a machine connection. Throws `not_found`. */
export const endMachine = (writer: Writer, id: string): Promise<void> =>
  change(writer, id, { action: "apps.disconnect", set: (time) => ({ disconnectTime: time }) });

type Change = {
  readonly action: string;
  readonly set: (time: string) => Partial<typeof connectedApps.$inferInsert>;
};

async function change(writer: Writer, id: string, { action, set }: Change): Promise<void> {
  const target = and(eq(connectedApps.id, id), isOwn(writer));
  const outcome = await commit(writer, makeLicense(writer), {
    action,
    resourceId: id,
    blogId: null,
    where: sql`from ${connectedApps} where ${target}`,
    change: ({ held, time }) => [builder.update(connectedApps).set(set(time)).where(and(target, held))],
    answer: sql`json_object('value', null)`,
  });
  if (outcome.refused) throw new DomainError("not_found", "This connection has ended.");
}
