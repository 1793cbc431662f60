/** What people do in the console, step by step: by roles and labels, as they find their way themselves. */
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { PATIENCE_MS, service } from "./tab.ts";

export const PASSWORD = "correct horse battery";

/** Somebody at a tab, who takes a closer look at each page that they reach. */
export type Walker = { readonly page: Page; readonly look: () => Promise<void> };

/** A walker at a tab; `look` is called on each page once it is there. */
export const walkerAt = (page: Page, look: (page: Page) => Promise<void> = async () => undefined): Walker => ({
  page,
  async look() {
    await page.waitForLoadState();
    await look(page);
  },
});

/** Returns the field for text with this label, also one that completes what is typed. */
export const field = (page: Page | Locator, name: RegExp): Locator =>
  page.getByRole("textbox", { name }).or(page.getByRole("combobox", { name }).and(page.locator("input")));
export const button = (page: Page, name: RegExp) => page.getByRole("button", { name });
/** Presses a button and waits for the page that answers: the editor merges and saves before it sends its form. */
export async function send(page: Page, name: RegExp): Promise<void> {
  // Or it would end with the page that is there.
  await page.waitForLoadState("load");
  const answered = page.waitForEvent("load").then(() => true);
  for (let presses = 0; presses < MOST_PRESSES; presses++) {
    await button(page, name).click();
    if (await Promise.race([answered, page.waitForTimeout(AGAIN_MS).then(() => false)])) return;
  }
  await answered;
}

/**
 * A panel that appears above a button while it is pressed moves it away from under the press, and a busy service may ask
 * to try again later: a person presses again.
 */
const MOST_PRESSES = 3;
const AGAIN_MS = 12_000;

const main = (page: Page) => page.getByRole("main");

/** Goes to a place of the console by its navigation. */
export async function goTo({ page, look }: Walker, place: string): Promise<void> {
  await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: place, exact: true }).click();
  await expectHeading(page, new RegExp(place, "i"));
  await look();
}

export async function expectHeading(page: Page, name: RegExp): Promise<void> {
  await page.getByRole("heading", { level: 1, name }).waitFor();
}

/** What the page says was done. */
export const notice = (page: Page): Promise<string> => page.getByRole("status").first().innerText();

/** Returns a name that nothing else has in the service that all files share. */
export const unique = (name: string): string => `${name}-${crypto.randomUUID().slice(0, 8)}`;

/** Signs up with an address, by the link in its mail. */
export async function signUp({ page, look }: Walker, { name, email }: { name: string; email: string }): Promise<void> {
  await page.goto("/console");
  await look();
  await page.getByRole("link", { name: /sign up/i }).click();
  await look();
  await field(page, /email/i).fill(email);
  await button(page, /continue/i).click();
  await look();
  await page.getByRole("link", { name: /mail/i }).click();
  const mail = page.getByRole("article").filter({ hasText: email });
  await mail.waitFor();
  await look();
  await mail.getByRole("link").click();
  await look();
  await fillNewAccount(page, name);
  await button(page, /create account/i).click();
  await expectHeading(page, /organizations/i);
  await look();
}

/** Creates an account for somebody whom the demo's organization invites, without a page; the cookies are the tab's. */
export async function joinDemo(page: Page, { email = `${unique("joins")}@example.com`, role = "reader" } = {}) {
  const { baseUrl, operatorToken } = service();
  const headers = { Authorization: `Token ${operatorToken}` };
  const invited = await page.request.post(`${baseUrl}/api/invitations`, { headers, data: { email, role } });
  const { link } = (await invited.json()) as { link: string };
  const form = { name: "Ada Lovelace", password: PASSWORD };
  const joined = await page.request.post(`${link}/sign-up`, { form, headers: { Origin: baseUrl } });
  expect(joined.status()).toBe(200);
}

async function fillNewAccount(page: Page, name: string): Promise<void> {
  await field(page, /your name/i).fill(name);
  await page.getByLabel(/^password$/i).fill(PASSWORD);
}

/** Signs in with a password at a page that asks for it. */
export async function signInHere(page: Page, email: string, password: string): Promise<void> {
  await field(page, /email/i).fill(email);
  await page.getByLabel(/^password$/i).fill(password);
  await button(page, /^sign in$/i).click();
  await button(page, /^account: /i).waitFor();
}

/** Signs out by the menu in the corner. */
export async function signOut(page: Page): Promise<void> {
  await button(page, /^account: /i).click();
  await button(page, /sign out/i).click();
}

export async function createOrganization({ page, look }: Walker, name: string): Promise<void> {
  await field(page, /^name/i).fill(name);
  await button(page, /^create/i).click();
  await expectHeading(page, /overview/i);
  expect(await page.getByRole("banner").innerText()).toContain(name);
  await look();
}

