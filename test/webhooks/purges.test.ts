/** What the changes of an article purge. */
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { purgedTags } from "../helpers/relay.ts";
import { sendJson } from "../helpers/requests.ts";
import { newTenant } from "../helpers/tenant.ts";

it.each([
  ["nobody", false],
  ["a webhook", true],
])("what %s is told of a draft purges nothing; its publication and the end of it do", async (_, isSubscribed) => {
  const tenant = await newTenant();
  const as = { apiKey: tenant.apiKey };
  if (isSubscribed) {
    const body = { url: "https://hooks.example.com/edgepress" };
    await sendJson(200, "/api/webhooksubscriptions", { as: { operatorToken: tenant.operatorToken }, body });
  }
  const purgedBy = async (body: object): Promise<[string, string[]]> => {
    const { _id } = await sendJson<{ _id: string }>(200, "/api/articles", { as, body });
    const tags = await purgedTags(tenant);
    await env.DB.prepare("delete from purges where organization_id = ?").bind(tenant.organizationId).run();
    return [_id, tags];
  };
  const [_id, created] = await purgedBy({ blogId: tenant.blogId, title: "Draft" });
  expect(created).toEqual([]);
  expect(await purgedBy({ _id, title: "Still a draft" })).toEqual([_id, []]);
  const ofBlog = [expect.stringContaining(tenant.blogId)];
  for (const change of [{ published: true }, { title: "Seen" }, { published: false }]) {
    expect(await purgedBy({ _id, ...change })).toEqual([_id, ofBlog]);
  }
  expect(await purgedBy({ _id, title: "A draft again" })).toEqual([_id, []]);
});
