/**
 * The bare counterparts of the routes: Hono with exactly the platform calls of the service, as constant strings. They
 * validate and authorize nothing, and set no caching headers. The difference to the service is the service's own cost.
 */
import { Hono, type Context } from "hono";
import { newId } from "../../src/lib/ids.ts";
import type { MeasuredArticle } from "../fixture.ts";
import { ASKED, capture, type Captured, type Statement } from "./captured.ts";

type Bare = {
  Bindings: Pick<Env, "DB" | "EVENTS" | "LIMIT_600" | "LIMIT_1200"> & {
    ORGANIZATION_ID: string;
    BLOG_ID: string;
    KEY_ID: string;
    ARTICLE: MeasuredArticle;
  };
};

type Row = Record<string, unknown>;

const ID_SHAPE = /^[0-9a-f]{8}-[0-9a-f]{4}-7/;

let statements: Captured | null = null;

async function captured({ env }: Context<Bare>): Promise<Captured> {
  statements ??= await capture({
    organizationId: env.ORGANIZATION_ID,
    blogId: env.BLOG_ID,
    keyId: env.KEY_ID,
    article: env.ARTICLE,
  });
  return statements;
}

const app = new Hono<Bare>();

app.get("/", (c) => c.json({ hello: "world" }));

app.get("/articles/:slug", async (c) => {
  const { bySlug } = await captured(c);
  const [row = {}] = await rowsOf(c, bySlug, c.req.param("slug"));
  const etag = `"${String(row["rowVersion"])}"`;
  if (c.req.header("If-None-Match") === etag) return c.body(null, 304, { ETag: etag });
  return c.json(shown(row), 200, { ETag: etag });
});

app.get("/articles", async (c) => {
  return c.json(page(await rowsOf(c, (await captured(c)).list)));
});

app.get("/fields", async (c) => {
  const rows = await rowsOf(c, (await captured(c)).fields);
  return c.json(page(rows).map(({ _id, title, slug }) => ({ _id, title, slug })));
});

app.get("/own", async (c) => {
  const { ownList } = await captured(c);
  await recognize(c);
  return c.json(page(await rowsOf(c, ownList)));
});

app.post("/articles", async (c) => {
  const { write } = await captured(c);
  await recognize(c);
  const { slug } = await c.req.json<{ slug: string }>();
  // Identifiers that are not of the fixture are new with each request. The same identifier gets the same new one.
  const fresh = new Map<unknown, string>([[ASKED, slug]]);
  for (const id of write.flatMap(({ params }) => params)) {
    if (typeof id !== "string" || !ID_SHAPE.test(id) || fresh.has(id)) continue;
    const isFixture = [c.env.ORGANIZATION_ID, c.env.BLOG_ID, c.env.KEY_ID].includes(id);
    fresh.set(id, isFixture ? id : newId());
  }
  const results = await c.env.DB.batch<Row>(
    write.map(({ text, params }) => c.env.DB.prepare(text).bind(...params.map((value) => fresh.get(value) ?? value))),
  );
  c.executionCtx.waitUntil(c.env.EVENTS.send({ organizationId: slug }));
  const inserted = write.findIndex(({ text }) => text.startsWith('insert into "articles"'));
  const named = Object.entries(results[inserted]?.results[0] ?? {}).map(([column, cell]) => [toName(column), cell]);
  return c.json(shown(Object.fromEntries(named) as Row));
});

/** Returns the name by which the service shows a column. */
const toName = (column: string): string =>
  column === "id" ? "_id" : column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Returns a row as the service shows it. */
function shown(row: Row): Row {
  const article: Row = { ...row, published: row["published"] === 1 };
  for (const name of ["rowVersion", "version"]) delete article[name];
  delete article["bytes"];
  return article;
}

/** Returns the rows of a page. The query read one row more, to know whether there is another page. */
const page = (rows: readonly Row[]): Row[] => rows.slice(0, 20).map(shown);

/** Does what the service does for authentication: one query for the credential, and one call of each rate limiter. */
async function recognize(c: Context<Bare>): Promise<void> {
  const secret = atob(c.req.header("Authorization")?.slice("Basic ".length) ?? "");
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret));
  const hash = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const [found] = await rowsOf(c, (await captured(c)).credential, hash);
  await c.env.LIMIT_600.limit({ key: String(found?.["id"]) });
  await c.env.LIMIT_1200.limit({ key: c.env.ORGANIZATION_ID });
}

async function rowsOf(c: Context<Bare>, [query]: readonly Statement[], asked?: string) {
  if (query === undefined) throw new Error("nothing was captured");
  return (await bound(c, query, asked).all<Row>()).results;
}

const bound = (c: Context<Bare>, { text, params }: Statement, asked?: string): D1PreparedStatement =>
  c.env.DB.prepare(text).bind(...params.map((value) => (value === ASKED ? asked : value)));

export default app;
