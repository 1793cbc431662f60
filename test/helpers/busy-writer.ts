/** An organization that writes all the time: articles with tags, former slugs and drafts, contacts, pictures and keys. */
import { expect } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { freshGif } from "./pictures.ts";
import { send, sendJson, type Send } from "./requests.ts";
import type { Tenant } from "./tenant.ts";

export type Written = { _id: string; slug: string; title: string };

/** Somebody who writes all the time, and notes what the service has said is done. */
export function newWriter(tenant: Tenant, bindings: Partial<Env>) {
  const key: Send = { as: { apiKey: tenant.apiKey }, bindings };
  const operator: Send = { as: { operatorToken: tenant.operatorToken }, bindings };
  const titles: string[] = [];
  const create = async (fields: object = {}) => {
    const title = `Article ${titles.length}`;
    const body = { blogId: tenant.blogId, title, published: true, ...fields };
    const made = await sendJson<Written>(200, "/api/articles", { ...key, body });
    titles.push(title);
    return made;
  };
  let last: Written | undefined;
  let lastContact: { _id: string } | undefined;
  return {
    titles,
    key,
    create,
    /** Writes an article, unless the organization is moving at this moment. Returns how many writes were refused. */
    async tryOnce() {
      const title = `Tried ${newId()}`;
      const response = await send("/api/articles", { ...key, body: { blogId: tenant.blogId, title, published: true } });
      if (response.status === 200) {
        titles.push(title);
        return 0;
      }
      expect([response.status, response.headers.get("Retry-After"), await response.json()]).toMatchObject([
        503,
        "1",
        { code: "not_ready", detail: expect.stringContaining("is moving") as string },
      ]);
      return 1;
    },
    async write() {
      const former = last;
      last = await create({ tags: [`tag ${titles.length % 3}`], slug: `slug-${newId()}` });
      const draft = { ...key, method: "PUT" };
      await sendJson(200, `/api/articles/${last._id}/draft`, { ...draft, body: { title: `${last.title} changed` } });
      if (former !== undefined) {
        const slug = former.slug;
        await sendJson(200, "/api/articles", {
          ...key,
          body: { _id: former._id, slug: `was-${slug}`, tags: ["other"] },
        });
        await sendJson(200, "/api/articles", { ...key, body: { _id: last._id, slug } });
      }
      const gone = await create();
      titles.pop();
      await sendJson(200, `/api/articles/${gone._id}`, { ...key, method: "DELETE" });
      if (lastContact !== undefined)
        await sendJson(200, `/api/contacts/${lastContact._id}`, { ...key, method: "DELETE" });
      lastContact = await sendJson(200, "/api/contacts", {
        ...key,
        body: { blogId: tenant.blogId, email: `somebody-${tenant.blogId}@example.com`, name: "Somebody" },
      });
      const media = await sendJson<{ url: string }>(200, "/api/media", { ...key, body: freshGif(), type: "image/gif" });
      await create({ content: `![A picture](${media.url})` });
      await sendJson(200, "/api/apikeys", { ...operator, body: { name: "new", scopes: ["articles:read"] } });
    },
  };
}
