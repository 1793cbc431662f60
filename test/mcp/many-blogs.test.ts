/** More blogs than one page of their list shows. */
import { beforeAll, expect, it } from "vitest";
import { fillList, LISTS, placesOf } from "../helpers/lists.ts";
import { answer } from "../helpers/mcp.ts";
import { connected, fail, succeed } from "../helpers/mcp-connected.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";

type Listed = { blogs: { _id: string }[]; nextCursor: string | null };

const MOST = 130;

let tenant: Tenant;
let token: string;
/** The blogs, oldest first. */
let ids: string[];
beforeAll(async () => {
  tenant = await newTenant();
  await fillList(LISTS.blogs, tenant, MOST - 1);
  token = await connected(tenant);
  ids = (await placesOf(LISTS.blogs, tenant)).map(({ id }) => id);
  expect(ids).toHaveLength(MOST);
});

it("list_blogs leads on with nextCursor, each blog once, 100 to a page unless asked for fewer", async () => {
  for (const [asked, size] of [
    [{}, 100],
    [{ limit: 60 }, 60],
  ] as const) {
    const seen: string[][] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: Listed = await succeed<Listed>(token, "list_blogs", { ...asked, ...(cursor && { cursor }) });
      seen.push(page.blogs.map(({ _id }) => _id));
      cursor = page.nextCursor;
    }
    expect(seen.flat()).toEqual(ids);
    expect(seen[0]).toHaveLength(size);
  }
  expect(await fail(token, "list_blogs", { cursor: "x" })).toMatchObject({ code: "invalid_cursor" });
  expect(await fail(token, "list_blogs", { limit: 101 })).toMatchObject({ code: "invalid_request" });
});

it("resources are those of all blogs", async () => {
  const blogId = ids[120] ?? "";
  await newArticle(tenant, { blogId, title: "Far behind" });
  const cursor = `${ids[119]}.`;
  const { resources, nextCursor } = await answer<{ resources: { name: string }[]; nextCursor: string }>(
    "resources/list",
    { cursor },
    { token },
  );
  expect([resources, nextCursor]).toEqual([[], `${blogId}.`]);
  const next = await answer<{ resources: { name: string }[] }>("resources/list", { cursor: nextCursor }, { token });
  expect(next.resources.map(({ name }) => name)).toEqual(["Far behind"]);
});

it("locales complete from all blogs", async () => {
  const params = {
    ref: { type: "ref/prompt", name: "translate_article" },
    argument: { name: "locale", value: "x-12" },
  };
  const { completion } = await answer<{ completion: { values: string[] } }>("completion/complete", params, { token });
  expect(completion.values).toEqual([
    "x-12",
    "x-120",
    "x-121",
    "x-122",
    "x-123",
    "x-124",
    "x-125",
    "x-126",
    "x-127",
    "x-128",
  ]);
});
