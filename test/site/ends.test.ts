/** Contract 21.1: pages behind the ends of lists, in languages in which there is nothing, and of a site that is not shown. */
import { beforeAll, expect, it } from "vitest";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
let vanityId: string;

beforeAll(async () => {
  tenant = await newTenant("Ends");
  const as = { apiKey: tenant.apiKey };
  ({ vanityId } = await sendJson<{ vanityId: string }>(200, `/api/blogs/${tenant.blogId}`, { as }));
});

it("a page behind the end of a list does not say that nothing was published, and is not to be found", async () => {
  const empty = await send(`/${vanityId}`);
  expect(await empty.text()).toContain("Nothing has been published here yet.");
  expect(empty.headers.get("X-Robots-Tag")).toBeNull();
  const { _id } = await newArticle(tenant, { title: "One", slug: "one" });
  for (const query of [`before=2000-01-01T00:00:00.000Z_${_id}`, `after=2999-01-01T00:00:00.000Z_${_id}`]) {
    for (const path of ["", "/archive"]) {
      const response = await send(`/${vanityId}${path}?${query}`);
      expect(response.status).toBe(200);
      expect(response.headers.get("X-Robots-Tag")).toBe("noindex");
      const text = await response.text();
      expect(text).toContain("No articles found.");
      expect(text).not.toContain("Nothing has been published");
      expect(text).not.toContain("canonical");
      expect(text).toContain(`href="/${vanityId}${path}"`);
    }
  }
  expect((await send(`/${vanityId}/archive`)).headers.get("X-Robots-Tag")).toBeNull();
});

it("the list of all articles is there in the blog's languages, and in those that articles have", async () => {
  expect((await send(`/${vanityId}/archive?locale=en`)).status).toBe(200);
  const missing = await send(`/${vanityId}/archive?locale=de-AT`);
  expect(missing.status).toBe(404);
  expect(await missing.text()).toContain('<html lang="en"');
});

it("a site that is not shown answers as if there were none, and the API goes on", async () => {
  const show = (enabled: boolean) =>
    sendJson(200, `/api/blogs/${tenant.blogId}/site`, {
      as: { apiKey: tenant.apiKey },
      method: "PUT",
      body: { enabled },
    });
  const unknown = await send("/no-such-blog");
  expect(unknown.status).toBe(404);
  const body = await unknown.json<Record<string, unknown>>();
  await show(false);
  expect((await send(`/${vanityId}`, { method: "POST" })).status).toBe(404);
  for (const path of ["", "/en/one", "/tags/boats", "/archive", "/search?q=one", "/nothing/at/all"]) {
    const response = await send(`/${vanityId}${path}`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: body["code"] });
  }
  expect((await send(`/api/articles?blogId=${tenant.blogId}`)).status).toBe(200);
  await show(true);
});
