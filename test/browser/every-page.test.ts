/** Every page that a link of the console leads to, for everybody, in every scheme and on small screens. */
import type { Page } from "playwright-core";
import { expect, inject, it } from "vitest";
import { auditWhole } from "./audit.ts";
import { describeInBrowser, service, useBrowser } from "./tab.ts";
import { api, unique } from "./walk.ts";

/** The page on which the command-line client is let in. */
const AUTHORIZE = `/console/authorize?${new URLSearchParams({
  response_type: "code",
  client_id: "edgepress-cli",
  redirect_uri: "http://127.0.0.1:9/callback",
  code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  code_challenge_method: "S256",
})}`;

/** Pages without a link to them from where a member is. */
const UNLINKED = [
  "/console/nothing/here",
  "/console/blogs/none",
  "/console/articles/matrix",
  "/console/topics?status=dismissed",
  "/console/authorize?client_id=nobody",
  AUTHORIZE,
];
const SIGNED_OUT = [
  "/console/sign-in",
  "/console/sign-up",
  "/console/forgot-password",
  "/console/reset-password/abc",
  "/console/sign-up/abc",
  "/console/invitations/abc",
  "/console/sign-in/oidc",
  "/console/mail",
];

/** Gives the demo's blog a host of its own, so that its page has more than a form. */
const addHost = (): Promise<Response> =>
  api(`/api/blogs/${service().blogId}/site/hosts`, { key: service().apiKey, body: { host: "journal.example.com" } });

/** Returns the page of a new article. Without a text, as some that other tests write, it would lead to fewer pages. */
async function newArticlePage(): Promise<string> {
  const { blogId, apiKey } = service();
  const body = { blogId, title: unique("Every page"), content: "With a text.", published: true };
  const { _id } = (await (await api("/api/articles", { key: apiKey, body })).json()) as { _id: string };
  return `/console/articles/${_id}`;
}

/** More would mean that {@link kindOf} no longer knows alike pages. */
const MOST_KINDS = 120;

describeInBrowser("every page", () => {
  const browser = useBrowser();

  it("that a member reaches", { timeout: 900_000 }, async () => {
    await addHost();
    const page = await browser.open({ signedIn: true, rich: true });
    const seen = await crawl(page, ["/console", await newArticlePage(), ...UNLINKED]);
    const places = [
      "articles",
      "articles/:id",
      "blogs/:id",
      "blogs/:id/moved",
      "blogs/:id/site/hosts",
      "keys/new",
      "webhooks/:id",
      "members",
      "account",
    ];
    const generation = ["generate?article", "generate?article&locale", "generate?blog", "generate?blog&topic"].map(
      (place) => `articles/${place}`,
    );
    for (const place of [...places, ...generation, "topics", "topics/sources?blog&kind"]) {
      expect(seen).toContain(`/console/${place}`);
    }
  });

  it("has its way around for a member, that of the mails too, which needs no signing in", async () => {
    const page = await browser.open({ signedIn: true });
    await page.goto("/console/mail");
    await page.getByRole("button", { name: /^Account: / }).waitFor();
    await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "Articles" }).click();
    expect(new URL(page.url()).pathname).toBe("/console/articles");
  });

  it("that somebody reaches who is signed out", async () => {
    const page = await browser.open();
    await crawl(page, SIGNED_OUT);
  });
});

/**
 * Reads the pages and all that they link to, one of each kind; opens and audits a sixth of those with a part that none before
 * them had, and with `npm run test:exhaustive` all; returns the kinds.
 */
async function crawl(page: Page, first: readonly string[]): Promise<string[]> {
  const kinds = new Map(first.map((path) => [kindOf(path), path]));
  const known = new Set<string>();
  let turn = inject("seed");
  for (const path of kinds.values()) {
    const { links, parts } = await read(page, path);
    const hasMore = parts.some((part) => !known.has(part));
    if (inject("exhaustive") || (hasMore && turn++ % 6 === 0)) await look(page, path);
    for (const part of parts) known.add(part);
    for (const link of within(links)) if (!kinds.has(kindOf(link))) kinds.set(kindOf(link), link);
    expect([...kinds.keys()].length).toBeLessThan(MOST_KINDS);
  }
  return [...kinds.keys()];
}

/** Opens a page, and audits it. */
async function look(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await auditWhole(page);
  expect(await wrongZones(page), path).toEqual([]);
}

/** Returns the visible texts that call times UTC, on a page whose times are shown in the reader's zone. */
const wrongZones = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    if (document.querySelector("time[data-local]") === null) return [];
    // A field may take UTC, and a schedule have its own zone.
    const texts = [...document.querySelectorAll<HTMLElement>("main :not(label, time, option, svg *)")].filter(
      (each) => each.checkVisibility() && [...each.childNodes].some(({ nodeType }) => nodeType === Node.TEXT_NODE),
    );
    const own = texts.map((each) =>
      [...each.childNodes].flatMap((node) => (node.nodeType === Node.TEXT_NODE ? [node.textContent] : [])).join(""),
    );
    return own.filter((text) => /\(UTC\)|Times are UTC/.test(text));
  });

/** Reads a page as it comes, which takes a tenth of the time: its links, and the elements, classes and roles that it has. */
async function read(page: Page, path: string): Promise<{ readonly links: string[]; readonly parts: string[] }> {
  // A connection that was idle while other pages were audited may just be closed: browsers, too, ask again then.
  const response = await page.request.get(path, { maxRetries: 2 });
  expect(response.status(), path).toBeLessThan(500);
  const tags = [...(await response.text()).matchAll(/<([a-z]\w*)\s*([^>]*)>/g)];
  const valuesOf = (attributes: string, name: string): string[] =>
    (new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? "").split(/\s+/);
  const parts = tags.flatMap(([, tag = "", attributes = ""]) => [
    tag,
    ...["class", "role", "type"].flatMap((name) => valuesOf(attributes, name).map((value) => `${name} ${value}`)),
  ]);
  const links = tags.flatMap(([, tag, attributes = ""]) => {
    const address = tag === "a" && !/\bdownload\b/.test(attributes) && /href="([^"]*)"/.exec(attributes)?.[1];
    return address ? [new URL(address.replaceAll("&amp;", "&"), response.url()).href] : [];
  });
  return { links, parts };
}

/** Returns the paths within the console, without what stands behind a `#`. */
function within(all: readonly string[]): string[] {
  const console = `${service().baseUrl}/console`;
  const inConsole = all.filter(
    (url) => url === console || url.startsWith(`${console}/`) || url.startsWith(`${console}?`),
  );
  // They lead out of the console, to where readers find an article.
  const inside = inConsole.filter((url) => !/\/articles\/[^/]+\/site$/.test(url));
  return inside.map((url) => url.slice(service().baseUrl.length).split("#")[0] ?? "");
}

/** A path as it is alike for all blogs, articles and so on: with the names of the query, not its values. */
function kindOf(path: string): string {
  const { pathname, searchParams } = new URL(path, service().baseUrl);
  const names = [...new Set(searchParams.keys())].sort().join("&");
  return pathname.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ":id") + (names === "" ? "" : `?${names}`);
}
