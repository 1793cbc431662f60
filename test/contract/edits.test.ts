/** Contract 4.15: exact replacements in a content. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { auditOf, eventsOf } from "../helpers/history.ts";
import { headerOf, outcome } from "../helpers/outcome.ts";
import { refusalOf, storingNothing } from "../helpers/refusals.ts";
import { send, sendJson, type Send } from "../helpers/requests.ts";
import { inMinutes, schedule } from "../helpers/schedules.ts";
import { newArticle, newKey, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

type Edit = { find: string; replace: string; offset?: number };
type Edited = {
  _id: string;
  published: boolean;
  workingCopy: boolean;
  contentLength: number;
  edits: { offset: number; passage: string }[];
};

let tenant: Tenant;
let as: { apiKey: string };
beforeAll(async () => {
  tenant = await newTenant();
  as = { apiKey: tenant.apiKey };
});

const draftOf = (content: string) => newArticle(tenant, { title: "A draft", content, published: false });
const ask = (id: string, edits: Edit[], more: Send = {}) =>
  send(`/api/articles/${id}/edits`, { as, body: { edits }, ...more });
const repeated = (times: number, one: Edit): Edit[] => Array.from({ length: times }, () => one);
const contentOf = async (id: string) => (await sendJson<ArticleBody>(200, `/api/articles/${id}`, { as })).content;
const copyOf = async (id: string) => (await sendJson<ArticleBody>(200, `/api/articles/${id}/draft`, { as })).content;

async function edit(id: string, edits: Edit[], more: Send = {}) {
  const response = await ask(id, edits, more);
  expect(response.status, await response.clone().text()).toBe(200);
  return { ...(await response.json<Edited>()), etag: headerOf(response, "ETag") };
}

/** Returns what a refusal says of each edit. Nothing is stored. */
async function refused(content: string, edits: Edit[]): Promise<Record<string, string>> {
  const { _id } = await draftOf(content);
  let errors: { path: string; message: string }[] = [];
  await storingNothing(async () => {
    ({ errors = [] } = await refusalOf(await ask(_id, edits), "invalid_request"));
  });
  expect(await contentOf(_id)).toBe(content);
  for (const { message } of errors) expect(message.length).toBeLessThan(2000);
  return Object.fromEntries(errors.map(({ path, message }) => [path, message]));
}

describe("contract 4.15: passages are replaced", () => {
  it("all of them, as the text was before, and the response says where and how they are now", async () => {
    const { _id } = await draftOf("Begin at teh river. Then cross it. The end.");
    const answer = await edit(_id, [
      { find: "The end.", replace: "" },
      { find: "teh", replace: "the (old)" },
    ]);
    const text = "Begin at the (old) river. Then cross it. ";
    expect(answer).toEqual({
      _id,
      published: false,
      workingCopy: false,
      contentLength: text.length,
      edits: [
        { offset: text.length, passage: "…e (old) river. Then cross it. " },
        { offset: 9, passage: "Begin at the (old) river. Then cross it. " },
      ],
      etag: headerOf(await send(`/api/articles/${_id}`, { as }), "ETag"),
    });
    expect(await contentOf(_id)).toBe(text);
    expect(await eventsOf(_id)).toEqual(["article.created", "article.updated"]);
    expect(await auditOf(_id)).toEqual(["articles.create key", "articles.update key"]);
  });

  it("of several, the one at the offset; what replaces one is not looked at", async () => {
    const { _id } = await draftOf("a a a");
    await edit(_id, [
      { find: "a", replace: "b a", offset: 2 },
      { find: "a", replace: "c", offset: 0 },
    ]);
    expect(await contentOf(_id)).toBe("c b a a");
  });

  it("a small request changes a long text, and gets a small response", async () => {
    const line = "朝の光が川面に落ちて、町はまだ眠っている。\n";
    const text = line.repeat(1000) + "ここに誤字があるます。\n" + line.repeat(1000);
    const { _id } = await draftOf(text);
    const edits = [{ find: "誤字があるます", replace: "誤字がありました" }];
    const body = JSON.stringify({ edits });
    expect(new TextEncoder().encode(body).length).toBeLessThan(200);
    const answer = await edit(_id, edits);
    expect(JSON.stringify(answer).length).toBeLessThan(600);
    expect(answer.contentLength).toBe(text.length + 1);
    expect(await contentOf(_id)).toBe(text.replace("あるます", "ありました"));
  });

  it("passages are not cut within a character", async () => {
    const { _id } = await draftOf(`${"🌊".repeat(40)}x${"🌊".repeat(40)}`);
    const { edits } = await edit(_id, [{ find: "x", replace: "🚢".repeat(100) }]);
    expect(edits[0]?.passage).toMatch(/^…🌊{15}🚢{30}…🚢{30}🌊{15}…$/u);
    expect(await contentOf(_id)).toHaveLength(360);
    const { "edits.0.offset": message } = await refused("🌊🌊🌊", [{ find: "🌊", replace: "", offset: 1 }]);
    expect(message).toContain('from offset 1 on, the text is "🌊🌊🌊"');
  });

  it("the largest content is not exceeded", async () => {
    const { _id } = await draftOf(`${"a".repeat(1024 * 1024 - 1)}b`);
    const { errors } = await refusalOf(await ask(_id, [{ find: "b", replace: "bb" }]), "invalid_request");
    expect(errors).toEqual([{ path: "edits", message: "would make the content larger than 1 MiB of UTF-8" }]);
  });
});

