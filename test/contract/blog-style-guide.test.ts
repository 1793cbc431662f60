/** Contract 5.10: the style guide of a blog. */
import { describe, expect, it } from "vitest";
import { NO_STYLE_GUIDE, type StyleGuide } from "../../src/domain/style-guide.ts";
import { firedBy } from "../helpers/event-feed.ts";
import { newId } from "../../src/lib/ids.ts";
import { askedOf, assisted, generated } from "../helpers/generating.ts";
import { refusalOf, type Problem } from "../helpers/refusals.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";

type Blog = { readonly _id: string; readonly styleGuide: StyleGuide };

const put = (tenant: Tenant, styleGuide: unknown, headers: Record<string, string> = {}) =>
  send(`/api/blogs/${tenant.blogId}`, { as: tenant, method: "PUT", body: { styleGuide }, headers });

async function stored(tenant: Tenant, styleGuide: unknown): Promise<StyleGuide> {
  const response = await put(tenant, styleGuide);
  if (response.status !== 200) throw new Error(await response.text());
  return (await response.json<Blog>()).styleGuide;
}

const GUIDE: StyleGuide = {
  text: "We address readers as *you*.\n\n- no hype",
  avoid: [
    { term: "utilize", use: "use" },
    { term: "世界一", use: "" },
  ],
};

it("is part of each question to a model, and its words are found (contract 8.12)", async () => {
  const [tenant, article, help] = [await newTenant(), newId(), newId()];
  await stored(tenant, { text: "GUIDED", avoid: [{ term: "walks", use: "strolls" }] });
  const { metadata } = await generated(tenant, { name: article });
  expect(metadata["checks"]).toContainEqual({
    name: "style",
    passed: false,
    detail: expect.stringContaining("The style guide says “strolls” instead of “walks” ("),
  });
  await assisted(tenant, { name: help, body: { task: "rephrase", text: "Morning walks." } });
  for (const name of [article, help]) {
    const asked = await askedOf(name);
    expect(asked.length).toBeGreaterThan(0);
    for (const { body } of asked) expect(body).toContain("> GUIDED");
  }
});

describe("the style guide of a blog", () => {
  it("is empty at first, given on creation or later, replaced as a whole, and in no public answer", async () => {
    const tenant = await newTenant();
    const read = () => sendJson<Blog>(200, `/api/blogs/${tenant.blogId}`, { as: tenant });
    expect((await read()).styleGuide).toEqual(NO_STYLE_GUIDE);
    expect(await stored(tenant, GUIDE)).toEqual(GUIDE);
    expect((await read()).styleGuide).toEqual(GUIDE);
    expect(await stored(tenant, { avoid: [{ term: " hype " }] })).toEqual({
      text: "",
      avoid: [{ term: "hype", use: "" }],
    });
    expect(await stored(tenant, {})).toEqual(NO_STYLE_GUIDE);
    const body = { name: "Styled", styleGuide: GUIDE };
    const created = await sendJson<Blog>(200, "/api/blogs", { as: tenant, body });
    expect(created.styleGuide).toEqual(GUIDE);
    expect(Object.keys(await sendJson<object>(200, `/blogs/${created._id}`))).not.toContain("styleGuide");
  });

  it("changes the ETag, and is named by the event if it differs", async () => {
    const tenant = await newTenant();
    let etag = "";
    const change = async () => (etag = (await put(tenant, GUIDE)).headers.get("ETag") ?? "");
    expect(await firedBy(tenant, change)).toEqual(["blog.updated styleGuide"]);
    await refusalOf(await put(tenant, {}, { "If-Match": '"another"' }), "precondition_failed");
    expect(await firedBy(tenant, async () => put(tenant, GUIDE, { "If-Match": etag }))).toEqual([]);
    await refusalOf(await put(tenant, {}, { "If-Match": etag }), "precondition_failed");
  });

  it("is bounded: characters, terms, one line each, none twice", async () => {
    const tenant = await newTenant();
    const term = (word: string, use = "") => ({ term: word, use });
    const many = Array.from({ length: 101 }, (_, index) => term(`word ${index}`));
    expect(await stored(tenant, { text: "x".repeat(4000), avoid: many.slice(1) })).toMatchObject({
      avoid: many.slice(1),
    });
    const wrong: [unknown, string][] = [
      [null, "styleGuide"],
      [{ text: "x".repeat(4001) }, "styleGuide.text"],
      [{ text: "\0" }, "styleGuide.text"],
      [{ tone: "dry" }, "styleGuide.tone"],
      [{ avoid: many }, "styleGuide.avoid"],
      [{ avoid: ["hype"] }, "styleGuide.avoid.0"],
      [{ avoid: [term(" ")] }, "styleGuide.avoid.0.term"],
      [{ avoid: [term("two\nlines")] }, "styleGuide.avoid.0.term"],
      [{ avoid: [term("x".repeat(61))] }, "styleGuide.avoid.0.term"],
      [{ avoid: [term("x", "y".repeat(61))] }, "styleGuide.avoid.0.use"],
      [{ avoid: [term("Hype"), term("fine"), term("hype")] }, "styleGuide.avoid.2.term"],
    ];
    for (const [guide, path] of wrong) {
      const { errors = [] }: Problem = await refusalOf(await put(tenant, guide), "invalid_request");
      expect(errors.map((error) => error.path)).toEqual([path]);
    }
  });
});
