/** Links to previews, as a test makes and opens them. */
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { send, sendJson, type Credential, type Send } from "./requests.ts";
import { newArticle, type ArticleBody, type Tenant } from "./tenant.ts";

export type Preview = {
  _id: string;
  articleId: string;
  actor: { kind: string; id: string };
  creationTime: string;
  expirationTime: string;
};
export type NewPreview = Preview & { url: string; token: string };

export const JSON_ONLY = { Accept: "application/json" };
export const PAGE = { Accept: "text/html,application/xhtml+xml" };

export const pathOf = (articleId: string): string => `/api/articles/${articleId}/previews`;

export const open = (token: string, options: Send = {}) =>
  send(`/previews/${token}`, { ...options, headers: { ...JSON_ONLY, ...options.headers } });

/** Returns functions that make links in the blog of a tenant. */
export function previewsOf(tenant: () => Tenant) {
  const key = (): Credential => ({ apiKey: tenant().apiKey });
  const draft = (fields: Partial<ArticleBody> = {}) =>
    newArticle(tenant(), { published: false, title: "A secret plan", content: "# Soon\n\n**Not yet.**", ...fields });
  const create = (articleId: string, body: object = {}, by: Credential = key()) =>
    sendJson<NewPreview>(200, pathOf(articleId), { as: by, body });
  const list = (articleId: string) => sendJson<Preview[]>(200, pathOf(articleId), { as: key() });
  /** Creates a draft and a link to it. */
  const linked = async (by: Credential = key()): Promise<{ article: ArticleBody; link: NewPreview }> => {
    const article = await draft();
    return { article, link: await create(article._id, {}, by) };
  };
  return { draft, create, list, linked };
}

/** Ends all links to an article, as time would. */
export async function end(articleId: string): Promise<void> {
  await env.DB.prepare("update previews set expiration_time = '2020-01-01T00:00:00.000Z' where article_id = ?")
    .bind(articleId)
    .run();
}

/** Expects that a link shows nothing, neither as JSON nor as a page. */
export async function expectEnded(token: string): Promise<void> {
  for (const headers of [JSON_ONLY, PAGE]) {
    const response = await send(`/previews/${token}`, { headers });
    expect(response.status).toBe(404);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    const text = await response.text();
    expect(text).not.toContain("secret plan");
    expect(text).not.toContain(token);
  }
}
