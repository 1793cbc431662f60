/** Who may write: what no rule allows is refused, and changes nothing. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { parseSettings } from "../../src/env.ts";
import { newId } from "../../src/lib/ids.ts";
import { openOrganizationStore, type OrganizationStore } from "../../src/store/organization.ts";
import type { Actor } from "../../src/store/core/writer.ts";
import { newTenant } from "../helpers/tenant.ts";

/** The store of a new tenant for an actor. */
async function storeFor(actor: Actor): Promise<OrganizationStore> {
  const { organizationId } = await newTenant();
  return openOrganizationStore({
    db: env.DB,
    organizationId,
    pinnedBlogId: null,
    actor,
    requestId: newId(),
    now: () => new Date(),
    quota: parseSettings(env).quota,
    announce: () => undefined,
    afterwards: () => undefined,
  });
}

const save = (store: OrganizationStore) =>
  store.createBlog({ name: "Late", coverUrl: "", locales: ["en"], vanityId: { derived: `late-${newId()}` } });

const stateOf = async (store: OrganizationStore) => ({
  blogs: await store.listBlogs({ limit: 100, skip: 0 }),
  audit: await store.listAudit({ limit: 10, skip: 0 }),
});

const REFUSED: readonly [who: string, actor: Actor, code: string][] = [
  ["an actor of an unknown kind", { kind: "unheard of", id: newId() } as unknown as Actor, "credentials_invalid"],
  ["a user without a role", { kind: "user", id: newId(), role: null }, "role_forbidden"],
  ["an application of somebody without a role", { kind: "app", id: newId(), role: null }, "credentials_invalid"],
  ["a user who is no member", { kind: "user", id: newId(), role: "owner" }, "role_forbidden"],
];

describe.each(REFUSED)("%s", (_, actor, code) => {
  it("is not authorized", async () => {
    const store = await storeFor(actor);
    await expect(store.requireAuthorized()).rejects.toMatchObject({ code });
  });

  it("writes nothing", async () => {
    const store = await storeFor(actor);
    const before = await stateOf(store);
    await expect(save(store)).rejects.toMatchObject({ code });
    expect(await stateOf(store)).toEqual(before);
  });
});

it("a person who acts for themselves is a user in the audit log", async () => {
  const id = newId();
  const store = await storeFor({ kind: "person", id });
  await save(store);
  const { items } = await store.listAudit({ limit: 1, skip: 0 });
  expect(items.map(({ value }) => value.actor)).toEqual([{ kind: "user", id, name: null }]);
});
