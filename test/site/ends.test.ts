/** Contract 21.1: pages of lists behind their ends, and in languages in which there is nothing. */
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