const NEAR = "differs only in white space, case, the composition of letters, or the kind of quotation marks and dashes";

describe("what does not fit is refused, and nothing is changed", () => {
  it("if it is not there, what looks like it is shown", async () => {
    const text = "# Walks\n\nBegin at the “old” river –\r\nthen cross it. Cafe\u0301.";
    expect(
      await refused(text, [
        { find: "Begin", replace: "Start" },
        { find: "nowhere", replace: "x" },
        { find: "begin At", replace: "x" },
        { find: 'the "old" river -\nthen', replace: "x" },
        { find: "Caf\u00e9", replace: "x" },
        { find: "\n\n\n", replace: "x" },
      ]),
    ).toEqual({
      "edits.1.find": "is not in the text",
      "edits.2.find": `is not in the text. What is at offset 9 ${NEAR}: from offset 9 on, the text is "Begin at the “old” river –\\r\\nthen cross i…"`,
      "edits.3.find": `is not in the text. What is at offset 18 ${NEAR}: from offset 22 on, the text is "“old” river –\\r\\nthen cross it. Cafe\u0301."`,
      "edits.4.find": `is not in the text. What is at offset 52 ${NEAR}: from offset 55 on, the text is "e\u0301."`,
      "edits.5.find": "is not in the text",
    });
  });

  it("if it is there several times, the first five are shown", async () => {
    const refusal = await refused("a dog, a cat, ".repeat(4), [
      { find: "a cat", replace: "x" },
      { find: "a", replace: "y" },
    ]);
    expect(refusal["edits.0.find"]).toBe(
      'is in the text 4 times: say which by `offset`. It is at offsets 7 ("a dog, a cat, a dog, a cat, a do…"), 21 ("… dog, a cat, a dog, a cat, a dog, a cat, a do…"), 35 ("… dog, a cat, a dog, a cat, a dog, a cat, "), 49 ("… dog, a cat, a dog, a cat, ")',
    );
    expect(refusal["edits.1.find"]).toMatch(
      /^is in the text 12 times: .* offsets 0 \(".*"\), .* 21 \(".*"\) and more$/,
    );
    expect((await refused("aaa", [{ find: "aa", replace: "b" }]))["edits.0.find"]).toMatch(/^is in the text 2 times/);
  });

  it("if it is somewhere else, or would be behind the end", async () => {
    expect(
      await refused("One, two, three", [
        { find: "two", replace: "x", offset: 6 },
        { find: "two", replace: "x", offset: 600 },
        { find: "six", replace: "x", offset: 0 },
      ]),
    ).toEqual({
      "edits.0.offset":
        'is not where `find` is: from offset 6 on, the text is "wo, three", and `find` is at offset 5 ("One, two, three")',
      "edits.1.offset":
        'is not where `find` is: the text ends at offset 15, and `find` is at offset 5 ("One, two, three")',
      "edits.2.find": "is not in the text",
    });
  });

  it("if it overlaps with another", async () => {
    expect(
      await refused("abcdef", [
        { find: "cd", replace: "x" },
        { find: "abcdef", replace: "y" },
        { find: "ef", replace: "z" },
        { find: "cd", replace: "x" },
      ]),
    ).toEqual({
      "edits.1.find": "overlaps with edits.0, at offset 2",
      "edits.2.find": "overlaps with edits.1, at offset 4",
      "edits.3.find": "overlaps with edits.1, at offset 2",
    });
  });

  it("if there is no such article, or no edit", async () => {
    const { _id, slug } = await draftOf("Text");
    await refusalOf(await ask(slug, [{ find: "Text", replace: "x" }]), "not_found");
    for (const edits of [[], [{ find: "", replace: "x" }], repeated(101, { find: "Text", replace: "x" })])
      await refusalOf(await ask(_id, edits), "invalid_request");
  });

  it("a text on which a search could be slow is searched quickly", async () => {
    const { _id } = await draftOf("a".repeat(1024 * 1024));
    const find = `${"a".repeat(4999)}b${"a".repeat(5000)}`;
    const begin = Date.now();
    await refusalOf(await ask(_id, repeated(20, { find, replace: "" })), "invalid_request");
    expect(Date.now() - begin).toBeLessThan(10_000);
    const { errors } = await refusalOf(await ask(_id, repeated(21, { find, replace: "" })), "invalid_request");
    expect(errors).toEqual([
      { path: "edits", message: "must have at most 20 items for a content of 1048576 characters" },
    ]);
  });
});

