/** Helpers for the tests of the console's articles. */
import { expect } from "vitest";
import { unescaped, signedIn, type Browser, type Page, type Values } from "./console.ts";
import { sendJson } from "./requests.ts";
import { newTenant, type ArticleBody, type Tenant } from "./tenant.ts";

export const LIST = "/console/articles";
export const NEW = `${LIST}/new`;

/** Creates an organization, and a browser in which a writer is signed in. */
export async function writing() {
  const tenant = await newTenant();
  const { browser, userId } = await signedIn(tenant.organizationId, "writer");
  return { tenant, browser, userId };
}

export const pathOf = ({ _id }: { readonly _id: string }): string => `${LIST}/${_id}`;

/** Returns an article as the API shows it, or null if it does not exist. */
export async function stored(tenant: Tenant, id: string): Promise<ArticleBody | null> {
  const as = { operatorToken: tenant.operatorToken };
  const articles = await sendJson<ArticleBody[]>(200, `/api/articles?blogId=${tenant.blogId}`, { as });
  return articles.find(({ _id }) => _id === id) ?? null;
}

export const countOf = async (tenant: Tenant): Promise<number> => {
  const as = { operatorToken: tenant.operatorToken };
  return (await sendJson<unknown[]>(200, `/api/articles?blogId=${tenant.blogId}`, { as })).length;
};

/** Returns the id of the article to which a form redirects. */
export const idIn = ({ status, headers }: Page): string => {
  const id = headers.get("Location")?.match(/^\/console\/articles\/([0-9a-f-]{36})\?/)?.[1];
  if (status !== 303 || id === undefined) throw new Error(`not an article: ${status} ${headers.get("Location")}`);
  return id;
};

/** Submits the form of a generation. Returns its page once the queue is done with it. */
export async function generateBy(browser: Browser, path: string, entered: Values): Promise<Page> {
  const { status, headers } = await browser.submit(path, `${LIST}/generate`, entered);
  expect(status).toBe(303);
  const place = headers.get("Location") ?? "";
  const finished = async () => {
    const page = await browser.get(place);
    return page.headers.has("refresh") ? null : page;
  };
  await expect.poll(finished, { timeout: 20_000 }).not.toBeNull();
  return browser.get(place);
}

export const save = (tenant: Tenant, body: object) =>
  sendJson<ArticleBody>(200, "/api/articles", { as: { operatorToken: tenant.operatorToken }, body });

/** Returns the value of a field of the page. */
export function fieldOf({ text }: Page, name: string): string {
  const input = text.match(new RegExp(`<input id="${name}"[^>]* value="([^"]*)"`))?.[1];
  const area = text.match(new RegExp(`<textarea id="${name}"[^>]*>\n([^<]*)</textarea>`))?.[1];
  return unescaped(input ?? area ?? "no such field");
}

/** Returns the error at a field, or null if its input does not refer to one. */
export function errorAt({ text }: Page, name: string): string | null {
  const refers = text.match(
    new RegExp(`id="${name}"[^>]* aria-describedby="[^"]*\\b${name}-error"[^>]* aria-invalid="true"`),
  );
  return refers && unescaped(text.match(new RegExp(`id="${name}-error">([^<]*)<`))?.[1] ?? "");
}

/** Returns the values of a select's options. The selected one ends with "*". */
export const choicesOf = ({ text }: Page, name: string): string[] => {
  const [, inside = ""] = new RegExp(`<select id="${name}"[^>]*>(.*?)</select>`, "s").exec(text) ?? [];
  return [...inside.matchAll(/<option value="([^"]*)"( selected)?/g)].map(
    ([, value, on]) => `${value}${on ? "*" : ""}`,
  );
};

/** Returns the values that a test enters in the form for a new article. */
export const valuesOf = (tenant: Tenant) => ({
  blogId: tenant.blogId,
  title: 'A "title" & <more>',
  slug: "",
  locale: "",
  description: "Described.",
  coverUrl: "",
  content: "\nFirst line\r\n\r\n## Heading",
});
