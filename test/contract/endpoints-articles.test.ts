/** Contract 3.1, 3.2, 3.3, 4.1, 4.3, 4.4, 4.6, 4.7, 4.8, 4.9: an article, and the endpoints that read and write one. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { send, sendJson, type Credential } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";
import { outcome, wrongFields } from "../helpers/outcome.ts";

const MEMBERS = "_id blogId title description content slug locale coverUrl published creationTime lastEditTime".split(
  " ",
);

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe("an Article", () => {
  it("has the eleven members of contract 4.1, in every answer that shows one", async () => {
    const tenant = await newTenant();
    const created = await newArticle(tenant);
    const { _id, slug } = created;
    const updated = await sendJson(200, "/api/articles", { as: tenant, body: { _id, title: "Changed" } });
    const [listed = {}] = await sendJson<object[]>(200, `/api/articles?blogId=${tenant.blogId}`, { as: tenant });
    const answers = [created, updated, listed];
    for (const name of [_id, slug]) {
      answers.push(
        await sendJson(200, `/api/articles/${name}`),
        await sendJson(200, `/api/articles/${name}`, { as: tenant }),
      );
    }
    for (const answer of answers) expect(Object.keys(answer).sort()).toEqual([...MEMBERS].sort());
  });

  it("coverUrl is an absolute http or https URL, or empty", async () => {
    const tenant = await newTenant();
    const coverUrl = "https://images.example.com/porto.jpg?w=1200#top";
    expect((await newArticle(tenant, { coverUrl })).coverUrl).toBe(coverUrl);
    expect((await newArticle(tenant, { coverUrl: "" })).coverUrl).toBe("");
    for (const wrong of [
      "porto.jpg",
      "//example.com/a",
      "javascript:alert(1)",
      "data:image/png;base64,AA",
      "https://",
    ]) {
      expect(await wrongFields("/api/articles", { as: tenant, body: { coverUrl: wrong } })).toEqual(["coverUrl"]);
    }
  });
});

describe("an article's times", () => {
  it("creationTime and lastEditTime are date-times in UTC with milliseconds, equal at first", async () => {
    const { creationTime, lastEditTime } = await newArticle(await newTenant());
    expect(creationTime).toMatch(DATE_TIME);
    expect(lastEditTime).toBe(creationTime);
    expect(new Date(creationTime).toISOString()).toBe(creationTime);
  });

  it("an update moves lastEditTime and leaves creationTime", async () => {
    const tenant = await newTenant();
    const created = await newArticle(tenant);
    await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(created.lastEditTime));
    const body = { _id: created._id, title: "Later" };
    const updated = await sendJson<ArticleBody>(200, "/api/articles", { as: tenant, body });
    expect(updated.creationTime).toBe(created.creationTime);
    expect(updated.lastEditTime > created.lastEditTime).toBe(true);
  });

  it("a creation cannot set them", async () => {
    const { apiKey } = await newTenant();
    for (const member of ["creationTime", "lastEditTime"]) {
      const body = { [member]: "2020-01-01T00:00:00.000Z" };
      expect(await wrongFields("/api/articles", { as: { apiKey }, body })).toEqual([member]);
    }
  });
});

describe("members of the wrong type are refused with 400 that names them", () => {
  it("a title of two lines, however they are parted", async () => {
    const { apiKey } = await newTenant();
    for (const parted of ["\n", "\r", "\u0085", "\u2028", "\u2029", "\u000b"]) {
      const body = { title: `One${parted}two`, seo: { title: `One${parted}two` }, description: `One${parted}two` };
      expect(await wrongFields("/api/articles", { as: { apiKey }, body })).toEqual(["title", "seo.title"]);
    }
  });
});

/** An organization with four articles, named by what they are; newest last. */
async function library() {
  const tenant = await newTenant();
  const english = await newArticle(tenant, { slug: "porto", locale: "en" });
  const german = await newArticle(tenant, { slug: "porto", locale: "de" });
  const draft = await newArticle(tenant, { slug: "draft", published: false });
  const latest = await newArticle(tenant, { slug: "latest" });
  return { tenant, english, german, draft, latest };
}

