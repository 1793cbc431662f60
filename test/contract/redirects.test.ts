/** Contract 21.8 and 21.9: redirects of a blog's site. */
import { beforeAll, describe, expect, it } from "vitest";
import { send, sendJson } from "../helpers/requests.ts";
import { ask, hostsOf } from "../helpers/hosts.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

type Redirect = { _id: string; from: string; to: string | null; articleId: string | null; overridden: boolean };
type Outcome = { outcome: string; redirect: Redirect | null; code: string | null; detail: string | null };
type Row = { from: string; to?: string; articleId?: string };

let tenant: Tenant;
let as: { apiKey: string };
let vanityId: string;
beforeAll(async () => {
  tenant = await newTenant();
  as = { apiKey: tenant.apiKey };
  ({ vanityId } = await sendJson<{ vanityId: string }>(200, `/api/blogs/${tenant.blogId}`, { as }));
});

const path = () => `/api/blogs/${tenant.blogId}/redirects`;
const add = <T = Redirect>(row: Row, status = 200) => sendJson<T>(status, path(), { as, body: row });
const addAll = (redirects: readonly Row[]) => sendJson<Outcome[]>(200, `${path()}/bulk`, { as, body: { redirects } });
const list = (query = "") => sendJson<Redirect[]>(200, `${path()}?${query}`, { as });
const update = (id: string, members: object) =>
  sendJson<ArticleBody>(200, "/api/articles", { as, body: { _id: id, ...members } });

let serial = 0;
const fresh = (): string => `/old-${++serial}`;

/** Returns where the site leads from a path; null if it does not lead on. */
async function leads(from: string): Promise<string | null> {
  const response = await send(`/${vanityId}${from}`);
  await response.text();
  expect([301, 404, 200]).toContain(response.status);
  return response.headers.get("Location");
}

describe("contract 21.8: a redirect", () => {
  it("begins at a path, however it is written, and leads to a path, a URL or an article", async () => {
    const { _id, slug } = await newArticle(tenant, { slug: "a-walk" });
    await addAll([
      { from: "/2012/02/03/Caf%C3%A9/", to: "/archive?locale=en#top" },
      { from: "/old.html", to: "https://elsewhere.example/x?y=1" },
      { from: "/?p=123", articleId: _id },
    ]);
    expect(await leads("/2012/02/03/Cafe%CC%81")).toBe(`/${vanityId}/archive?locale=en#top`);
    expect(await leads("/2012/02/03/caf%C3%A9")).toBeNull();
    expect(await leads("/old.html")).toBe("https://elsewhere.example/x?y=1");
    expect(await leads("/?p=123&utm=a%20b")).toBe(`/${vanityId}/en/${slug}?utm=a+b`);
    expect(await leads("/?p=124")).toBeNull();
  });

  it("refuses what is no path of the site, and what would lead elsewhere without saying so", async () => {
    const bad = [
      "",
      "x",
      "/",
      "//evil.example",
      "/\\evil",
      "/a?b=1",
      "/a#b",
      "/%00",
      "/%zz",
      "/a/../b",
      `/${"x".repeat(10_240)}`,
    ];
    const outcomes = await addAll(bad.map((from) => ({ from, to: "/archive" })));
    expect(outcomes.map(({ code }) => code)).toEqual(bad.map(() => "invalid_request"));
    const targets = [
      "",
      "//evil.example",
      "/\\evil",
      "/.//evil",
      "/a/..//evil",
      "javascript:alert(1)",
      "http://a.example",
      "https://u:p@a.example",
      "/a\nb",
    ];
    const refused = await addAll(targets.map((to) => ({ from: fresh(), to })));
    expect(refused.map(({ detail }) => detail)).toEqual(
      targets.map(() => expect.stringMatching(/^to: must be a path/)),
    );
    const other = await newArticle(await newTenant());
    await add({ from: fresh(), articleId: other._id }, 404);
    await add({ from: fresh() }, 400);
    await add({ from: fresh(), to: "/a", articleId: other._id }, 400);
  });

  it("follows its article, and leads nowhere while that is a draft or once it is deleted", async () => {
    const from = fresh();
    const { _id } = await newArticle(tenant, { slug: "followed" });
    await add({ from, articleId: _id });
    await update(_id, { slug: "followed-later" });
    expect(await leads(from)).toBe(`/${vanityId}/en/followed-later`);
    await update(_id, { published: false });
    expect(await leads(from)).toBeNull();
    await sendJson(200, `/api/articles/${_id}`, { as, method: "DELETE" });
    expect(await list(`query=${from}`)).toEqual([]);
  });

  it("gives way to an article that is at its path, and says so", async () => {
    const { slug } = await newArticle(tenant, { slug: "here-now" });
    expect(await add({ from: `/en/${slug}`, to: "/archive" })).toMatchObject({ overridden: true });
    expect(await leads(`/en/${slug}`)).toBeNull();
    expect(await add({ from: "/Search", to: "/archive" })).toMatchObject({ overridden: true });
  });

  it("is there once: the same one again changes nothing, another at its path is refused", async () => {
    const from = fresh();
    const { _id } = await add({ from, to: "/archive" });
    expect((await add({ from: `${from}/`, to: "/archive" }))._id).toBe(_id);
    await add({ from, to: "/search" }, 409);
    await sendJson(200, `${path()}/${_id}`, { as, method: "DELETE" });
    await sendJson(404, `${path()}/${_id}`, { as, method: "DELETE" });
    expect(await leads(from)).toBeNull();
  });
});

