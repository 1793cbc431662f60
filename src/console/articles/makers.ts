/** Says who made something: a member by name, where the viewer may know it. */
import { allItems } from "../../lib/pages.ts";
import { registry } from "../../operations/registry.ts";
import type { ConsoleContext } from "../env.ts";
import { can, perform, personOf } from "../session.ts";

type Actor = { readonly kind: string; readonly id: string };

const KINDS: Readonly<Record<string, string>> = {
  user: "a member",
  key: "an API key",
  operator: "an access token",
  app: "an application",
  schedule: "a schedule",
};

/** Returns a function that names an actor. Members have names if the viewer may read the list of members. */
export async function findMakers(c: ConsoleContext): Promise<(actor: Actor) => string> {
  const people = can(c, "operator") ? await allItems((cursor) => perform(c, registry.listMembers, { cursor })) : [];
  const names = new Map(people.map(({ userId, name }) => [userId, name]));
  const me = personOf(c).id;
  return ({ kind, id }) => (id === me ? "you" : (names.get(id) ?? KINDS[kind] ?? kind));
}
