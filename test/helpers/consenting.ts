/** A person at the page of consent, as a browser shows it to them. */
import type { Role, Scope } from "../../src/domain/principal.ts";
import { authorizeUrl, register } from "./connected.ts";
import { hiddenFields, signedIn, unescaped, type Browser, type Page, type Values } from "./console.ts";
import { newTenant } from "./tenant.ts";

/** What an application asks for, unless a test says otherwise. */
export const ASKED: readonly Scope[] = ["articles:read", "articles:write", "blogs:read"];

/** A signed-in person, and the path at which an application asks them. */
export async function asked(role: Role = "owner", scopes: readonly string[] = ASKED, client: object = {}) {
  const { organizationId } = await newTenant("Harbour News");
  const person = await signedIn(organizationId, role);
  const clientId = await register({ client_name: "Notes", ...client });
  const url = new URL(await authorizeUrl({ clientId, scopes, resource: "/api" }));
  return { ...person, organizationId, clientId, path: url.pathname + url.search, url };
}

/** The action of the page's form, as it stands in the HTML. */
export function actionOf({ text }: Page): string {
  const action = [...text.matchAll(/<form method="post" action="([^"]*)"/g)]
    .map(([, found = ""]) => found)
    .find((found) => found.startsWith("/console/authorize"));
  if (action === undefined) throw new Error(`no form of consent in:\n${text}`);
  return action;
}

/** The scopes that a page offers, and those that it ticks. */
export function offeredBy({ text }: Page): { offered: string[]; ticked: string[] } {
  const boxes = [...text.matchAll(/<input type="checkbox" name="scopes" value="([^"]+)"([^>]*)>/g)];
  return {
    offered: boxes.map(([, value = ""]) => value),
    ticked: boxes.filter(([, , more = ""]) => /\bchecked/.test(more)).map(([, value = ""]) => value),
  };
}

/** Answers a page: with what it has ticked, unless `values` say otherwise. */
export function answer(browser: Browser, page: Page, values: Values = {}, headers: Record<string, string> = {}) {
  const action = actionOf(page);
  return browser.post(
    unescaped(action),
    { ...hiddenFields(page.text, action), scopes: offeredBy(page).ticked, decision: "allow", ...values },
    headers,
  );
}

/** Where a page sends its browser to. */
export function sentTo({ headers, text }: Page): URL {
  const [, url] = /^0;url=(.*)$/.exec(headers.get("Refresh") ?? "") ?? [];
  if (url === undefined) throw new Error(`the page sends its browser nowhere:\n${text}`);
  return new URL(url);
}

/** Where a page that refuses a request offers to tell the application of it; the browser goes nowhere by itself. */
export function offeredBack({ status, headers, text }: Page): URL {
  if (status !== 400 || headers.has("Location") || headers.has("Refresh")) throw new Error(`${status}:\n${text}`);
  const [, url] = /<a href="([^"]*)">Tell the application<\/a>/.exec(text) ?? [];
  if (url === undefined) throw new Error(`the page has no way back:\n${text}`);
  return new URL(unescaped(url));
}