/** Creates a blog; returns its id. */
export async function createBlog(walker: Walker, name: string): Promise<string> {
  const { page, look } = walker;
  await goTo(walker, "Blogs");
  await main(page)
    .getByRole("link", { name: /new blog/i })
    .click();
  await look();
  await field(page, /^name/i).fill(name);
  await button(page, /create/i).click();
  await expectHeading(page, /articles/i);
  await look();
  return new URL(page.url()).searchParams.get("blog") ?? "";
}

/** Writes and publishes an article, with a look at its preview; returns its id. */
export async function publishArticle(walker: Walker, title: string, content: string): Promise<string> {
  const { page, look } = walker;
  await goTo(walker, "Articles");
  await main(page)
    .getByRole("link", { name: /new article/i })
    .click();
  await look();
  await field(page, /^title/i).fill(title);
  await field(page, /^content/i).fill(content);
  await button(page, /^preview$/i).click();
  await page.getByRole("region", { name: /^preview$/i }).waitFor();
  await look();
  await publish(walker);
  await expectHeading(page, new RegExp(`^${title}`));
  expect(await notice(page)).toMatch(/published/i);
  await look();
  return new URL(page.url()).pathname.split("/").at(-1) ?? "";
}

/** Publishes what the editor has, after a look at where and when: in a dialog, or on a page where there are no scripts. */
export async function publish({ page, look }: Walker): Promise<void> {
  await button(page, /^publish( changes)?…$/i).click();
  const sure = button(page, /^publish (now|changes)$/i);
  await sure.waitFor();
  await look();
  await sure.click();
}

/** Creates a key that reads and writes articles; returns its secret. */
export async function createKey(walker: Walker, name: string): Promise<string> {
  const { page, look } = walker;
  await goTo(walker, "API keys");
  await page.getByRole("link", { name: /new api key/i }).click();
  await look();
  await field(page, /^name/i).fill(name);
  await page.getByRole("checkbox", { name: /articles:write/ }).check();
  await button(page, /create/i).click();
  await expectHeading(page, /created/i);
  await look();
  return field(page, /api key/i).inputValue();
}

/** Subscribes a receiver and pings it; returns the signing secret once the log shows that it was delivered. */
export async function createWebhook(walker: Walker, url: string): Promise<string> {
  const { page, look } = walker;
  await goTo(walker, "Webhooks");
  await page.getByRole("link", { name: /new webhook/i }).click();
  await look();
  await field(page, /^url/i).fill(url);
  await button(page, /create/i).click();
  await expectHeading(page, /created/i);
  await look();
  const secret = await field(page, /signing secret/i).inputValue();
  await page.getByRole("link", { name: /go to webhook/i }).click();
  await look();
  await button(page, /ping/i).click();
  await expect
    .poll(async () => {
      await page.getByRole("link", { name: /refresh/i }).click();
      return page.getByRole("row").filter({ hasText: "ping" }).innerText();
    })
    .toMatch(/succeeded[\s\S]*204/i);
  await look();
  return secret;
}

/** Invites somebody; returns the link. */
export async function invite(walker: Walker, email: string, role: string): Promise<string> {
  const { page, look } = walker;
  await goTo(walker, "Members");
  const form = page.getByRole("region", { name: /invite/i });
  await field(form, /email/i).fill(email);
  await form.getByLabel("Role").selectOption(role);
  await form.getByRole("button", { name: /invitation/i }).click();
  await expectHeading(page, /invitation/i);
  await look();
  return field(page, /link/i).inputValue();
}

/** Accepts an invitation as somebody new. */
export async function joinBy({ page, look }: Walker, link: string, name: string): Promise<void> {
  await page.goto(link);
  await look();
  await fillNewAccount(page, name);
  await button(page, /join/i).click();
  await expectHeading(page, /overview/i);
  expect(await notice(page)).toMatch(/member/i);
  await look();
}

/** Ends somebody's membership. */
export async function removeMember(walker: Walker, name: string): Promise<void> {
  const { page, look } = walker;
  await goTo(walker, "Members");
  await page
    .getByRole("row")
    .filter({ hasText: name })
    .getByRole("link", { name: /remove/i })
    .click();
  await look();
  await button(page, /remove/i).click();
  await expectHeading(page, /members/i);
  await look();
}

/** A request to the API; with a key, as its holder. */
export function api(
  path: string,
  { key, body, method = body && "POST" }: { key?: string; body?: object; method?: string | undefined } = {},
): Promise<Response> {
  return fetch(`${service().baseUrl}${path}`, {
    signal: AbortSignal.timeout(PATIENCE_MS),
    headers: {
      ...(key !== undefined && { Authorization: `Basic ${btoa(`${key}:`)}` }),
      ...(body && { "Content-Type": "application/json" }),
    },
    ...(method && { method }),
    ...(body && { body: JSON.stringify(body) }),
  });
}
