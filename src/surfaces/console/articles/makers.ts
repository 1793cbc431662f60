/** Names who made something: members by name, if the viewer may read the list of members. */
import { readAllItems } from "../../../lib/pages.ts";
import { registry } from "../../../operations/registry.ts";
import type { ConsoleContext } from "../env.ts";
import { can, perform, getPerson } from "../session.ts";

type Actor = { readonly kind: string; readonly id: string };

const KINDS: Readonly<Record<string, string>> = {
  user: "a member",
  key: "an API key",
  operator: "an access token",
  app: "an app",
  schedule: "a schedule",
};

/** Returns a function that names these actors. The list of members is read only if another member is among them. */
export async function loadActorNames(c: ConsoleContext, actors: readonly Actor[]): Promise<(actor: Actor) => string> {
  const me = getPerson(c).id;
  const isAsked = can(c, "operator") && actors.some(({ kind, id }) => kind === "user" && id !== me);
  const people = isAsked ? await readAllItems((cursor) => perform(c, registry.listMembers, { cursor })) : [];
  const names = new Map(people.map(({ userId, name }) => [userId, name]));
  return ({ kind, id }) => (id === me ? "you" : (names.get(id) ?? KINDS[kind] ?? kind));
}
