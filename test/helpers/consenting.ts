/** A person on the consent page, as in a browser. */
import type { Role, Scope } from "../../src/domain/principal.ts";
import { authorizeUrl, register } from "./connected.ts";
import { hiddenFields, signedIn, unescaped, type Browser, type Page, type Values } from "./console.ts";
import { newTenant } from "./tenant.ts";

/** The scopes that an application requests by default. */
export const ASKED: readonly Scope[] = ["articles:read", "articles:write", "blogs:read"];

/** Creates a signed-in person, and an application that asks them for consent at `path`. */
export async function asked(
  role: Role = "owner",
  scopes: readonly string[] = ASKED,
  client: object = {},
  resource: "/api" | "/mcp" = "/api",
) {
  const tenant = await newTenant("Harbour News");
  const { organizationId } = tenant;
  const person = await signedIn(organizationId, role);
  const clientId = await register({ client_name: "Notes", ...client });
  const url = new URL(await authorizeUrl({ clientId, scopes, resource }));
  return { ...person, organizationId, tenant, clientId, path: url.pathname + url.search, url };
}

/** Returns the action of the page's consent form, as it is written in the HTML. */
export function actionOf({ text }: Page): string {
  const action = [...text.matchAll(/<form method="post" action="([^"]*)"/g)]
    .map(([, found = ""]) => found)
    .find((found) => found.startsWith("/console/authorize"));
  if (action === undefined) throw new Error(`no form of consent in:\n${text}`);
  return action;
}

/** Returns the scopes that a page offers, and those that are checked. */
export function offeredBy({ text }: Page): { offered: string[]; ticked: string[] } {
  const boxes = [...text.matchAll(/<input type="checkbox" name="scopes" value="([^"]+)"([^>]*)>/g)];
  return {
    offered: boxes.map(([, value = ""]) => value),
    ticked: boxes.filter(([, , more = ""]) => /\bchecked/.test(more)).map(([, value = ""]) => value),
  };
}

/** Submits the consent form with the checked scopes. `values` replace its fields. */
export function answer(browser: Browser, page: Page, values: Values = {}, headers: Record<string, string> = {}) {
  const action = actionOf(page);
  return browser.post(
    unescaped(action),
    { ...hiddenFields(page.text, action), scopes: offeredBy(page).ticked, decision: "allow", ...values },
    headers,
  );
}

/** Returns the URL of the page's Refresh header. Throws if there is none. */
export function sentTo({ headers, text }: Page): URL {
  const [, url] = /^0;url=(.*)$/.exec(headers.get("Refresh") ?? "") ?? [];
  if (url === undefined) throw new Error(`the page sends its browser nowhere:\n${text}`);
  return new URL(url);
}

/**
 * Returns the URL of the link "Return to the app" on a page that refuses a request. Throws if the page is no 400, or
 * if it redirects by itself.
 */
export function offeredBack({ status, headers, text }: Page): URL {
  if (status !== 400 || headers.has("Location") || headers.has("Refresh")) throw new Error(`${status}:\n${text}`);
  const [, url] = /<a href="([^"]*)">Return to the app<\/a>/.exec(text) ?? [];
  if (url === undefined) throw new Error(`the page has no way back:\n${text}`);
  return new URL(unescaped(url));
}