describe("what is changed", () => {
  it("of a published article is the working copy, which is begun, and readers see nothing", async () => {
    const { _id } = await newArticle(tenant, { title: "Live", content: "Begin at teh river." });
    const before = await sendJson(200, `/api/articles/${_id}`, {});
    const answer = await edit(_id, [{ find: "teh", replace: "the" }]);
    expect(answer).toMatchObject({ published: true, workingCopy: true });
    // The ETag of the working copy has the state of the article beside the version.
    expect(headerOf(await send(`/api/articles/${_id}/draft`, { as }), "ETag")).toContain(answer.etag.slice(0, -1));
    expect(await sendJson(200, `/api/articles/${_id}`, {})).toEqual(before);
    expect(await copyOf(_id)).toBe("Begin at the river.");
    // What the working copy has is edited then, not the article.
    await edit(_id, [{ find: "the river", replace: "the bridge" }]);
    expect(await copyOf(_id)).toBe("Begin at the bridge.");
    expect(await eventsOf(_id)).toEqual(["article.created"]);
    await sendJson(200, `/api/articles/${_id}/draft/publish`, { as, body: {} });
    expect(await contentOf(_id)).toBe("Begin at the bridge.");
  });

  it("is nothing if all is so already: no working copy is begun", async () => {
    const { _id } = await newArticle(tenant, { title: "Live", content: "Same" });
    const before = headerOf(await send(`/api/articles/${_id}`, { as }), "ETag");
    let answer: Awaited<ReturnType<typeof edit>> | undefined;
    await storingNothing(async () => {
      answer = await edit(_id, [{ find: "Same", replace: "Same" }]);
    });
    expect(answer).toMatchObject({
      published: true,
      workingCopy: false,
      edits: [{ offset: 0, passage: "Same" }],
      etag: before,
    });
  });

  it("is what the caller has read, with If-Match", async () => {
    const { _id } = await newArticle(tenant, { title: "Live", content: "One two" });
    const ifMatch = (etag: string) => ({ headers: { "If-Match": etag } });
    const ofArticle = headerOf(await send(`/api/articles/${_id}`, { as }), "ETag");
    const { etag } = await edit(_id, [{ find: "One", replace: "1" }], ifMatch(ofArticle));
    const again: Edit[] = [{ find: "two", replace: "2" }];
    await refusalOf(await ask(_id, again, ifMatch(ofArticle)), "precondition_failed");
    await edit(_id, again, ifMatch(etag));
    expect(await copyOf(_id)).toBe("1 2");
  });

  it.each([true, false])("edits at the same moment are all kept (published: %s)", async (published) => {
    const words = Array.from({ length: 6 }, (_, n) => `word${n}`);
    const { _id } = await newArticle(tenant, { title: "Busy", content: words.join(" "), published });
    await Promise.all(words.map((find) => edit(_id, [{ find, replace: find.toUpperCase() }])));
    expect(await (published ? copyOf(_id) : contentOf(_id))).toBe(words.join(" ").toUpperCase());
  });

  it("is the article's text of now, if the working copy has none and the article changes meanwhile", async () => {
    const { _id } = await newArticle(tenant, { title: "Live", content: "One two" });
    await sendJson(200, `/api/articles/${_id}/draft`, { as, method: "PUT", body: { title: "Next" } });
    const change = () => sendJson(200, "/api/articles", { as, body: { _id, content: "One two three" } });
    await edit(_id, [{ find: "One", replace: "1" }], { bindings: afterReading(change) });
    expect(await copyOf(_id)).toBe("1 two three");
  });

  it("is the working copy, if the draft is published meanwhile; also with a key for drafts only", async () => {
    const only = { apiKey: await newKey({ operatorToken: tenant.operatorToken }, ["articles:draft"]) };
    for (const by of [as, only]) {
      const { _id } = await draftOf("One two");
      const publish = () => sendJson(200, "/api/articles", { as, body: { _id, published: true } });
      const more = { as: by, bindings: afterReading(publish) };
      expect(await edit(_id, [{ find: "One", replace: "1" }], more)).toMatchObject({ workingCopy: true });
      expect([await contentOf(_id), await copyOf(_id)]).toEqual(["One two", "1 two"]);
    }
  });

  it("is refused where the passage itself was changed meanwhile", async () => {
    const { _id } = await draftOf("One two");
    const change = () => sendJson(200, "/api/articles", { as, body: { _id, content: "Uno two" } });
    const response = await ask(_id, [{ find: "One", replace: "1" }], { bindings: afterReading(change) });
    await refusalOf(response, "invalid_request");
    expect(await contentOf(_id)).toBe("Uno two");
  });
});

