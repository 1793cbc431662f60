/** `npm run admin -- archive`, `restore` of it, and `remove`: an organization moves from one installation to another. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { executeLocally, queryLocally } from "../../scripts/lib/local-database.ts";
import { BELONGINGS, type Belonging } from "../../src/store/export/belongings.ts";
import { admin, filesIn } from "./administration.ts";
import { prepareDatabase } from "../../scripts/lib/organization.ts";
import { basic, token } from "./demo.ts";
import { cleanUp, newState, receive, ROOT, start, WAIT } from "./local-run.ts";

afterAll(cleanUp);

const run = promisify(execFile);

const withId = z.looseObject({ _id: z.string() });
const TEXT = "港の朝\u2028O'Brien; -- \\n “quoted”";
const PICTURE = readFileSync(path.join(ROOT, "test/fixtures/pictures/with-location.png"));

/** Two installations that run, each with another organization. */
async function installation() {
  const state = newState();
  const run = await start(state);
  const { baseUrl } = await run.ready();
  return { state, run, baseUrl };
}

type Installation = Awaited<ReturnType<typeof installation>>;

const ask = async (
  { baseUrl }: Installation,
  url: string,
  { as, method = "POST", body }: { as: Record<string, string>; method?: string; body?: object | Buffer },
) => {
  const isFile = Buffer.isBuffer(body);
  const response = await fetch(`${baseUrl}${url}`, {
    method,
    headers: { ...as, "Content-Type": isFile ? "image/png" : "application/json" },
    body: body === undefined ? null : isFile ? new Uint8Array(body) : JSON.stringify(body),
  });
  const text = await response.text();
  expect(response.status, `${method} ${url}: ${text}`).toBeLessThan(300);
  return z.looseObject({}).parse(JSON.parse(text));
};

/** What a caller gets at a path: the bytes, but for what has the address or the AUTH_SECRET of an installation in it, and the ETag. */
async function read({ baseUrl }: Installation, url: string, as: Record<string, string>) {
  const response = await fetch(`${baseUrl}${url}`, { headers: as });
  const bytes = Buffer.from(await response.arrayBuffer()).toString("latin1");
  const same = bytes.replaceAll(/http:\/\/127\.0\.0\.1:\d+|(?<=\/unsubscribe\/\S{36}\.)[\w-]+/g, "");
  return { url, status: response.status, etag: response.headers.get("ETag"), bytes: same };
}

/** Usage without what costs money, which each installation counts for itself. */
const withoutLedger = ({ bytes, ...answer }: Awaited<ReturnType<typeof read>>) => ({
  ...answer,
  etag: null,
  bytes: bytes.replace(/"rowsWrittenPerMonth".*$/s, ""),
});

/** The rows of the organization, or of all others, by table. */
function rowsIn(state: string, organizationId: string, whose: "own" | "others") {
  const owned = Object.entries(BELONGINGS).flatMap(([table, belonging]) =>
    belonging === null || belonging.stays || belonging.isMadeAgain ? [] : [{ table, where: belonging.where }],
  );
  return Object.fromEntries(
    owned.map(({ table, where }) => {
      const own = where.replaceAll("?1", `'${organizationId}'`);
      const rows = queryLocally(state, `SELECT * FROM "${table}" WHERE ${whose === "own" ? own : `NOT (${own})`}`);
      return [table, rows.map((row) => JSON.stringify(withoutNumbers(table, row))).toSorted()];
    }),
  );
}

/** Without what each installation counts or indexes itself. */
function withoutNumbers(table: string, row: Record<string, unknown>): Record<string, unknown> {
  const numbered = BELONGINGS[table]?.numbered?.column;
  const own = new Set([numbered, "search_id", "indexed_version", "since_seq", "last_used_time"]);
  return Object.fromEntries(Object.entries(row).filter(([column]) => !own.has(column)));
}

