/** The console's page of a blog's site, and the links to where readers find an article. */
import { expect, test } from "vitest";
import { fieldOf, writing } from "../helpers/console-articles.ts";
import { freshHost, hostsOf, proofOf, setDns } from "../helpers/hosts.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { signedIn } from "../helpers/console.ts";
import { newArticle, newTenant } from "../helpers/tenant.ts";

type Site = Record<string, unknown>;

test("a blog's site is set up by its page", async () => {
  const tenant = await newTenant();
  const { browser } = await signedIn(tenant.organizationId);
  const as = { apiKey: tenant.apiKey };
  const path = `/console/blogs/${tenant.blogId}/site`;
  const stored = () => sendJson<Site>(200, `/api/blogs/${tenant.blogId}/site`, { as });
  expect((await browser.get(`/console/blogs/${tenant.blogId}`)).text).toContain(`href="${path}"`);
  const fields = {
    shown: "yes",
    description: "Walks",
    font: "sans",
    accentColor: "#0F766E",
    logoUrl: "",
    menu: "About us | /en/about\nShop|https://shop.example.com/",
    siteUrl: "https://walks.example.com/",
    articlePath: "/notes/{slug}",
    feedContent: "excerpt",
  };
  expect((await browser.submit(path, path, fields)).headers.get("Location")).toBe(`${path}?done=saved`);
  expect(await stored()).toMatchObject({
    enabled: true,
    description: "Walks",
    font: "sans",
    accentColor: "#0f766e",
    menu: [
      { label: "About us", url: "/en/about" },
      { label: "Shop", url: "https://shop.example.com/" },
    ],
    siteUrl: "https://walks.example.com",
    feedContent: "excerpt",
  });
  const page = await browser.get(path);
  expect(fieldOf(page, "menu")).toBe("About us | /en/about\nShop | https://shop.example.com/");
  const refused = await browser.submit(path, path, { ...fields, menu: "Evil | //evil.example", accentColor: "red" });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain("must be a colour");
  expect(fieldOf(refused, "menu")).toBe("Evil | //evil.example");
  const { shown: _, ...off } = fields;
  expect((await browser.submit(path, path, off)).status).toBe(303);
  expect(await stored()).toMatchObject({ enabled: false });
});

test("a host of the blog's own is added, checked and removed by its page", async () => {
  const tenant = await newTenant();
  const { browser } = await signedIn(tenant.organizationId);
  const path = `/console/blogs/${tenant.blogId}/site/hosts`;
  expect((await browser.get(`/console/blogs/${tenant.blogId}/site`)).text).toContain(`href="${path}"`);
  const refused = await browser.submit(path, path, { host: "https://a.example.com/" });
  expect(refused.status).toBe(400);
  expect(fieldOf(refused, "host")).toBe("https://a.example.com/");
  const host = freshHost();
  expect((await browser.submit(path, path, { host })).headers.get("Location")).toBe(`${path}?done=host-added`);
  const [added] = await hostsOf(tenant).list();
  const page = await browser.get(path);
  expect(page.text).toContain(`value="_edgepress.${host}"`);
  expect(page.text).toContain(`value="${added?.records[0]?.value ?? "none"}"`);
  const check = () => browser.submit(path, `${path}/${host}/check`, {});
  await setDns(host, { behave: "error" });
  const failed = await check();
  expect([failed.status, failed.text]).toEqual([502, expect.stringContaining("answered with status 500")]);
  await setDns(host, { texts: ["<b>other</b>"] });
  expect((await check()).headers.get("Location")).toBe(`${path}?done=host-checked`);
  expect((await browser.get(path)).text).toContain("&lt;b&gt;other&lt;/b&gt;");
  await setDns(host, { texts: [added === undefined ? "" : proofOf(added)] });
  expect((await check()).headers.get("Location")).toBe(`${path}?done=host-verified`);
  expect((await browser.get(path)).text).toContain(`href="https://${host}"`);
  const remove = `${path}/${host}/remove`;
  expect((await browser.get(remove)).text).toContain(`Remove ${host}?`);
  expect((await browser.submit(remove, remove, {})).headers.get("Location")).toBe(`${path}?done=host-removed`);
  expect((await browser.get(remove)).status).toBe(404);
  expect((await browser.get("/console/audit")).text).toContain("removed the custom domain");
});

test("every published article leads to where its readers find it", async () => {
  const { tenant, browser } = await writing();
  const shown = await newArticle(tenant, { title: "Shown", slug: "shown" });
  const draft = await newArticle(tenant, { title: "Draft", published: false });
  const list = await browser.get("/console/articles");
  expect(list.text).toContain(`href="/console/articles/${shown._id}/site"`);
  expect(list.text).not.toContain(`href="/console/articles/${draft._id}/site"`);
  const { text } = await browser.get(`/console/articles/${shown._id}`);
  expect(text).toContain("View on site");
  const [, markdown = ""] = /<a href="([^"]*)">Markdown</.exec(text) ?? [];
  expect(markdown).toBe(`/blogs/${shown.blogId}/articles/${shown._id}.md`);
  expect((await send(markdown)).status).toBe(200);
  const { url } = await sendJson<{ url: string }>(200, `/api/articles/${shown._id}?fields=url`);
  const led = await browser.get(`/console/articles/${shown._id}/site`);
  expect([led.status, led.headers.get("Location")]).toEqual([302, url]);
  expect((await browser.get(`/console/articles/${draft._id}/site`)).status).toBe(404);
});
