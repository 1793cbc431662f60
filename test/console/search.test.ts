/** The search of the console, and what the palette gets of it; import and export; the page of a delivery. */
import { expect, test } from "vitest";
import type { SearchResult } from "../../src/surfaces/console/search/result.ts";
import { newBrowser, signedIn, unescaped, type Browser } from "../helpers/console.ts";
import { save } from "../helpers/console-articles.ts";
import { newDelivery } from "../helpers/world-rows.ts";
import { sendJson } from "../helpers/requests.ts";
import { newTenant } from "../helpers/tenant.ts";

const find = async (browser: Browser, asked: string): Promise<SearchResult[]> => {
  const { text } = await browser.get(`/console/search/results?q=${encodeURIComponent(asked)}`);
  return (JSON.parse(text) as { results: SearchResult[] }).results;
};

test("pages, actions, blogs and articles are found, by the beginnings of their words", async () => {
  const tenant = await newTenant("Field notes");
  const { browser } = await signedIn(tenant.organizationId);
  const { _id } = await save(tenant, { blogId: tenant.blogId, title: "Ferries & <fjords>" });
  expect(await find(browser, "ferri")).toEqual([
    {
      kind: "Article",
      label: "Ferries & <fjords>",
      hint: "Field notes · en · draft",
      path: `/console/articles/${_id}`,
    },
  ]);
  expect(await find(browser, "field no")).toMatchObject([
    { kind: "Blog", label: "Field notes", path: `/console/articles?blog=${tenant.blogId}` },
  ]);
  expect((await find(browser, "audit")).map(({ path }) => path)).toEqual(["/console/audit"]);
  expect((await find(browser, "create")).map(({ label }) => label)).toContain("New webhook");
  const { text } = await browser.get("/console/search?q=ferries");
  expect(text).toContain(`<a href="/console/articles/${_id}" dir="auto">Ferries &amp; &lt;fjords&gt;</a>`);
  expect((await browser.get("/console/search?q=%3F%3F")).text).toContain("No pages, blogs or articles match.");
});

test("every place of the navigation is found, and its page has the same name", async () => {
  const { browser } = await signedIn((await newTenant()).organizationId);
  const [, navigation = ""] = /<nav class="places"(.*?)<\/nav>/s.exec((await browser.get("/console/keys")).text) ?? [];
  const links = [...navigation.matchAll(/<a href="(\/console[^"]*)".*?>([^<>]+)<\/a>/gs)];
  const places = links.flatMap(([, path]) => path ?? []);
  expect(places.length).toBeGreaterThan(10);
  const found = (await find(browser, "")).map(({ path }) => path);
  expect(places.filter((path) => !found.includes(path))).toEqual([]);
  for (const path of found) expect((await browser.get(path)).status, path).toBe(200);
  for (const [, path = "", name] of links) {
    const [, title] = /<h1[^>]*>(.*?)<\/h1>/.exec((await browser.get(path)).text) ?? [];
    expect(title, path).toContain(name);
  }
});

test("only what the role may reach is found, and nothing by somebody who is signed out", async () => {
  const tenant = await newTenant();
  const reader = (await signedIn(tenant.organizationId, "reader")).browser;
  const all = (await find(reader, "")).map(({ path }) => path);
  expect(all).toContain("/console/articles");
  for (const path of ["/console/audit", "/console/articles/new", "/console/contacts"]) expect(all).not.toContain(path);
  for (const path of all) expect((await reader.get(path)).status, path).toBe(200);
  expect((await newBrowser().get("/console/search/results?q=a")).status).toBe(303);
});

test("the page about import and export has commands for the chosen blog", async () => {
  const tenant = await newTenant();
  const { browser } = await signedIn(tenant.organizationId);
  const as = { operatorToken: tenant.operatorToken };
  const blog = await sendJson<{ _id: string; vanityId: string }>(200, "/api/blogs", { as, body: { name: "Second" } });
  const text = unescaped((await browser.get(`/console/transfer?blog=${blog._id}`)).text);
  expect(text).toContain(`npx edgepress import content/posts --blog ${blog.vanityId} --dry-run`);
  // `npx` finds it in a clone only: nobody has published a package of this name.
  expect(text).toContain("in a clone of the source");
  expect(text).toContain('<a href="/docs/guides/publish-from-ci#h-the-client">');
  expect(text).toContain(`npx edgepress export backup --blog ${blog.vanityId}`);
  const reader = (await signedIn(tenant.organizationId, "reader")).browser;
  expect((await reader.get("/console/transfer")).text).not.toContain("edgepress import");
});

test("a delivery has a page with its request and what came of it", async () => {
  const tenant = await newTenant();
  const { browser } = await signedIn(tenant.organizationId);
  const as = { operatorToken: tenant.operatorToken };
  const body = { url: "https://hooks.example.com/a" };
  const { _id } = await sendJson<{ _id: string }>(200, "/api/webhooksubscriptions", { as, body });
  const eventId = await newDelivery(tenant, _id);
  const path = `/console/webhooks/${_id}/deliveries/${eventId}`;
  expect((await browser.get(`/console/webhooks/${_id}`)).text).toContain(`<a href="${path}">article.updated</a>`);
  const text = unescaped((await browser.get(path)).text);
  expect(text).toContain("POST https://hooks.example.com/a");
  expect(text).toContain("X-Service-Event: article.updated");
  // The second of the attempt.
  expect(text).toContain("X-Service-Signature: t=1767225600,v1=…");
  expect(text).toContain('"timestamp": 1767225600');
  expect(text).toContain(">Succeeded<");
  expect((await browser.get(`/console/webhooks/${_id}/deliveries/${_id}`)).status).toBe(404);
});