/** Returns a database with which something happens once, between the reading of a text and its writing. */
function afterReading(work: () => Promise<unknown>): Partial<Env> {
  let state: "waiting" | "read" | "done" = "waiting";
  const DB = {
    prepare(text: string) {
      if (state === "waiting" && text.includes('"copyVersion"')) state = "read";
      return env.DB.prepare(text);
    },
    async batch(statements: D1PreparedStatement[]) {
      if (state === "read") {
        state = "done";
        await work();
      }
      return env.DB.batch(statements);
    },
    withSession: (constraint: D1SessionConstraint) => env.DB.withSession(constraint),
  } as unknown as D1Database;
  return { DB };
}

it("a repeated request with the same Idempotency-Key edits once, even where it would fit again", async () => {
  for (const published of [true, false]) {
    const { _id } = await newArticle(tenant, { title: "Once", content: "Porto", published });
    const more = { headers: { "Idempotency-Key": `edit-${_id}` } };
    const edits: Edit[] = [{ find: "Porto", replace: "Porto, Portugal" }];
    const first = await edit(_id, edits, more);
    expect(await edit(_id, edits, more)).toEqual(first);
    expect(await (published ? copyOf(_id) : contentOf(_id))).toBe("Porto, Portugal");
    const nothing = { headers: { "Idempotency-Key": `same-${_id}` } };
    const same = await edit(_id, [{ find: "Porto", replace: "Porto" }], nothing);
    expect(await edit(_id, [{ find: "Porto", replace: "Porto" }], nothing)).toEqual(same);
  }
});

it("a key for drafts only edits drafts and working copies, and no draft with a time to be published", async () => {
  const only = {
    apiKey: await newKey({ operatorToken: tenant.operatorToken }, ["articles:draft"]),
  };
  const edits: Edit[] = [{ find: "teh", replace: "the" }];
  const draft = await draftOf("teh");
  const live = await newArticle(tenant, { title: "Live", content: "teh" });
  expect(await edit(draft._id, edits, { as: only })).toMatchObject({ workingCopy: false });
  expect(await edit(live._id, edits, { as: only })).toMatchObject({ workingCopy: true });
  const waiting = await draftOf("teh");
  await schedule(as, waiting._id, { publishTime: inMinutes(60) });
  await refusalOf(await ask(waiting._id, edits, { as: only }), "scope_missing");
  expect(await contentOf(waiting._id)).toBe("teh");
  expect(await outcome(`/api/articles/${draft._id}/edits`, { body: { edits } })).toBe("401 credentials_missing");
});