describe("GET /api/articles", () => {
  let all: Awaited<ReturnType<typeof library>>;
  let tenant: Tenant;
  beforeAll(async () => {
    all = await library();
    tenant = all.tenant;
  });

  /** What the list shows, as slugs with locales. */
  async function listed(query: string, as: object = { apiKey: tenant.apiKey }): Promise<string[]> {
    const list = await sendJson<ArticleBody[]>(200, `/api/articles?blogId=${tenant.blogId}${query}`, { as });
    return list.map(({ slug, locale }) => `${slug}/${locale}`);
  }

  it("lists the articles of a blog, newest first", async () => {
    expect(await listed("")).toEqual(["latest/en", "draft/en", "porto/de", "porto/en"]);
  });

  it("blogId is required", async () => {
    for (const as of [{}, { apiKey: tenant.apiKey }, { operatorToken: tenant.operatorToken }]) {
      expect(await wrongFields("/api/articles", { as })).toEqual(["blogId"]);
      expect(await wrongFields("/api/articles?blogId=", { as })).toEqual(["blogId"]);
    }
  });

  it("locale, not required, narrows the list, in any spelling of the tag", async () => {
    expect(await listed("&locale=de")).toEqual(["porto/de"]);
    expect(await listed("&locale=DE")).toEqual(["porto/de"]);
    expect(await listed("&locale=fr")).toEqual([]);
    expect(await wrongFields(`/api/articles?blogId=${tenant.blogId}&locale=no_tag`)).toEqual(["locale"]);
  });

  it("published is a boolean, not required: without it, both states", async () => {
    expect(await listed("&published=true")).toEqual(["latest/en", "porto/de", "porto/en"]);
    expect(await listed("&published=false")).toEqual(["draft/en"]);
    for (const wrong of ["yes", "1", "", "TRUE"]) {
      const path = `/api/articles?blogId=${tenant.blogId}&published=${wrong}`;
      expect(await wrongFields(path, { as: tenant })).toEqual(["published"]);
    }
  });

  it("slug, not required, selects the article of this slug in all its locales", async () => {
    expect(await listed("&slug=porto")).toEqual(["porto/de", "porto/en"]);
    expect(await listed("&slug=porto&locale=en")).toEqual(["porto/en"]);
    expect(await listed("&slug=nothing")).toEqual([]);
  });

  it("the next page is at the service's own address, whatever host was asked", async () => {
    const path = `/api/articles?blogId=${tenant.blogId}&limit=1`;
    const response = await send(path, {
      bindings: { BASE_URL: "https://press.example.com" } as unknown as Partial<Env>,
    });
    expect(response.headers.get("Link")).toMatch(/^<https:\/\/press\.example\.com\/api\/articles\?/);
  });
});

describe("GET /api/articles/{idOrSlug}", () => {
  it("returns one article by id or by slug: 200, the Article", async () => {
    const article = await newArticle(await newTenant(), { slug: "by-id-or-by-slug", content: "# Body" });
    expect(await sendJson(200, `/api/articles/${article._id}`)).toEqual(article);
    expect(await sendJson(200, "/api/articles/by-id-or-by-slug")).toEqual(article);
  });

  it("slugs of any script are found, however the path encodes them", async () => {
    const article = await newArticle(await newTenant(), { slug: "朝の-ポルト" });
    expect(await sendJson(200, `/api/articles/${encodeURIComponent("朝の-ポルト")}`)).toEqual(article);
    expect(await sendJson(200, "/api/articles/朝の-ポルト")).toEqual(article);
  });

  it("404: no such article", async () => {
    const { apiKey } = await newTenant();
    for (const as of [{}, { apiKey }]) {
      expect(await outcome(`/api/articles/${newId()}`, { as })).toBe("404 not_found");
      expect(await outcome("/api/articles/no-such-article", { as })).toBe("404 not_found");
    }
  });

  it("404: no such article, also where the name is longer than any slug", async () => {
    for (const length of [200, 201, 2048])
      expect(await outcome(`/api/articles/${"a".repeat(length)}`)).toBe("404 not_found");
  });

  it("a hidden draft answers exactly as an article that does not exist", async () => {
    const draft = await newArticle(await newTenant(), { published: false });
    const shown = async (name: string) => {
      const response = await send(`/api/articles/${name}`);
      const { requestId: _, ...body } = await response.json<Record<string, unknown>>();
      return { status: response.status, body, cache: response.headers.get("Cache-Control") };
    };
    expect(await shown(draft._id)).toEqual(await shown(newId()));
  });
});

const save = (as: Credential, body: object) => sendJson<ArticleBody>(200, "/api/articles", { as, body });

