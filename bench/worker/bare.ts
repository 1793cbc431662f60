/**
 * The bare counterparts: Hono, and the very calls to the platform that the service makes, as constant
 * strings; no validation, no authorization, no caching rules. What the service costs beyond them is its own.
 */
import { Hono, type Context } from "hono";
import { newId } from "../../src/lib/ids.ts";
import { ASKED, BODY, capture, type Captured, type Statement } from "./captured.ts";

type Bare = {
  Bindings: Pick<Env, "DB" | "EVENTS" | "KEY_LIMIT" | "ORGANIZATION_LIMIT"> & {
    ORGANIZATION_ID: string;
    BLOG_ID: string;
    KEY_ID: string;
  };
};

const ID_SHAPE = /^[0-9a-f]{8}-[0-9a-f]{4}-7/;

let statements: Captured | null = null;

async function captured({ env }: Context<Bare>): Promise<Captured> {
  statements ??= await capture({ organizationId: env.ORGANIZATION_ID, blogId: env.BLOG_ID, keyId: env.KEY_ID });
  return statements;
}

const app = new Hono<Bare>();

app.get("/", (c) => c.json({ hello: "world" }));

app.get("/articles/:slug", async (c) => {
  const { bySlug } = await captured(c);
  const [row] = await rowsOf(c, bySlug, c.req.param("slug"));
  const etag = `"${String(row?.["rowVersion"])}"`;
  if (c.req.header("If-None-Match") === etag) return c.body(null, 304, { ETag: etag });
  return c.json(row, 200, { ETag: etag });
});

app.get("/articles", async (c) => c.json(await rowsOf(c, (await captured(c)).list)));

app.get("/fields", async (c) => c.json(await rowsOf(c, (await captured(c)).fields)));

app.get("/own", async (c) => {
  const { ownList } = await captured(c);
  await recognize(c);
  const [mine] = await c.env.DB.batch(ownList.map((statement) => bound(c, statement)));
  return c.json(mine?.results);
});

app.post("/articles", async (c) => {
  const { write } = await captured(c);
  await recognize(c);
  const { slug, content } = await c.req.json<{ slug: string; content: string }>();
  // Each identifier that is not the fixture's is new for each request, and the same within it.
  const fresh = new Map<unknown, string>([
    [ASKED, slug],
    [BODY, content],
  ]);
  for (const id of write.flatMap(({ params }) => params)) {
    if (typeof id !== "string" || !ID_SHAPE.test(id) || fresh.has(id)) continue;
    const isFixture = [c.env.ORGANIZATION_ID, c.env.BLOG_ID, c.env.KEY_ID].includes(id);
    fresh.set(id, isFixture ? id : newId());
  }
  const results = await c.env.DB.batch<Record<string, unknown>>(
    write.map(({ text, params }) => c.env.DB.prepare(text).bind(...params.map((value) => fresh.get(value) ?? value))),
  );
  c.executionCtx.waitUntil(c.env.EVENTS.send({ eventId: slug }));
  return c.json(results[1]?.results[0]);
});

/** One query for the credential, one question to each of the two rate limiters. */
async function recognize(c: Context<Bare>): Promise<void> {
  const secret = atob(c.req.header("Authorization")?.slice("Basic ".length) ?? "");
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret));
  const hash = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const [found] = await rowsOf(c, (await captured(c)).credential, hash);
  await c.env.KEY_LIMIT.limit({ key: String(found?.["id"]) });
  await c.env.ORGANIZATION_LIMIT.limit({ key: c.env.ORGANIZATION_ID });
}

async function rowsOf(c: Context<Bare>, [query]: readonly Statement[], asked?: string) {
  if (query === undefined) throw new Error("nothing was captured");
  return (await bound(c, query, asked).all<Record<string, unknown>>()).results;
}

const bound = (c: Context<Bare>, { text, params }: Statement, asked?: string): D1PreparedStatement =>
  c.env.DB.prepare(text).bind(...params.map((value) => (value === ASKED ? asked : value)));

export default app;
