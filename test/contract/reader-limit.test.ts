/** Contract 14.6: readers without credentials whom the edge does not answer are limited by network. */
import { beforeEach, expect, it, vi } from "vitest";
import { RATES } from "../../src/domain/rates.ts";
import { newId } from "../../src/lib/ids.ts";
import { UNCOUNTED_READS } from "../../src/surfaces/request/strangers.ts";
import { countingDatabase } from "../helpers/counting.ts";
import { limited } from "../helpers/limiter.ts";
import { refusalOf } from "../helpers/refusals.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant } from "../helpers/tenant.ts";

const from = (address: string) => ({ headers: { "CF-Connecting-IP": address } });

// No minute ends within a test, and none of its networks has read before.
let day = Date.now();
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: (day += 86_400_000) });
  return () => vi.useRealTimers();
});

/** Sends the reads of a network for which an isolate does not ask the limiter. */
async function readOften(address: string, blogId: string): Promise<void> {
  const bindings = limited({ reads: 0 });
  for (let n = 0; n < UNCOUNTED_READS; n++)
    expect((await send(`/blogs/${blogId}`, { ...from(address), bindings })).status).toBe(200);
}

it("refuses what is too much before it asks D1", async () => {
  const tenant = await newTenant();
  const { _id } = await newArticle(tenant);
  await readOften("192.0.2.7", tenant.blogId);
  const { db, counts } = countingDatabase();
  const bindings = { ...limited({ reads: 1 }), DB: db };
  expect((await send(`/api/articles/${_id}`, { ...from("192.0.2.7"), bindings })).status).toBe(200);
  const { queries } = counts;
  for (const path of [
    `/api/articles/${_id}`,
    `/api/articles?blogId=${tenant.blogId}`,
    `/blogs/${tenant.blogId}`,
    `/media/${newId()}`,
  ]) {
    const response = await send(path, { ...from("192.0.2.7"), bindings });
    expect(response.headers.get("Retry-After")).toBe("60");
    expect(response.headers.get("RateLimit-Policy")).toBe(`"rate_limited";q=${RATES.reads};w=60`);
    await refusalOf(response, "rate_limited");
  }
  expect(counts.queries).toBe(queries);
});

it("counts an IPv4 address as itself, and an IPv6 address as its /48", async () => {
  const { blogId } = await newTenant();
  for (const address of ["192.0.2.7", "192.0.2.8", "2001:db8:1:2::1", "2001:db8:2:2::1"])
    await readOften(address, blogId);
  const bindings = limited({ reads: 1 });
  const statusFrom = async (address: string) => (await send(`/blogs/${blogId}`, { ...from(address), bindings })).status;
  expect(await statusFrom("192.0.2.7")).toBe(200);
  expect(await statusFrom("192.0.2.8")).toBe(200);
  expect(await statusFrom("192.0.2.7")).toBe(429);
  expect(await statusFrom("2001:db8:1:2::1")).toBe(200);
  expect(await statusFrom("2001:db8:1:ffff::2")).toBe(429);
  expect(await statusFrom("2001:db8:2:2::1")).toBe(200);
});

it("does not count callers with credentials, nor those who lack them", async () => {
  const { apiKey, blogId } = await newTenant();
  const bindings = limited({ reads: 0 });
  expect((await send(`/api/articles?blogId=${blogId}`, { as: { apiKey }, bindings })).status).toBe(200);
  await refusalOf(await send("/api/blogs", { bindings }), "credentials_missing");
});

it("counts searches on a site as it counts those of the API: an IPv6 address as its /48", async () => {
  const { apiKey, blogId } = await newTenant();
  const { vanityId } = await sendJson<{ vanityId: string }>(200, `/api/blogs/${blogId}`, { as: { apiKey } });
  const bindings = limited({ readerSearches: 2 });
  const statusFrom = async (address: string, path = `/${vanityId}/search?q=ferry`) =>
    (await send(path, { ...from(address), bindings })).status;
  expect(await statusFrom("2001:db8:1:2::1")).toBe(200);
  expect(await statusFrom("2001:db8:1:ffff::2")).toBe(200);
  expect(await statusFrom("2001:db8:1:3::3")).toBe(429);
  expect(await statusFrom("2001:db8:1:4::4", `/blogs/${blogId}/search?q=ferry`)).toBe(429);
  expect(await statusFrom("2001:db8:2:2::1")).toBe(200);
});

it("counts the site maps of a blog, however its id is written", async () => {
  const { blogId } = await newTenant();
  const bindings = limited({ sitemaps: 1 });
  const statusOf = async (id: string) => (await send(`/blogs/${id}/sitemap.xml`, { bindings })).status;
  expect([await statusOf(blogId), await statusOf(blogId.toUpperCase())]).toEqual([200, 429]);
});
