/** Files whose article goes, that no article takes, and a bucket that fails. */
import type { Database } from "../../src/store/core/sql.ts";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { removeUnownedFiles } from "../../src/background/media/files.ts";
import { emptyTrash } from "../../src/store/articles/system-trash.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { runCron } from "../helpers/cron.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";
import { newFile } from "../helpers/media.ts";
import { refusalOf } from "../helpers/refusals.ts";
import { purgedTags } from "../helpers/relay.ts";

const MINUTE_MS = 60_000;
const ago = (minutes: number): Date => new Date(Date.now() - minutes * MINUTE_MS);

/** Whether the bytes and the row of a file are there. */
async function kept({ organizationId }: Tenant, id: string): Promise<[bytes: boolean, row: boolean]> {
  const row = await env.DB.prepare("select 1 from media where id = ?").bind(id).first();
  return [(await env.MEDIA.head(`${organizationId}/${id}`)) !== null, row !== null];
}

async function deleted(tenant: Tenant, files = 1): Promise<{ articleId: string; ids: string[] }> {
  const { _id: articleId } = await newArticle(tenant);
  const ids: string[] = [];
  for (let n = 0; n < files; n++) ids.push(await newFile(tenant.organizationId, articleId, ago(60 * 24 * 100)));
  await sendJson(200, `/api/articles/${articleId}`, { as: tenant, method: "DELETE" });
  return { articleId, ids };
}

/** Deletes what is in the trash for good. Its rows become those of files without an owner. */
async function purged(tenant: Tenant, articleId: string): Promise<void> {
  await sendJson(200, `/api/trash/${articleId}`, { as: tenant, method: "DELETE" });
  await emptyTrash(env.DB, new Date(), { articles: 1000, articleBytes: 1_000_000 });
}

describe("the deletion of an article", () => {
  it("takes its files along: 404 at once, gone with the next sweep after it left the trash, and others stay", async () => {
    const tenant = await newTenant();
    const other = await newArticle(tenant);
    const stays = await newFile(tenant.organizationId, other._id, ago(60 * 24 * 100));
    const { articleId, ids } = await deleted(tenant, 3);
    for (const id of ids) await refusalOf(await send(`/media/${id}`), "not_found");
    await runCron();
    for (const id of ids) expect(await kept(tenant, id)).toEqual([true, false]);
    await purged(tenant, articleId);
    await runCron();
    for (const id of ids) expect(await kept(tenant, id)).toEqual([false, false]);
    expect(await kept(tenant, stays)).toEqual([true, true]);
    expect((await send(`/media/${stays}`)).status).toBe(200);
  });

  it("purges them from the edge, whose copies would live for a year", async () => {
    const tenant = await newTenant();
    const { articleId } = await deleted(tenant);
    expect(new Set(await purgedTags(tenant))).toEqual(new Set([`blog-${tenant.blogId}`, `media-${articleId}`]));
  });

  it("that is refused leaves them", async () => {
    const tenant = await newTenant();
    const { _id: articleId } = await newArticle(tenant);
    const id = await newFile(tenant.organizationId, articleId, ago(60));
    const options = { as: tenant, method: "DELETE", headers: { "If-Match": '"x"' } };
    await refusalOf(await send(`/api/articles/${articleId}`, options), "precondition_failed");
    await removeUnownedFiles(env.DB, env.MEDIA, new Date());
    expect(await kept(tenant, id)).toEqual([true, true]);
    expect((await send(`/media/${id}`)).status).toBe(200);
  });
});

