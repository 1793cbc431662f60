/** list_events: what has changed, without contacts. */
import { expect, it } from "vitest";
import type { FeedEvent } from "../helpers/event-feed.ts";
import { connected, succeed } from "../helpers/mcp-connected.ts";
import { sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant } from "../helpers/tenant.ts";

it("lists the newest first, goes on behind them, and shows no contact", async () => {
  const tenant = await newTenant();
  const token = await connected(tenant);
  await newArticle(tenant, { title: "First" });
  await sendJson(200, "/api/contacts", { as: tenant, body: { blogId: tenant.blogId, email: "ada@example.com" } });
  await newArticle(tenant, { title: "Second" });
  type Listed = { events: FeedEvent[]; after: string | null };
  const newest = await succeed<Listed>(token, "list_events", { limit: 1 });
  expect(newest.events.map(({ data }) => data["title"])).toEqual(["Second"]);
  const older = await succeed<Listed>(token, "list_events", { after: newest.after });
  expect(older).toMatchObject({ events: [{ event: "article.created", data: { title: "First" } }], after: null });
});
