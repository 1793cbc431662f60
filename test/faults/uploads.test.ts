/** Uploads that race, that are cut off between R2 and D1, and that meet a full quota (contract 19.1, 19.2 and 19.8). */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { runCron } from "../helpers/cron.ts";
import { losing } from "../helpers/failing-database.ts";
import { freshGif, newMedia, newPng, upload, type MediaBody } from "../helpers/pictures.ts";
import { refusalOf } from "../helpers/refusals.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";

const keysOf = async ({ organizationId }: Tenant): Promise<string[]> =>
  (await env.MEDIA.list({ prefix: `${organizationId}/` })).objects.map(({ key }) => key);
const usedOf = ({ organizationId }: Tenant): Promise<number | null> =>
  env.DB.prepare("select media_bytes from organizations where id = ?").bind(organizationId).first("media_bytes");
const rowsOf = async ({ organizationId }: Tenant): Promise<unknown[]> =>
  (await env.DB.prepare("select id, library from media where organization_id = ?").bind(organizationId).all()).results;

describe("uploads of the same picture at once", () => {
  it("are one item and one file, whoever comes first, and count once", async () => {
    const tenant = await newTenant();
    const png = await newPng(40, 30, 7);
    const answers = await Promise.all(Array.from({ length: 6 }, () => upload(tenant, png)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    const ids = await Promise.all(answers.map(async (answer) => (await answer.json<MediaBody>())._id));
    expect(new Set(ids).size).toBe(1);
    expect(await usedOf(tenant)).toBe(png.length);
    await runCron();
    expect(await keysOf(tenant)).toEqual([`${tenant.organizationId}/${ids[0]}`]);
    expect(await rowsOf(tenant)).toEqual([{ id: ids[0], library: 1 }]);
  });
});

describe("an upload that is cut off", () => {
  it("before R2 has the file leaves nothing that counts, and the same upload succeeds afterwards", async () => {
    const tenant = await newTenant();
    const png = await newPng(40, 31, 7);
    const MEDIA = { put: () => Promise.reject(new Error("R2 is down")) } as unknown as R2Bucket;
    const failed = await upload(tenant, png, { bindings: { MEDIA } });
    expect(failed.status).toBe(500);
    expect([await usedOf(tenant), await keysOf(tenant)]).toEqual([0, []]);
    expect((await upload(tenant, png)).status).toBe(200);
    await runCron();
    expect([await usedOf(tenant), (await keysOf(tenant)).length]).toEqual([png.length, 1]);
  });

  it("between R2 and D1 leaves a file that is served to nobody, and that the sweep deletes with its row", async () => {
    const tenant = await newTenant();
    const png = await newPng(40, 32, 7);
    // The isolate ends after the file was stored: whatever it would have asked D1 then is never asked.
    let isOver = false;
    const MEDIA = {
      put: async (...args: Parameters<R2Bucket["put"]>) => {
        await env.MEDIA.put(...args);
        isOver = true;
      },
    } as unknown as R2Bucket;
    const ended = <T>(ask: () => T): T => {
      if (isOver) throw new Error("the isolate has ended");
      return ask();
    };
    const DB = {
      prepare: (query: string) => ended(() => env.DB.prepare(query)),
      batch: (statements: D1PreparedStatement[]) => ended(() => env.DB.batch(statements)),
    } as unknown as D1Database;
    expect((await upload(tenant, png, { bindings: { MEDIA, DB } })).status).toBeGreaterThanOrEqual(500);
    const [key = ""] = await keysOf(tenant);
    expect(await rowsOf(tenant)).toEqual([{ id: key.split("/")[1], library: 0 }]);
    await refusalOf(await send(`/media/${key.split("/")[1]}`), "not_found");
    expect(await usedOf(tenant)).toBe(png.length);

    expect((await upload(tenant, png)).status).toBe(200);
    await env.DB.prepare("update media set creation_time = '2020-01-01T00:00:00.000Z' where library = 0").run();
    await runCron();
    expect(await usedOf(tenant)).toBe(png.length);
    expect((await keysOf(tenant)).includes(key)).toBe(false);
  });
});

describe("an upload of which the database loses an answer before the file is in R2", () => {
  it.each(["before", "after", "late"] as const)("is stored once, and so is a replacement (%s)", async (moment) => {
    const tenant = await newTenant();
    const [png, larger] = [await newPng(40, 30, 7), await newPng(60, 60, 9)];
    const bindings = () => ({ DB: losing(moment, 'insert into "media"') });
    const uploaded = await upload(tenant, png, { bindings: bindings() });
    expect(uploaded.status).toBe(200);
    const { _id } = await uploaded.json<MediaBody>();
    expect([await usedOf(tenant), await rowsOf(tenant)]).toEqual([png.length, [{ id: _id, library: 1 }]]);
    const change = { as: tenant, method: "PUT", body: larger, type: "image/png", bindings: bindings() };
    expect((await send(`/api/media/${_id}/file`, change)).status).toBe(200);
    expect(await usedOf(tenant)).toBe(larger.length);
  });
});

describe("the quota", () => {
  it("has room for the last picture once, however many come at once", async () => {
    const tenant = await newTenant();
    const size = freshGif().length;
    const bindings = { ORGANIZATION_MEDIA_MEGABYTES: "1" } as unknown as Partial<Env>;
    const most = 1024 * 1024;
    await env.DB.prepare("update organizations set media_bytes = ? where id = ?")
      .bind(most - size, tenant.organizationId)
      .run();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => upload(tenant, freshGif(), { bindings, type: "image/gif" })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409]);
    for (const answer of answers.filter(({ status }) => status === 409)) await refusalOf(answer, "quota_exceeded");
    expect(await usedOf(tenant)).toBe(most);
  });

  it("has room for a replacement that is no larger where it is full, and for no byte more", async () => {
    const tenant = await newTenant();
    const [small, medium, large] = [await newPng(20, 20, 1), await newPng(20, 20, 2), await newPng(60, 60, 3)];
    const item = await (await upload(tenant, medium)).json<MediaBody>();
    const bindings = { ORGANIZATION_MEDIA_MEGABYTES: "1" } as unknown as Partial<Env>;
    const fill = (free: number) =>
      env.DB.prepare("update organizations set media_bytes = ? where id = ?")
        .bind(1024 * 1024 - free, tenant.organizationId)
        .run();
    const put = (body: Uint8Array) =>
      send(`/api/media/${item._id}/file`, { as: tenant, method: "PUT", body, type: "image/png", bindings });
    // Above the quota, as after it was lowered.
    await fill(-5000);
    const before = await usedOf(tenant);
    expect((await put(small)).status).toBe(200);
    expect(await usedOf(tenant)).toBe((before ?? 0) + small.length - medium.length);
    const more = large.length - small.length;
    await fill(more - 1);
    await refusalOf(await put(large), "quota_exceeded");
    await fill(more);
    expect((await put(large)).status).toBe(200);
    expect(await usedOf(tenant)).toBe(1024 * 1024);
  });

  it("is not exceeded by a replacement whose picture has become smaller meanwhile", async () => {
    const tenant = await newTenant();
    const [first, small, large] = [await newPng(60, 60, 1), await newPng(20, 20, 2), await newPng(60, 60, 3)];
    const item = await (await upload(tenant, first)).json<MediaBody>();
    const quota = { ORGANIZATION_MEDIA_MEGABYTES: "1" } as unknown as Partial<Env>;
    const put = (body: Uint8Array, bindings: Partial<Env>) =>
      send(`/api/media/${item._id}/file`, { as: tenant, method: "PUT", body, type: "image/png", bindings });
    const full = env.DB.prepare("update organizations set media_bytes = ? where id = ?");
    // While the second file is on its way to R2, the first replacement is done, and others use the room that it has made.
    const MEDIA = {
      put: async (...args: Parameters<R2Bucket["put"]>) => {
        await env.MEDIA.put(...args);
        expect((await put(small, quota)).status).toBe(200);
        await full.bind(1024 * 1024, tenant.organizationId).run();
      },
    } as unknown as R2Bucket;
    await refusalOf(await put(large, { ...quota, MEDIA }), "not_ready");
    expect(await usedOf(tenant)).toBe(1024 * 1024);
    expect(await sendJson(200, `/api/media/${item._id}`, { as: tenant })).toMatchObject({ bytes: small.length });
  });

  it("counts a replacement by its difference, and a deletion at once", async () => {
    const tenant = await newTenant();
    const item = await newMedia(tenant);
    const large = await newPng(200, 200, 3);
    const options = { as: tenant, method: "PUT", body: large, type: "image/png" };
    await sendJson(200, `/api/media/${item._id}/file`, options);
    expect(await usedOf(tenant)).toBe(large.length);
    await sendJson(200, `/api/media/${item._id}`, { as: tenant, method: "DELETE" });
    expect(await usedOf(tenant)).toBe(0);
    await runCron();
    expect([await usedOf(tenant), await keysOf(tenant), await rowsOf(tenant)]).toEqual([0, [], []]);
  });
});

describe("a picture that is deleted while an article begins to show it", () => {
  it("is either kept, or the article has no use of it", async () => {
    const tenant = await newTenant();
    const item = await newMedia(tenant);
    const [article, deletion] = await Promise.all([
      newArticle(tenant, { content: `![](${item.url})` }),
      send(`/api/media/${item._id}`, { as: tenant, method: "DELETE" }),
    ]);
    const uses = await env.DB.prepare("select media_id from media_uses where article_id = ?").bind(article._id).all();
    expect(uses.results.length === 1).toBe(deletion.status === 409);
  });
});