describe("an organization that moves", () => {
  let from: Installation;
  let to: Installation;
  let moving: Awaited<ReturnType<typeof fill>>;
  let folder: string;

  beforeAll(async () => {
    [from, to] = [await installation(), await installation()];
    moving = await fill(from);
    folder = path.join(newState(), "archive");
  });

  /** Makes an organization with something in most tables. */
  async function fill(at: Installation) {
    const { stdout } = await admin(at.state, "create-organization", "Moving company");
    const [, organizationId = "", secret = ""] = /Identifier +(\S+)\nOperator token +(\S+)/.exec(stdout) ?? [];
    const as = token(secret);
    const make = async (url: string, body: object | Buffer, method = "POST") => ask(at, url, { as, body, method });
    const makeOne = async (url: string, body: object | Buffer) => withId.parse(await make(url, body))._id;
    const { url } = await receive();
    const blogId = await makeOne("/api/blogs", {
      name: "Moving notes",
      vanityId: "moving-notes",
      locales: ["en", "ja"],
    });
    await makeOne("/api/webhooksubscriptions", { url });
    const { secret: apiKey } = z
      .object({ secret: z.string() })
      .parse(await make("/api/apikeys", { name: "Key", scopes: SCOPES }));
    const media = withId.extend({ url: z.string() }).parse(await make("/api/media", PICTURE));
    const article = (title: string, more: object = {}) =>
      makeOne("/api/articles", { blogId, title, content: `${TEXT}\n\n![](${media.url})`, ...more });
    const shown = await article("Shown", {
      published: true,
      slug: "shown",
      tags: ["Harbor"],
      authors: ["Ada"],
    });
    await article("港の朝", { published: true, slug: "shown", locale: "ja" });
    const draft = await article("Draft", { slug: "a-draft" });
    await make("/api/articles", { _id: shown, title: "Shown twice", slug: "shown-elsewhere" });
    await make(`/api/articles/${shown}/draft`, { title: "Shown a third time" }, "PUT");
    await make(
      `/api/articles/${draft}/schedule`,
      { publishTime: new Date(Date.now() + 86_400_000).toISOString() },
      "PUT",
    );
    await makeOne("/api/contacts", { blogId, email: "reader@example.com", name: "Reader" });
    await make(`/api/blogs/${blogId}/redirects`, { from: "/old", articleId: shown });
    executeLocally(at.state, makeMember(organizationId));
    await make(`/api/blogs/${blogId}/site/hosts`, { host: "notes.example.com" });
    return { organizationId, as, apiKey, blogId, media, shown, draft };
  }

  const SCOPES = ["articles:read", "articles:write", "blogs:read", "blogs:write", "contacts:read", "topics:read"];

  const makeMember = (organizationId: string) => `
    INSERT INTO users (id, name, email, email_verified, creation_time, last_edit_time)
      VALUES ('u1', 'Grace', 'grace@example.com', 1, '2026', '2026');
    INSERT INTO accounts (id, user_id, provider_id, account_id, password, creation_time, last_edit_time)
      VALUES ('c1', 'u1', 'credential', 'u1', 'hash', '2026', '2026');
    INSERT INTO members (id, organization_id, user_id, role, creation_time)
      VALUES ('n1', '${organizationId}', 'u1', 'owner', '2026');`;

  /** What the service itself still has to do, and would do between two readings. */
  const WAITING = `SELECT (SELECT count(*) FROM events WHERE fan_out_time IS NULL)
    + (SELECT count(*) FROM deliveries WHERE state IN ('open', 'claimed'))
    + (SELECT count(*) FROM media WHERE library = 1 AND sizes IS NULL) AS waiting`;

  const readAll = async (at: Installation) => {
    const { blogId, shown, draft, media, apiKey, as } = moving;
    const byKey = [
      `/api/blogs/${blogId}`,
      `/api/articles?blogId=${blogId}`,
      `/api/articles/${shown}`,
      `/api/articles/shown?blogId=${blogId}&locale=ja`,
      `/api/articles/${shown}/draft`,
      `/api/articles/${shown}/revisions`,
      `/api/articles/${draft}/schedule`,
      `/api/contacts?blogId=${blogId}`,
      `/api/tags?blogId=${blogId}`,
      `/api/authors?blogId=${blogId}`,
      `/api/blogs/${blogId}/redirects`,
      `/api/blogs/${blogId}/movedslugs`,
    ];
    // The ETags of pages are of what is on them, such as the address.
    const pages = ["/blogs/moving-notes/feed.xml", "/moving-notes"];
    const [operators, everybody] = [
      ["/api/webhooksubscriptions", "/api/members", "/api/media", `/api/blogs/${blogId}/site/hosts`, "/api/audit"],
      [`/api/articles?blogId=${blogId}`, `/api/articles/${shown}`, `/media/${media._id}`],
    ];
    return Promise.all([
      ...byKey.map((url) => read(at, url, basic(apiKey))),
      ...operators.map((url) => read(at, url, as)),
      read(at, "/api/usage", as).then(withoutLedger),
      ...everybody.map((url) => read(at, url, {})),
      ...pages.map(async (url) => Object.assign(await read(at, url, {}), { etag: null })),
    ]);
  };

  it("has the same identifiers, bytes and ETags there, for the same key, and touches nothing of others", async () => {
    for (const { state } of [from, to])
      await expect.poll(() => queryLocally(state, WAITING), WAIT).toEqual([{ waiting: 0 }]);
    const others = rowsIn(to.state, moving.organizationId, "others");
    const before = await readAll(from);
    expect(before.map(({ url, status }) => `${status} ${url}`).filter((line) => !line.startsWith("200"))).toEqual([]);
    const { stdout } = await admin(from.state, "archive", moving.organizationId, folder);
    expect(stdout).toMatch(/^Archived +\d+ rows and [1-9]\d* files .*\nAll rows are of .*\nLast write +\d{4}-/s);
    await admin(to.state, "restore", folder);
    expect(await readAll(to)).toEqual(before);
    expect(rowsIn(to.state, moving.organizationId, "own")).toEqual(rowsIn(from.state, moving.organizationId, "own"));
    expect(rowsIn(to.state, moving.organizationId, "others")).toEqual(others);
    expect(queryLocally(to.state, "SELECT password FROM accounts WHERE user_id = 'u1'")).toEqual([
      { password: "hash" },
    ]);
    expect(queryLocally(to.state, "PRAGMA foreign_key_check")).toEqual([]);
    const ours = (files: { key: string }[]) => files.filter(({ key }) => key.includes(moving.organizationId));
    expect(ours(await filesIn(to.state))).toEqual(ours(await filesIn(from.state)));

    const written = await ask(to, "/api/articles", {
      as: basic(moving.apiKey),
      body: { _id: moving.draft, title: "Written there" },
    });
    expect(written["title"]).toBe("Written there");
  });

  it("says what an archive without secrets lacks", async () => {
    const bare = path.join(newState(), "archive");
    const { stdout } = await admin(from.state, "archive", moving.organizationId, bare, "--without-secrets");
    expect(stdout).toContain("Left out: API keys and operator tokens");
  });

  it("is exported by its owner with the client, without secrets, and restored into an empty installation", async () => {
    const [exported, state] = [path.join(newState(), "export"), newState()];
    const { Authorization } = moving.as;
    const env = {
      ...process.env,
      EDGEPRESS_OPERATOR_TOKEN: Authorization.replace("Token ", ""),
      EDGEPRESS_URL: from.baseUrl,
    };
    const client = path.join(ROOT, "dist/cli/edgepress.mjs");
    await run(process.execPath, [client, "organization", "export", exported], { env });
    await prepareDatabase({ folder: state });
    const { stdout } = await admin(state, "restore", exported);
    expect(stdout).toContain("Quotas of its own were left out");
    expect(stdout).not.toContain("rows are not there");
    const own = (of: string) => {
      const rows = rowsIn(of, moving.organizationId, "own");
      const secret = ({ isSecret }: Belonging) => isSecret === true;
      const named = Object.entries(BELONGINGS).filter(([, each]) => each !== null && secret(each));
      const kept = Object.entries(rows).filter(([table]) => !named.some(([name]) => name === table));
      return Object.fromEntries(kept.filter(([table]) => table !== "webhook_subscriptions"));
    };
    expect(own(state)).toEqual(own(from.state));
    expect(rowsIn(state, moving.organizationId, "own")["webhook_subscriptions"]).toHaveLength(1);
    expect(queryLocally(state, "SELECT 1 FROM credentials")).toEqual([]);
    const ours = (files: { key: string }[]) => files.filter(({ key }) => key.includes(moving.organizationId));
    expect(ours(await filesIn(state))).toEqual(ours(await filesIn(from.state)));
    const again = run(process.execPath, [client, "organization", "export", exported], { env });
    await expect(again).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("has an export already") });
  });

  it("is not restored twice", async () => {
    const refused = admin(to.state, "restore", folder);
    await expect(refused).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("is there already") });
  });

  it("is removed only by its name and if nothing was written since, and then nothing is left of it, and all of the others", async () => {
    const { organizationId, blogId, shown, media } = moving;
    const remove = (...args: string[]) => admin(from.state, "remove", organizationId, ...args);
    await expect(remove("--confirm", "Another")).rejects.toMatchObject({ code: 2 });
    const CONFIRM = ["--confirm", "Moving company"];
    await ask(from, `/api/articles/${shown}/draft`, { as: moving.as, method: "PUT", body: { title: "Late" } });
    await expect(remove(...CONFIRM, "--archive", folder)).rejects.toMatchObject({
      stderr: expect.stringMatching(/written to since .*Nothing was removed/),
    });
    const [others, files] = [rowsIn(from.state, organizationId, "others"), await filesIn(from.state)];
    const [last] = queryLocally(from.state, "SELECT max(seq) AS seq FROM events");
    await from.run.stop();

    expect((await remove(...CONFIRM)).stdout).toMatch(
      /^Removed +all rows and [1-9]\d* files of Moving company\n1 accounts/,
    );
    expect(rowsIn(from.state, organizationId, "others")).toMatchObject({ ...others, events: expect.anything() });
    const texts = [
      organizationId,
      blogId,
      shown,
      media._id,
      "Moving company",
      "港の朝",
      "reader@example.com",
      "moving-notes",
    ];
    expect(findTexts(from.state, texts)).toEqual([]);
    expect(queryLocally(from.state, "SELECT count(*) AS n FROM article_text_docsize")).toEqual(
      queryLocally(from.state, "SELECT count(search_id) AS n FROM articles"),
    );
    expect(await filesIn(from.state)).toEqual(files.filter(({ key }) => !key.includes(organizationId)));
    expect(queryLocally(from.state, "PRAGMA foreign_key_check")).toEqual([]);
    expect(queryLocally(from.state, "SELECT tag FROM purges WHERE urgent = 1").map(({ tag }) => tag)).toEqual(
      expect.arrayContaining([`blog-${blogId}`, `media-${media._id}`]),
    );
    // The next event must not get the number of one that others have already seen.
    expect(queryLocally(from.state, "SELECT max(seq) AS seq FROM events")).toEqual([last]);
  });

  /** Finds texts in all rows, but for the purges that the service still has to carry out, and the index, which has only words. */
  function findTexts(state: string, texts: readonly string[]): string[] {
    const tables = queryLocally(
      state,
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'purges' AND name NOT GLOB 'article_text*'",
    );
    return tables.flatMap(({ name }) => {
      const all = JSON.stringify(queryLocally(state, `SELECT * FROM "${String(name)}"`));
      return texts.filter((text) => all.includes(text)).map((text) => `${String(name)}: ${text}`);
    });
  }
});
