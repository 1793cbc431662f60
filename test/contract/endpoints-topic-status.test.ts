/** Contract 7.4: PATCH /api/topics/{id}. */
import { describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import type { TopicRecord } from "../../src/store/topics/topics.ts";
import { newIdeas, TOPIC_MEMBERS } from "../helpers/ideas.ts";
import { headerOf, outcome } from "../helpers/outcome.ts";
import { topicsOf } from "../helpers/refreshing.ts";
import { refusalOf, storingNothing } from "../helpers/refusals.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant } from "../helpers/tenant.ts";

describe("PATCH /api/topics/{id}", () => {
  const patch = (as: object, body: unknown, headers: Record<string, string> = {}) => ({
    as,
    body,
    headers,
    method: "PATCH",
  });

  it.each(
    (["new", "used", "dismissed"] as const).flatMap((from) =>
      (["new", "used", "dismissed"] as const).map((to) => [from, to] as const),
    ),
  )("sets the status: %s to %s", async (from, to) => {
    const tenant = await newTenant();
    const [id] = await newIdeas(tenant, [{ status: from }]);
    const [before] = await topicsOf(tenant);
    const response = await send(`/api/topics/${id}`, patch(tenant, { status: to }));
    const after = await response.json<TopicRecord>();
    expect(response.status).toBe(200);
    expect(after).toEqual({ ...before, status: to, lastEditTime: after.lastEditTime });
    expect(Object.keys(after)).toEqual(TOPIC_MEMBERS);
    expect(after.lastEditTime > (before?.lastEditTime ?? "")).toBe(true);
    expect(await topicsOf(tenant)).toEqual([after]);
    expect(headerOf(response, "ETag")).toMatch(/^"[0-9a-f-]{36}"$/);
  });

  it("409 topic_used: one that became an article stays used", async () => {
    const tenant = await newTenant();
    const article = await newArticle(tenant);
    const [id] = await newIdeas(tenant, [{ status: "used", articleId: article._id }]);
    const path = `/api/topics/${id}`;
    await storingNothing(async () => {
      for (const status of ["new", "dismissed"]) {
        await refusalOf(await send(path, patch(tenant, { status })), "topic_used");
        expect(await outcome(path, patch(tenant, { status }, { "If-Match": "*" }))).toBe("409 topic_used");
      }
      const stale = patch(tenant, { status: "new" }, { "If-Match": `"${newId()}"` });
      expect(await outcome(path, stale)).toBe("412 precondition_failed");
    });
    expect(await sendJson(200, path, patch(tenant, { status: "used" }))).toMatchObject({ articleId: article._id });
    // Without its article it is free again, and who knew it finds it changed.
    const etag = headerOf(await send(path, patch(tenant, { status: "used" })), "ETag");
    await sendJson(200, `/api/articles/${article._id}`, { as: tenant, method: "DELETE" });
    expect(await outcome(path, patch(tenant, { status: "new" }, { "If-Match": etag }))).toBe("412 precondition_failed");
    expect(await sendJson(200, path, patch(tenant, { status: "new" }))).toMatchObject({
      status: "new",
      articleId: null,
    });
  });
});