describe("files that no article took", () => {
  it("are removed after 30 minutes, and not before: theirs may still be written", async () => {
    const tenant = await newTenant();
    const [young, old] = [
      await newFile(tenant.organizationId, null, ago(29)),
      await newFile(tenant.organizationId, null, ago(31)),
    ];
    expect(await removeUnownedFiles(env.DB, env.MEDIA, new Date())).toBe(1);
    expect([await kept(tenant, young), await kept(tenant, old)]).toEqual([
      [true, true],
      [false, false],
    ]);
    expect(await removeUnownedFiles(env.DB, env.MEDIA, new Date(Date.now() + 2 * MINUTE_MS))).toBe(1);
  });

  it("one that was noted and never stored is forgotten, too", async () => {
    const tenant = await newTenant();
    const id = await newFile(tenant.organizationId, null, ago(31));
    await env.MEDIA.delete(`${tenant.organizationId}/${id}`);
    expect(await removeUnownedFiles(env.DB, env.MEDIA, new Date())).toBe(1);
    expect(await kept(tenant, id)).toEqual([false, false]);
  });

  it("more than 1000 go by and by, each of its organization", async () => {
    const [tenant, other] = [await newTenant(), await newTenant()];
    const ids = Array.from({ length: 1100 }, () => newId());
    await env.DB.prepare(
      `insert into media (id, organization_id, media_type, creation_time)
       select value, ?1, 'image/png', ?2 from json_each(?3)`,
    )
      .bind(tenant.organizationId, ago(60).toISOString(), JSON.stringify(ids))
      .run();
    for (const id of [ids[0], ids[1099]]) await env.MEDIA.put(`${tenant.organizationId}/${id}`, "bytes");
    // The same id below another organization is another file.
    await env.MEDIA.put(`${other.organizationId}/${ids[0]}`, "bytes");
    expect(await removeUnownedFiles(env.DB, env.MEDIA, new Date())).toBe(1000);
    expect(await removeUnownedFiles(env.DB, env.MEDIA, new Date())).toBe(100);
    expect(await removeUnownedFiles(env.DB, env.MEDIA, new Date())).toBe(0);
    for (const id of [ids[0], ids[1099]]) expect(await kept(tenant, id ?? "")).toEqual([false, false]);
    expect(await kept(other, ids[0] ?? "")).toEqual([true, false]);
  });
});

describe("a bucket that fails", () => {
  const broken = (methods: Partial<R2Bucket>): R2Bucket => ({ ...methods }) as R2Bucket;
  const failing = () => Promise.reject(new Error("R2 secret"));

  it("loses nothing: the next sweep removes the files, and the rest of this one goes on", async () => {
    const tenant = await newTenant();
    const { articleId, ids } = await deleted(tenant);
    const [id = ""] = ids;
    await purged(tenant, articleId);
    await runCron({ MEDIA: broken({ delete: failing }) });
    expect(await kept(tenant, id)).toEqual([true, true]);
    await refusalOf(await send(`/media/${id}`), "not_found");
    await runCron();
    expect(await kept(tenant, id)).toEqual([false, false]);
  });

  it("forgotten rows that fail are tried again, though their files are gone", async () => {
    const tenant = await newTenant();
    const id = await newFile(tenant.organizationId, null, ago(31));
    const db: Database = {
      prepare(query) {
        if (query.startsWith("delete")) throw new Error("D1 secret");
        return env.DB.prepare(query);
      },
      batch: failing,
    };
    await expect(removeUnownedFiles(db, env.MEDIA, new Date())).rejects.toThrow();
    expect(await kept(tenant, id)).toEqual([false, true]);
    expect(await removeUnownedFiles(env.DB, env.MEDIA, new Date())).toBe(1);
    expect(await kept(tenant, id)).toEqual([false, false]);
  });

  it("is a 500 that tells nothing and is not kept for a year", async () => {
    const tenant = await newTenant();
    const { _id: articleId } = await newArticle(tenant);
    const path = `/media/${await newFile(tenant.organizationId, articleId)}`;
    const response = await send(path, { bindings: { MEDIA: broken({ get: failing }) } });
    expect((await refusalOf(response, "internal")).detail).not.toContain("R2");
    expect((await send(path)).status).toBe(200);
  });

  it("does not keep an article from being deleted", async () => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant);
    await newFile(tenant.organizationId, _id);
    const bindings = { MEDIA: broken({ get: failing, delete: failing, put: failing }) };
    expect((await send(`/api/articles/${_id}`, { as: tenant, method: "DELETE", bindings })).status).toBe(200);
  });
});
