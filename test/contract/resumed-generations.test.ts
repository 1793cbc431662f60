/** Contract 8.8: what a generation has paid for is kept, and another run goes on with it. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import {
  askedOf,
  eventsOf,
  generate,
  generated,
  hold,
  release,
  script,
  SHORT,
  untilAsked,
  type Generating,
} from "../helpers/generating.ts";
import { refusalOf } from "../helpers/refusals.ts";
import { sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant();
});

const withImages = { AI_IMAGE_MODEL: "painter" };

/** Begins a generation whose description fails, and returns how it is repeated. */
async function failing(more: Generating = {}): Promise<Generating & { name: string; headers: Record<string, string> }> {
  const [name, headers] = [newId(), { "Idempotency-Key": newId() }];
  await script(name, [{ match: '"description"', answer: "broken", status: 500 }]);
  const asked = { name, headers, ...more };
  await refusalOf(await generate(tenant, asked), "ai_unavailable");
  return asked;
}

const answered = async (name: string) =>
  (await askedOf(name)).map(({ path, body }) => `${path} ${/"name":"(\w+)"/.exec(body)?.[1] ?? ""}`);

/** Leaves the generation that failed last as a crash of the service leaves it. */
const crash = () =>
  env.DB.prepare(
    "update generations set state = 'running', code = null, lease_time = '2026' where organization_id = ? and state = 'failed'",
  )
    .bind(tenant.organizationId)
    .run();

const rowsOf = async (id: string) =>
  (
    await env.DB.prepare(
      "select a.key from generations g join generation_answers a on a.generation_id = g.id where g.article_id = ?",
    )
      .bind(id)
      .all<{ key: string }>()
  ).results.map(({ key }) => key);

describe("a generation that failed, repeated with its Idempotency-Key", () => {
  it("asks only what it has no answer for, and costs the sum of both runs", async () => {
    const asked = await failing();
    // What the blog has published since changes no question.
    await newArticle(tenant, { title: "In between", published: true });
    const before = await answered(asked.name);
    const { article, metadata } = await generated(tenant, asked);
    const after = (await answered(asked.name)).slice(before.length);
    expect(after).toEqual(["/chat/completions description"]);
    // The one that failed cost nothing.
    expect(metadata["inputTokens"]).toBe(100 * before.length);
    const as = { apiKey: tenant.apiKey };
    const [first] = await sendJson<object[]>(200, "/api/generations?limit=1", { as });
    expect(first).toMatchObject({ state: "stored", articleId: article._id, inputTokens: 100 * before.length });
    expect(await rowsOf(article._id)).toEqual(["report"]);
  });

  it("has the images that were drawn before", async () => {
    const [name, headers] = [newId(), { "Idempotency-Key": newId() }];
    const asked = { name, headers, bindings: withImages };
    const fault = "create trigger fault before insert on articles begin select raise(abort, 'boom'); end";
    await env.DB.prepare(fault).run();
    await refusalOf(await generate(tenant, asked), "internal").finally(() =>
      env.DB.prepare("drop trigger fault").run(),
    );
    const before = (await askedOf(name)).length;
    const { article, metadata } = await generated(tenant, asked);
    expect(await askedOf(name)).toHaveLength(before);
    const images = metadata["images"] as { url: string }[];
    expect([images.length > 0, images[0]?.url]).toEqual([true, article.coverUrl]);
    await sendJson(200, `/api/articles/${article._id}`);
    const { pathname } = new URL(article.coverUrl);
    const owned = await env.DB.prepare("select article_id from media where id = ?")
      .bind(pathname.split("/").at(-1))
      .first();
    expect(owned).toEqual({ article_id: article._id });
  });

  it("goes on after a crash once its invocation is known to be gone", async () => {
    const asked = await failing();
    const before = (await answered(asked.name)).length;
    await crash();
    await generated(tenant, asked);
    expect(await answered(asked.name)).toHaveLength(before + 1);
  });

  it("is another one with another body", async () => {
    const asked = await failing();
    const before = (await answered(asked.name)).length;
    await generated(tenant, { ...asked, body: { ...SHORT, topic: "Evening walks" } });
    expect((await answered(asked.name)).length).toBe(2 * before);
  });
});

it("an endpoint that misbehaves in each way is paid once for each answer, also across a crash", async () => {
  const [name, headers] = [newId(), { "Idempotency-Key": newId() }];
  // It knows no JSON schema and no streams, is busy at first, then breaks off, calls a tool, and fails for good in the end.
  const behaviour =
    "no-json-schema+rate-limited-1-2-times+status-503-3-times+broken-4-times+tool-calls-5-times+unstreamed";
  await script(name, [{ match: "search engines and lists", answer: "broken", status: 500 }]);
  const bindings = { AI_BASE_URL: `${env.MODELS.url}/${behaviour}/${name}/v1` };
  const asked = { name, headers, bindings };
  await refusalOf(await generate(tenant, asked), "ai_unavailable");
  await crash();
  const { metadata } = await generated(tenant, asked);
  const seen = await askedOf(name);
  const formats = seen.map(({ body }) => /"type":"json_(\w+)"/.exec(body)?.[1]);
  expect(formats.filter((format) => format === "schema").length).toBe(1);
  // Five have no whole answer: refused for its format, two while it is busy, broken off, failed.
  expect(metadata["inputTokens"]).toBe(100 * (seen.length - 5));
  // Each question is asked once more at most, but the first: it was refused, put off, broken off and repaired.
  expect(seen.length).toBe(5 + 1 + 1 + 3 + 1);
  const [row] = await sendJson<object[]>(200, "/api/generations?limit=1", { as: { apiKey: tenant.apiKey } });
  expect(row).toMatchObject({ state: "stored", inputTokens: metadata["inputTokens"] });
});

describe("the first step of a stream", () => {
  const asStream = { Accept: "text/event-stream" };

  it("names the generation, and the key with which it goes on", async () => {
    const name = newId();
    await script(name, [{ match: '"description"', answer: "broken", status: 500 }]);
    const events = eventsOf(await (await generate(tenant, { name, headers: asStream })).text());
    const [{ data } = { data: {} }] = events;
    expect(data).toEqual({ step: "started", generationId: expect.any(String), idempotencyKey: expect.any(String) });
    expect(events.at(-1)?.event).toBe("error");
    const before = (await askedOf(name)).length;
    const { idempotencyKey } = data as { idempotencyKey: string };
    await generated(tenant, { name, headers: { "Idempotency-Key": idempotencyKey } });
    expect(await askedOf(name)).toHaveLength(before + 1);
  });

  it("names the caller's own key", async () => {
    const key = newId();
    const headers = { ...asStream, "Idempotency-Key": key };
    const [first] = eventsOf(await (await generate(tenant, { headers })).text());
    expect(first?.data).toMatchObject({ step: "started", idempotencyKey: key });
  });
});

it("a run stores nothing once another one has gone on with its generation", async () => {
  const name = newId();
  await hold(name);
  const running = generate(tenant, { name });
  await untilAsked(name);
  await env.DB.prepare("update generations set turn = 'another' where organization_id = ? and state = 'running'")
    .bind(tenant.organizationId)
    .run();
  await release(name);
  await refusalOf(await running, "generation_state");
});
