/** Contract 14.2 and 14.3: texts of tags and authors, and long answers of idempotent calls, are bounded for an organization. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { openIdempotency } from "../../src/store/core/idempotency.ts";
import { parseSettings } from "../../src/env.ts";
import { newMember } from "../helpers/people.ts";
import { refusalOf, storingNothing } from "../helpers/refusals.ts";
import { send } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";
import { usageOf } from "../helpers/usage.ts";

let tenant: Tenant;
beforeEach(async () => {
  tenant = await newTenant();
});

const megabytes = (count: number) => ({ ORGANIZATION_MEGABYTES: String(count) }) as Partial<Env>;
const [one, none] = [megabytes(1), megabytes(0)];

async function usage() {
  const { counted, recounted } = await usageOf(tenant.organizationId);
  expect(counted).toEqual(recounted);
  return counted;
}

const longNames = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`de-x-n${n}`, "x".repeat(100)]));

describe("tags and authors", () => {
  const members = { names: { de: "x".repeat(100), fr: "y".repeat(100) } };
  const BYTES = JSON.stringify(members).length;
  const change = (method: string, path: string, body: object, bindings = one) =>
    send(path, { as: { apiKey: tenant.apiKey }, method, body, bindings });
  const add = (name: string, further: object = {}, bindings = one) =>
    change("POST", "/api/tags", { blogId: tenant.blogId, name, ...further }, bindings);

  it("count with the texts of articles what they have beside their names, unless it is short", async () => {
    const { _id } = await (await add("Long", members)).json<{ _id: string }>();
    expect((await add("Short", { names: { de: "Kurz" } })).status).toBe(200);
    expect(await usage()).toMatchObject({ articleBytes: BYTES });
    expect((await change("PUT", `/api/tags/${_id}`, { names: { de: "Kurz" } })).status).toBe(200);
    expect(await usage()).toMatchObject({ articleBytes: 0 });
    expect((await change("PUT", `/api/tags/${_id}`, members)).status).toBe(200);
    expect(await usage()).toMatchObject({ articleBytes: BYTES });
    expect((await change("DELETE", `/api/tags/${_id}`, {})).status).toBe(200);
    expect(await usage()).toMatchObject({ articleBytes: 0 });
  });

  it("are refused beyond the quota what makes them longer, and nothing else", async () => {
    const { _id } = await (await add("Full", members)).json<{ _id: string }>();
    await storingNothing(async () => {
      await refusalOf(await add("One more", members, none), "quota_exceeded");
      const longer = { names: { ...members.names, es: "z" } };
      await refusalOf(await change("PUT", `/api/tags/${_id}`, longer, none), "quota_exceeded");
    });
    expect((await add("Another short one", {}, none)).status).toBe(200);
    expect((await change("PUT", `/api/tags/${_id}`, { name: "Renamed" }, none)).status).toBe(200);
    expect((await change("PUT", `/api/tags/${_id}`, { names: { de: "x" } }, none)).status).toBe(200);
  });

  it("are counted as a whole once they are no longer short, and are free until then, also where the quota is full", async () => {
    const short = { names: { de: "x".repeat(40) } };
    const { _id } = await (await add("Short", short)).json<{ _id: string }>();
    const put = (length: number, bindings: Partial<Env>) =>
      change("PUT", `/api/tags/${_id}`, { names: { de: "x".repeat(length) } }, bindings);
    expect((await put(41, none)).status).toBe(200);
    const long = JSON.stringify({ names: { de: "x".repeat(80) } }).length;
    const leave = (free: number) =>
      env.DB.prepare("update organizations set article_bytes = ? where id = ?")
        .bind(1024 * 1024 - free, tenant.organizationId)
        .run();
    await leave(long - 1);
    await refusalOf(await put(80, one), "quota_exceeded");
    await leave(long);
    expect((await put(80, one)).status).toBe(200);
    const { counted } = await usageOf(tenant.organizationId);
    expect(counted.articleBytes).toBe(1024 * 1024);
  });

  it("keep no more long answers than there is room, for a day; short ones and calls without a key go on", async () => {
    const { _id } = await (await add("Answered", { names: longNames })).json<{ _id: string }>();
    const put = (key?: string, bindings = one) =>
      send(`/api/tags/${_id}`, {
        as: { apiKey: tenant.apiKey },
        method: "PUT",
        body: { name: "Answered" },
        bindings,
        headers: key === undefined ? {} : { "Idempotency-Key": key },
      });
    expect((await put("first")).status).toBe(200);
    const { answerBytes } = await usage();
    expect(answerBytes).toBeGreaterThan(10_000);
    const refused = await put("second", none);
    expect(refused.headers.get("Retry-After")).toBe("3600");
    expect(await refusalOf(refused, "rate_limited")).toMatchObject({
      detail: expect.stringContaining("of 0 MiB"),
    });
    expect((await put("first", none)).headers.get("Idempotent-Replayed")).toBe("true");
    expect((await put(undefined, none)).status).toBe(200);
    await env.DB.prepare("delete from idempotency where organization_id = ?").bind(tenant.organizationId).run();
    expect(await usage()).toMatchObject({ answerBytes: 0 });
    expect((await put("second", none)).status).toBe(200);
  });

  it("leave people in the console twice the room, so that programs do not use it up", async () => {
    const { userId } = await newMember(tenant.organizationId, "owner");
    const begun = async (answerBytes: number) => {
      await env.DB.prepare("update organizations set answer_bytes = ? where id = ?")
        .bind(answerBytes, tenant.organizationId)
        .run();
      const keys = openIdempotency({
        db: env.DB,
        organizationId: tenant.organizationId,
        pinnedBlogId: null,
        actor: { kind: "user", id: userId, role: "owner" },
        requestId: "r",
        now: () => new Date(),
        quota: { ...parseSettings(env).quota, articleBytes: 1000 },
        announce: () => undefined,
        afterwards: () => undefined,
      });
      return keys.begin(`key ${answerBytes}`, "fingerprint").then(
        ({ kind }) => kind,
        ({ code }: { code: string }) => code,
      );
    };
    expect([await begun(2000), await begun(2001)]).toEqual(["claimed", "rate_limited"]);
  });
});
