/** Contract 13.1: the ETag of what shows something of another resource changes with it. */
import { describe, expect, it } from "vitest";
import { deletion } from "../helpers/deletions.ts";
import { headerOf } from "../helpers/outcome.ts";
import { issueKey, send, sendJson } from "../helpers/requests.ts";
import { inMinutes, schedule } from "../helpers/schedules.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";

const etagOf = async (as: Tenant, path: string) => headerOf(await send(path, { as }), "ETag");
const statusOf = async (as: Tenant, path: string, etag: string) =>
  (await send(path, { as, headers: { "If-None-Match": etag } })).status;

/** Each of these tags answers 304 until the change was made, and 200 afterwards. */
async function expectNoticed(as: Tenant, paths: readonly string[], change: () => Promise<unknown>) {
  const etags = await Promise.all(paths.map((path) => etagOf(as, path)));
  const answers = () => Promise.all(paths.map((path, n) => statusOf(as, path, etags[n] ?? "")));
  expect(await answers()).toEqual(paths.map(() => 304));
  await change();
  expect(await answers()).toEqual(paths.map(() => 200));
}

describe("an ETag also stands for what is shown of another resource", () => {
  it.each([{ title: "Other" }, { slug: "other" }, { locale: "pt" }])("a schedule, with %j", async (changed) => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant, { published: false });
    await schedule(tenant, _id, { publishTime: inMinutes(60) });
    const paths = [`/api/articles/${_id}/schedule`, "/api/schedules"];
    await expectNoticed(tenant, paths, () =>
      sendJson(200, "/api/articles", { as: { apiKey: tenant.apiKey }, body: { _id, ...changed } }),
    );
  });

  it.each([{ title: "Other" }, { slug: "other" }, { locale: "pt" }])("a deletion, with %j", async (changed) => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant);
    await deletion(tenant, _id);
    await expectNoticed(tenant, ["/api/deletions"], () =>
      sendJson(200, "/api/articles", { as: { apiKey: tenant.apiKey }, body: { _id, ...changed } }),
    );
  });

  it("a site, with the vanityId that is its address", async () => {
    const tenant = await newTenant();
    const blog = `/api/blogs/${tenant.blogId}`;
    await expectNoticed(tenant, [`${blog}/site`], () =>
      sendJson(200, blog, { as: tenant, method: "PUT", body: { vanityId: `moved-${tenant.blogId.slice(-12)}` } }),
    );
  });
});

describe("a write asks for the version only", () => {
  it("of a schedule, whose article has changed since", async () => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant, { published: false });
    await schedule(tenant, _id, { publishTime: inMinutes(60) });
    const path = `/api/articles/${_id}/schedule`;
    const headers = { "If-Match": await etagOf(tenant, path) };
    await sendJson(200, "/api/articles", { as: { apiKey: tenant.apiKey }, body: { _id, title: "Other" } });
    const body = { publishTime: inMinutes(90) };
    expect((await send(path, { as: tenant, method: "PUT", body, headers })).status).toBe(200);
    expect((await send(path, { as: tenant, method: "DELETE", headers })).status).toBe(412);
  });

  it("of a site, whose vanityId has changed since", async () => {
    const tenant = await newTenant();
    const blog = `/api/blogs/${tenant.blogId}`;
    const headers = { "If-Match": await etagOf(tenant, `${blog}/site`) };
    await sendJson(200, blog, {
      as: tenant,
      method: "PUT",
      body: { vanityId: `moved-${tenant.blogId.slice(-12)}` },
    });
    const put = () => send(`${blog}/site`, { as: tenant, method: "PUT", body: { description: "x" }, headers });
    expect([(await put()).status, (await put()).status]).toEqual([200, 412]);
  });
});

describe("the ETag of a list is one that HTTP allows", () => {
  it("of audit entries, whoever wrote", async () => {
    const tenant = await newTenant();
    for (const name of ["é", "李", '"x"']) {
      const as = { operatorToken: tenant.operatorToken };
      const { _id, secret } = await issueKey(as, ["articles:read", "articles:write"], { name });
      await newArticle({ ...tenant, apiKey: secret }, { title: name });
      expect(headerOf(await send(`/api/audit?actor=${_id}`, { as }), "ETag")).toMatch(/^"[\x21\x23-\x7e]+"$/);
    }
  });
});
