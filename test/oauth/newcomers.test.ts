/** Somebody without an account, or without an organization, who is asked by an application. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { authorizeUrl, register } from "../helpers/connected.ts";
import { answer, sentTo } from "../helpers/consenting.ts";
import { hiddenFields, newBrowser, PASSWORD, unescaped, type Browser, type Page } from "../helpers/console.ts";
import { ORIGIN } from "../helpers/requests.ts";

async function askedPath(): Promise<string> {
  const clientId = await register({ client_name: "Notes" });
  const url = new URL(
    await authorizeUrl({ clientId, scopes: ["articles:read"], resource: "/mcp" }, { state: "a*b~c:d" }),
  );
  return url.pathname + url.search;
}

/** Follows redirects within the service. */
async function follow(browser: Browser, page: Page): Promise<Page> {
  const to = page.headers.get("Location");
  if (to === null) return page;
  const url = new URL(to, ORIGIN);
  return follow(browser, await browser.get(url.pathname + url.search));
}

const linkTo = (page: Page, start: string): string => {
  const href = [...page.text.matchAll(/href="([^"]*)"/g)].map(([, found = ""]) => unescaped(found));
  const found = href.find((each) => each.startsWith(start));
  if (found === undefined) throw new Error(`no link to ${start} in:\n${page.text}`);
  return found;
};

const submit = (browser: Browser, page: Page, action: string, values: Record<string, string>) =>
  browser.post(action, { ...hiddenFields(page.text, action), ...values });

async function mailedLink(email: string): Promise<URL> {
  const found = await env.DB.prepare("select body from local_mails where recipient = ?")
    .bind(email)
    .first<string>("body");
  return new URL(/https?:\/\/\S+/.exec(found ?? "")?.[0] ?? "");
}

describe("a newcomer who is asked by an application", () => {
  it("signs up, founds an organization, and comes back to what was asked", async () => {
    const browser = newBrowser();
    const email = `${crypto.randomUUID()}@example.com`;
    const signIn = await follow(browser, await browser.get(await askedPath()));
    const signUp = await browser.get(linkTo(signIn, "/console/sign-up"));
    expect((await submit(browser, signUp, "/console/sign-up", { email })).status).toBe(200);

    const { pathname, search } = await mailedLink(email);
    const account = await browser.get(pathname + search);
    const done = await submit(browser, account, pathname, { name: "New", password: PASSWORD });
    const asked = await follow(browser, done);
    expect(asked.text).toContain("You do not belong to an organization yet");

    const founding = await browser.get(linkTo(asked, "/console/organizations?next="));
    const founded = await submit(browser, founding, "/console/organizations", { name: "Founded" });
    const consent = await follow(browser, founded);
    expect(consent.text).toContain("<bdi>Notes</bdi>");
    const to = sentTo(await answer(browser, consent));
    expect(to.searchParams.has("code")).toBe(true);
    expect(to.searchParams.get("state")).toBe("a*b~c:d");
  });

  it("is sent nowhere else by a link that somebody made", async () => {
    const browser = newBrowser();
    for (const next of ["https://evil.example/", "//evil.example", "/api/blogs", "/console/../api/blogs"]) {
      const signUp = await browser.get(`/console/sign-up?next=${encodeURIComponent(next)}`);
      expect(hiddenFields(signUp.text, "/console/sign-up")["next"]).toBe("");
    }
  });
});
