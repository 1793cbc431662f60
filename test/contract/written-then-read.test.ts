/** Contract 13.7: beside a replica that lags, who has credentials reads what was written, and others read the replica. */
import { expect, it } from "vitest";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant } from "../helpers/tenant.ts";
import { LaggingReplica } from "../platform/lagging-replica.ts";

it("contract 13.7: a read with credentials shows every earlier write, one without may be behind", async () => {
  const replica = new LaggingReplica(60, () => 0);
  const tenant = await newTenant();
  const { _id } = await newArticle(tenant, { title: "Before the change" });
  const key = { apiKey: tenant.apiKey };
  const texts = (paths: readonly string[], as: { apiKey?: string }) =>
    Promise.all(paths.map(async (path) => (await send(path, { as, bindings: { DB: replica.database } })).text()));
  const open = [`/api/articles/${_id}`, `/api/articles?blogId=${tenant.blogId}`, `/blogs/${tenant.blogId}`];
  const ofMembers = ["/api/search?query=change", `/api/blogs/${tenant.blogId}/locales?structure=true`];
  await texts(open, {});
  await sendJson(200, "/api/articles", { as: key, body: { _id, title: "After the change" } });
  await sendJson(200, `/api/blogs/${tenant.blogId}`, {
    as: { operatorToken: tenant.operatorToken },
    method: "PUT",
    body: { name: "After, too" },
  });
  const { answered } = replica;
  for (const text of await texts([...open, ...ofMembers], key)) expect(text).toContain("After");
  expect(replica.answered).toBe(answered);
  for (const text of await texts(open, {})) expect(text).not.toContain("After");
  expect(replica.answered).toBe(answered + open.length);
});