describe("POST /api/articles creates", () => {
  it("no field is marked required: an empty object creates a draft of defaults", async () => {
    const tenant = await newTenant();
    expect(await save(tenant, {})).toMatchObject({
      blogId: tenant.blogId,
      title: "",
      description: "",
      content: "",
      coverUrl: "",
      locale: "en",
      published: false,
    });
  });

  it("an omitted blogId is the organization's only blog; with several it is 400, with none, too", async () => {
    const tenant = await newTenant();
    expect((await save(tenant, { title: "x" })).blogId).toBe(tenant.blogId);
    await sendJson(200, "/api/blogs", { as: tenant, body: { name: "Second" } });
    expect(await outcome("/api/articles", { as: tenant, body: { title: "x" } })).toBe("400 blog_required");
    const empty = await newTenant();
    await env.DB.prepare("delete from blogs where id = ?").bind(empty.blogId).run();
    expect(await outcome("/api/articles", { as: empty, body: { title: "x" } })).toBe("400 blog_required");
  });

  it("an omitted locale is the blog's default", async () => {
    const tenant = await newTenant();
    const put = { as: tenant, method: "PUT", body: { locales: ["pt", "en"] } };
    await sendJson(200, `/api/blogs/${tenant.blogId}`, put);
    expect((await save(tenant, { title: "x" })).locale).toBe("pt");
  });
});

describe("POST /api/articles updates when the body carries an existing _id", () => {
  it("200: the updated article; only the fields that are sent change", async () => {
    const tenant = await newTenant();
    const fields = { title: "One", description: "Sum", content: "Body", slug: "one", coverUrl: "https://a.example/b" };
    const created = await newArticle(tenant, fields);
    const changes = [
      { title: "Two" },
      { description: "Other" },
      { content: "" },
      { slug: "two" },
      { locale: "de" },
      { coverUrl: "" },
      { published: false },
    ];
    const expected: ArticleBody = { ...created };
    for (const change of changes) {
      const updated = await save(tenant, { _id: created._id, ...change });
      Object.assign(expected, change, { lastEditTime: updated.lastEditTime });
      expect(updated).toEqual(expected);
    }
    expect(await sendJson(200, `/api/articles/${created._id}`, { as: tenant })).toEqual(expected);
  });

  it("blogId cannot change", async () => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant);
    const other = await sendJson<{ _id: string }>(200, "/api/blogs", { as: tenant, body: { name: "Other" } });
    const body = { _id, blogId: other._id, title: "Moved" };
    expect(await outcome("/api/articles", { as: tenant, body })).toBe("400 immutable_field");
    expect(await wrongFields("/api/articles", { as: tenant, body })).toEqual(["blogId"]);
    const stored = await sendJson(200, `/api/articles/${_id}`);
    expect(stored).toMatchObject({ blogId: tenant.blogId, title: "An article" });
  });

  it("a whole article can be sent back as it was read; read-only members that differ are refused", async () => {
    const tenant = await newTenant();
    const read = await newArticle(tenant);
    expect(await save(tenant, { ...read, title: "Changed" })).toMatchObject({ _id: read._id, title: "Changed" });
    const now = await sendJson<ArticleBody>(200, `/api/articles/${read._id}`);
    for (const member of ["creationTime", "lastEditTime"]) {
      const body = { ...now, [member]: "2020-01-01T00:00:00.000Z" };
      expect(await outcome("/api/articles", { as: tenant, body })).toBe("400 immutable_field");
      expect(await wrongFields("/api/articles", { as: tenant, body })).toEqual([member]);
    }
  });

  it("an _id does not stand for a slug", async () => {
    const tenant = await newTenant();
    const { slug } = await newArticle(tenant);
    expect(await outcome("/api/articles", { as: tenant, body: { _id: slug, title: "x" } })).toBe("404 not_found");
  });
});

describe("DELETE /api/articles/{articleId}", () => {
  it("takes an id, not a slug", async () => {
    const tenant = await newTenant();
    const { slug } = await newArticle(tenant);
    expect(await outcome(`/api/articles/${slug}`, { as: tenant, method: "DELETE" })).toBe("404 not_found");
    expect(await outcome(`/api/articles/${slug}`, { as: tenant })).toBe("200");
  });

  it("removes no translation: they are articles of their own", async () => {
    const tenant = await newTenant();
    const english = await newArticle(tenant, { slug: "porto", locale: "en" });
    const german = await newArticle(tenant, { slug: "porto", locale: "de" });
    await sendJson(200, `/api/articles/${english._id}`, { as: tenant, method: "DELETE" });
    expect(await sendJson(200, `/api/articles/porto?blogId=${tenant.blogId}`)).toEqual(german);
  });
});