describe("contract 21.9: redirects", () => {
  it("never lead to each other: a chain leads to its end from each of its paths, and a loop is refused", async () => {
    const [a, b, c] = [fresh(), fresh(), fresh()];
    await add({ from: a, to: b });
    expect(await add<{ code: string }>({ from: b, to: a }, 409)).toMatchObject({ code: "redirect_loop" });
    await add({ from: a, to: a }, 409);
    await add({ from: b, to: c });
    expect(await leads(a)).toBe(`/${vanityId}${c}`);
    expect(await add<{ code: string }>({ from: c, to: `${a}/?x=1` }, 409)).toMatchObject({ code: "redirect_loop" });
    const own = `https://edgepress.test/${vanityId}${a}`;
    expect(await add<{ code: string }>({ from: c, to: own }, 409)).toMatchObject({ code: "redirect_loop" });
    const ring = Array.from({ length: 1000 }, (_, n) => ({ from: `/ring-${n}`, to: `/ring-${(n + 1) % 1000}` }));
    const outcomes = [...(await addAll(ring.slice(0, 500))), ...(await addAll(ring.slice(500)))];
    expect(outcomes.filter(({ outcome }) => outcome === "created")).toHaveLength(999);
    expect(outcomes.at(-1)?.code).toBe("redirect_loop");
    expect(await leads("/ring-0")).toBe(`/${vanityId}/ring-999`);
  });

  it("make no loop when two are added at once", async () => {
    const pairs = Array.from({ length: 8 }, () => [fresh(), fresh()] as const);
    const both = pairs.flatMap(([one, other]) => [
      { from: one, to: other },
      { from: other, to: one },
    ]);
    const statuses = await Promise.all(both.map(async (body) => (await send(path(), { as, body })).status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(pairs.length);
    expect(statuses.filter((status) => status === 409)).toHaveLength(pairs.length);
  });

  it("lead to the article whose address a path is or was", async () => {
    const [from, later] = [fresh(), fresh()];
    const { _id } = await newArticle(tenant, { slug: "first-name" });
    expect(await add({ from, to: "/en/first-name" })).toMatchObject({ to: null, articleId: _id });
    await update(_id, { slug: "second-name" });
    expect(await add({ from: later, to: `https://edgepress.test/${vanityId}/en/first-name/` })).toMatchObject({
      articleId: _id,
    });
    // From the former slug to a path that leads to the article: no loop, and one step.
    expect(await add({ from: "/en/first-name", to: later })).toMatchObject({ articleId: _id });
    for (const each of [from, later, "/en/first-name"]) expect(await leads(each)).toBe(`/${vanityId}/en/second-name`);
  });

  it("that are added together are created, unchanged or refused, each with its reason, and once for an Idempotency-Key", async () => {
    const [one, two] = [fresh(), fresh()];
    const body = {
      redirects: [
        { from: one, to: "/archive" },
        { from: one, to: "/archive" },
        { from: one, to: "/search" },
        { from: "bad", to: "/archive" },
        { from: two, articleId: "none" },
      ],
    };
    const headers = { "Idempotency-Key": fresh() };
    const outcomes = await sendJson<Outcome[]>(200, `${path()}/bulk`, { as, body, headers });
    expect(outcomes.map(({ outcome, code }) => code ?? outcome)).toEqual([
      "created",
      "unchanged",
      "redirect_exists",
      "invalid_request",
      "not_found",
    ]);
    expect(await sendJson(200, `${path()}/bulk`, { as, body, headers })).toEqual(outcomes);
    expect((await addAll(body.redirects)).map(({ outcome }) => outcome).slice(0, 2)).toEqual([
      "unchanged",
      "unchanged",
    ]);
  });

  it("are what a slug means that no article has, in their own blog", async () => {
    const { _id } = await newArticle(tenant, { slug: "meant" });
    await addAll([
      { from: "/en/no-such", articleId: _id },
      { from: "/no-such-either.html", articleId: _id },
    ]);
    const movedTo = { articleId: _id, slug: "meant", locale: "en", blogId: tenant.blogId };
    expect(await sendJson(404, `/api/articles/no-such?blogId=${tenant.blogId}`)).toMatchObject({ movedTo });
    expect(await sendJson(404, `/api/articles/no-such?blogId=${tenant.blogId}&locale=de`)).not.toHaveProperty(
      "movedTo",
    );
    expect(await sendJson(404, "/api/articles/no-such")).not.toHaveProperty("movedTo");
    expect(await sendJson(200, `/api/articles/no-such?moved=follow&blogId=${tenant.blogId}`)).toMatchObject({ _id });
  });

  it("work on a host of the blog's own, with its articlePath", async () => {
    const host = await hostsOf(tenant).proved();
    await sendJson(200, `/api/blogs/${tenant.blogId}/site`, {
      as,
      method: "PUT",
      body: { siteUrl: `https://${host}`, articlePath: "/{slug}" },
    });
    const { _id } = await newArticle(tenant, { slug: "on-a-host" });
    const from = fresh();
    await add({ from, to: `https://${host}/on-a-host` });
    expect(await list(`query=${from}`)).toMatchObject([{ articleId: _id }]);
    const response = await ask(`https://${host}${from}/?a=1`);
    expect([response.status, response.headers.get("Location")]).toEqual([301, "/on-a-host?a=1"]);
  });
});
