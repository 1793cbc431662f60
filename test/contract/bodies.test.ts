/** Contract 2.2: where a request needs a body, and what none means elsewhere. */
import { beforeAll, describe, expect, it } from "vitest";
import { carriesBody, getInputSources, requiresBody, type LoadedRoute } from "../../src/surfaces/rest/routes.ts";
import { operationOf } from "../helpers/openapi.ts";
import { everyRoute, newWorld, reaching, requestOf, validInput, type World } from "../helpers/operations.ts";
import { UNDELIVERED } from "../helpers/queued-generations.ts";
import { refusalOf } from "../helpers/refusals.ts";
import { send, sendJson, type Send } from "../helpers/requests.ts";
import { spread } from "../helpers/sample.ts";
import { newArticle } from "../helpers/tenant.ts";

const withBody = everyRoute.filter(({ route }) => carriesBody(route.method) && !route.upload && !route.streams);
const needing = withBody.filter(({ route }) => requiresBody(route));
const needingNone = withBody.filter(({ route }) => !requiresBody(route));

let world: World;
beforeAll(async () => {
  world = await newWorld();
});

/** Returns what the document says of it. An operation without fields has no body there. */
const documented = (route: LoadedRoute): boolean => operationOf(route).requestBody?.required ?? false;

it("of those with fields, these need none: no field of theirs has to be sent", () => {
  const titles = needingNone.filter(({ route }) => getInputSources(route).body.length > 0).map(({ title }) => title);
  expect(titles).toEqual([
    "POST /api/articles/generate",
    "POST /api/articles/outline",
    "POST /api/articles/:articleId/previews",
    "POST /api/generations",
    "POST /api/generations/estimate",
    "POST /api/articles/:articleId/draft/publish",
    "POST /api/articles/:articleId/approval/decline",
    "POST /api/trash/:articleId/restore",
    "POST /api/blogs/:blogId/imports/:importId/undo",
    "POST /api/topics/refresh",
    "POST /api/topics/research",
    "POST /api/webhooksubscriptions/:webhookSubscriptionId/redeliveries",
    "POST /api/apikeys/:apiKeyId/rotate",
  ]);
});

describe.each(spread(needing))("$title", ({ route }) => {
  it("needs a body", async () => {
    const as = reaching(route, world);
    const { path, method } = requestOf(route, validInput(route, world));
    await refusalOf(await send(path, { as, method }), "unsupported_media_type");
    expect(documented(route)).toBe(true);
  });
});

type Body = Pick<Send, "body" | "type">;

/** What a queue did would change what the next call finds. */
const bindings = { GENERATIONS: UNDELIVERED } as unknown as Partial<Env>;

describe.each(spread(needingNone))("$title", ({ route }) => {
  it("needs none: no body means {}", async () => {
    expect(documented(route)).toBe(false);
    const as = reaching(route, world);
    const { path, method } = requestOf(route, validInput(route, world));
    const statusOf = async (body: Body) => {
      // Its publication ends a working copy.
      const draft = path.endsWith("/draft/publish") ? path.replace("/publish", "") : null;
      if (draft !== null) await sendJson(200, draft, { as, method: "PUT", body: { title: "Next" } });
      return (await send(path, { as, method, bindings, ...body })).status;
    };
    // The first may change what the others find, such as an import that has begun.
    await statusOf({ body: {} });
    const expected = await statusOf({ body: {} });
    expect(expected).not.toBe(415);
    const none: Body[] = [{}, { body: "" }, { body: "", type: null }, { body: "", type: "text/plain" }];
    for (const body of none) expect(await statusOf(body)).toBe(expected);
    expect(await statusOf({ body: "a=b", type: "application/x-www-form-urlencoded" })).toBe(415);
    expect(await statusOf({ body: "[]" })).toBe(400);
  });
});

it("without a body, a preview link lasts an hour, and a working copy is published", async () => {
  const { tenant } = world;
  const { _id } = await newArticle(tenant, { title: "Before" });
  const of = (path: string, method: string, body?: object) =>
    sendJson(200, `/api/articles/${_id}/${path}`, { as: { apiKey: tenant.apiKey }, method, body });
  const link = await of("previews", "POST");
  const [begin = 0, end = 0] = ["creationTime", "expirationTime"].map((name) => Date.parse(String(link[name])));
  // Both are read from the clock, one after the other.
  expect(Math.round((end - begin) / 1000)).toBe(3600);
  await of("draft", "PUT", { title: "After" });
  expect(await of("draft/publish", "POST")).toMatchObject({ title: "After", published: true });
});
