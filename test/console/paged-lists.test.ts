/** Lists of the console that are longer than a page, and what needs more than one page of them. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { signedIn, unescaped, type Browser } from "../helpers/console.ts";
import { fillList, LISTS, placesOf } from "../helpers/lists.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";

const COUNT = 120;

let tenant: Tenant;
let browser: Browser;
beforeAll(async () => {
  tenant = await newTenant();
  for (const list of Object.values(LISTS)) await fillList(list, tenant, COUNT);
  ({ browser } = await signedIn(tenant.organizationId));
});

/** Returns the text of a page, and the target of the link with this label. */
async function shown(path: string, label: string): Promise<{ text: string; next: string | undefined }> {
  const { status, text } = await browser.get(path);
  expect(status, path).toBe(200);
  const next = new RegExp(`<a rel="next" href="([^"]+)"[^>]*>\\s*${label}\\s*<`).exec(text)?.[1];
  return { text, next: next && unescaped(next) };
}

/** Returns those of `ids` whose link each page of a list has, page by page. */
async function walk(path: string, label: string, hrefOf: (id: string) => string, ids: readonly string[]) {
  const pages: string[][] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const page: Awaited<ReturnType<typeof shown>> = await shown(next, label);
    pages.push(ids.filter((id) => page.text.includes(`"${hrefOf(id)}"`)));
    next = page.next;
  }
  return pages;
}

const idsOf = async (list: (typeof LISTS)[keyof typeof LISTS]): Promise<string[]> =>
  (await placesOf(list, tenant)).map(({ id }) => id);

const WALKS = [
  ["blogs", "/console/blogs", "More", (id: string) => `/console/blogs/${id}`],
  ["subscriptions", "/console/webhooks", "More", (id: string) => `/console/webhooks/${id}`],
  ["members", "/console/members", "More", (id: string) => `/console/members/${id}`],
  ["keys", "/console/keys", "Older API keys", (id: string) => `/console/keys/${id}/revoke`],
  ["tokens", "/console/keys", "Older access tokens", (id: string) => `/console/keys/tokens/${id}/revoke`],
] as const;

describe("the list of", () => {
  it.each(WALKS)("%s shows 50 on a page, and each once", async (name, path, label, hrefOf) => {
    const ids = await idsOf(LISTS[name]);
    const pages = await walk(path, label, hrefOf, ids);
    expect(pages).toEqual([ids.slice(0, 50), ids.slice(50, 100), ids.slice(100)]);
  });
});

describe("what is behind the first page", () => {
  it("is among the choices: every blog", async () => {
    const ids = await idsOf(LISTS.blogs);
    for (const path of ["/console/keys/new", "/console/webhooks/new", "/console/articles/new", "/console/articles"]) {
      const { text } = await shown(path, "none");
      for (const id of ids) expect(text, path).toContain(`<option value="${id}"`);
    }
    expect((await shown(`/console/articles?blog=${ids.at(-1)}`, "none")).text).toContain(tenant.blogId);
    expect((await shown("/console", "none")).text).toContain(`All ${ids.length}`);
  });

  it("can be revoked: the oldest key and token", async () => {
    for (const [list, folder] of [
      [LISTS.keys, "/console/keys"],
      [LISTS.tokens, "/console/keys/tokens"],
    ] as const) {
      const id = (await idsOf(list)).at(-1) ?? "";
      const path = `${folder}/${id}/revoke`;
      expect((await browser.submit(path, path)).status).toBe(303);
      expect(await idsOf(list)).not.toContain(id);
    }
  });

  it("has its name in the audit log: a member, a key and a token", async () => {
    const [member, key, token] = [
      (await idsOf(LISTS.members)).at(110) ?? "",
      (await idsOf(LISTS.keys)).at(110) ?? "",
      (await idsOf(LISTS.tokens)).at(110) ?? "",
    ];
    const actors = [
      ["user", `user-${member}`],
      ["key", key],
      ["operator", token],
    ];
    await env.DB.prepare(
      `insert into audit (id, organization_id, actor_kind, actor_id, action, resource_id, request_id, creation_time)
       select 'ffffffff-0000-7000-8000-00000000000' || key, ?1, value ->> 0, value ->> 1, 'blogs.update', '', '', '2026-01-01T00:00:00.000Z'
       from json_each(?2)`,
    )
      .bind(tenant.organizationId, JSON.stringify(actors))
      .run();
    const { text } = await shown("/console/audit", "Older");
    expect(text.split("updated the blog")).toHaveLength(1 + actors.length);
    // It stands for them in addresses and choices only.
    const words = text.replaceAll(/="[^"]*"/g, "");
    for (const [, id = ""] of actors) expect(words).not.toContain(id);
  });

  it("has its URL beside what could not be sent to it: a subscription", async () => {
    const id = (await idsOf(LISTS.subscriptions)).at(110) ?? "";
    await env.DB.prepare(
      `insert into dead_letters (id, organization_id, event_id, subscription_id, kind, tries, creation_time, try_time)
       values (?1, ?2, ?1, ?3, 'blog.created', 1, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`,
    )
      .bind(crypto.randomUUID(), tenant.organizationId, id)
      .run();
    const { text } = await shown("/console/webhooks", "More");
    expect(text).toContain("https://hooks.example.com/110<");
    expect(text).not.toContain(id);
  });

  it("is among the troubles of the overview: a subscription that was deactivated", async () => {
    const id = (await idsOf(LISTS.subscriptions)).at(110) ?? "";
    await env.DB.prepare("update webhook_subscriptions set active = 0, failure_streak = 20 where id = ?")
      .bind(id)
      .run();
    expect((await shown("/console", "none")).text).toContain(`/console/webhooks/${id}`);
  });
});
