/**
 * Contract 13.5, 20.4, 21.4 under many readers: how many requests the edge answers by itself while a change a second
 * arrives, and that it holds nothing private and nothing from before its purge. The clock is the test's own.
 */
import { env } from "cloudflare:workers";
import { expect, inject, it } from "vitest";
import { parseSettings } from "../../src/env.ts";
import { recordHealth } from "../../src/store/edge/system-health.ts";
import { signedIn } from "../helpers/console.ts";
import { sendJson, type Send } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";
import { Edge } from "./edge.ts";
import { chosenBy, publicPathsOf, seeded, zipf, type Article, type Blog } from "./readers.ts";

/** As busy as 10,000 reads for each change: a blog that is read once a second and changed every three hours. */
const READS_A_SECOND = 10_000;
/** Twice as long as there is between two purges. */
const SECONDS = 30;
const BLOGS = 3;
/** The more addresses there are, the more of them are asked for again after a purge. */
const ARTICLES = 100;

/** In every text that readers must never see. */
const PRIVATE = "Unseen";
/** In every text that readers do see: a number that no other state of anything has. */
const MARK = /mark\d+x/g;

let marks = 0;
const newMark = (): string => `mark${++marks}x`;

type Marked = Article & { title: string; published: boolean };

type MarkedBlog = Omit<Blog, "articles"> & { readonly articles: readonly Marked[] };

async function newBlog(tenant: Tenant, n: number): Promise<MarkedBlog> {
  const as = tenant;
  const vanityId = `zipf-${n}`;
  const body = { name: `Zipf ${n}`, vanityId, locales: ["en", "de"] };
  const { _id } = await sendJson<{ _id: string }>(200, "/api/blogs", { as, body });
  const articles: Marked[] = [];
  for (let count = 0; count < ARTICLES; count++) {
    const locale = count % 5 === 0 ? "de" : "en";
    const title = `Harbour ${newMark()}`;
    const texts = { title, slug: `piece-${count}`, locale, content: "The first ferry of the day.", tags: ["walks"] };
    const made = await newArticle(tenant, { ...texts, blogId: _id });
    articles.push({ _id: made._id, slug: made.slug, locale, title, published: true });
  }
  return { _id, vanityId, articles };
}

// What it adds to the other tests of the edge is its figures, which are those of many readers.
it.runIf(inject("exhaustive"))(
  `the edge answers more than 99 % of ${READS_A_SECOND} reads a second beside a change a second`,
  async () => {
    await env.DB.batch([env.DB.prepare("delete from purges"), env.DB.prepare("delete from last_times")]);
    const tenant = await newTenant();
    const as = { apiKey: tenant.apiKey };
    const edge = new Edge();
    const random = seeded(17);
    const blogs: MarkedBlog[] = [];
    for (let n = 0; n < BLOGS; n++) blogs.push(await newBlog(tenant, n));
    // Nothing waits to be purged when the first reader comes.
    await edge.fanOut(tenant);
    await edge.until(30);
    await recordHealth(env.DB, edge.now(60), parseSettings(env).quota);
    await edge.until(200);
    const purgesBefore = edge.calls.length;

    const save = (body: object) => sendJson<{ _id: string }>(200, "/api/articles", { as, body });
    /** Marks that a change has taken away: those whose call is still to come, those after it, and those that were purged. */
    const retired = new Map(blogs.map(({ _id }) => [_id, new Set<string>()]));
    const dead = new Set<string>();
    const removed = new Set<string>();
    const retire = (blogId: string, text: string) =>
      text.match(MARK)?.forEach((mark) => retired.get(blogId)?.add(mark));

    const draft = await save({ blogId: blogs[0]?._id, title: `${PRIVATE} draft` });
    const copied = blogs[0]?.articles[0]?._id;
    await sendJson(200, `/api/articles/${copied}/draft`, { as, method: "PUT", body: { title: `${PRIVATE} copy` } });
    const preview = await sendJson<{ url: string }>(200, `/api/articles/${draft._id}/previews`, { as, body: {} });
    const { browser } = await signedIn(tenant.organizationId);
    const Cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    /** What its writers read through the same cache, and by the same paths as readers. */
    const ofWriters: [string, Send][] = [
      [`/api/articles?blogId=${blogs[0]?._id}`, { as }],
      [`/api/articles/${draft._id}`, { as }],
      [new URL(preview.url).pathname, {}],
      [`/console/articles/${draft._id}`, { headers: { Cookie } }],
      [`/${blogs[0]?.vanityId}`, { headers: { Cookie } }],
    ];

    const descriptions = new Map<string, string>();
    /** Makes the change of a second, to any article of any blog. */
    async function change(second: number): Promise<void> {
      const blog = chosenBy(random, blogs);
      const article = chosenBy(random, blog.articles);
      const turn = second % 10;
      if (turn === 3) {
        const before = descriptions.get(blog._id) ?? "";
        const description = `Of boats, ${newMark()}`;
        await sendJson(200, `/api/blogs/${blog._id}/site`, { as: tenant, method: "PUT", body: { description } });
        retire(blog._id, before);
        descriptions.set(blog._id, description);
      } else if (turn === 6) {
        await save({ _id: draft._id, title: `${PRIVATE} draft ${second}` });
      } else if (turn % 5 === 4 && article.published) {
        await save({ _id: article._id, published: false });
        retire(blog._id, article.title);
        article.published = false;
      } else {
        const gone = turn === 8 ? blog.articles.find(({ published }) => !published) : undefined;
        const again = gone ?? article;
        const title = `Harbour ${newMark()}`;
        const published = again.published || gone !== undefined;
        await save({ _id: again._id, title, published });
        retire(blog._id, again.title);
        Object.assign(again, { title, published });
      }
      await edge.fanOut(tenant);
    }

    const secrets = [PRIVATE, tenant.apiKey, tenant.operatorToken, ...browser.cookies.values()];
    const wrong: string[] = [];
    let checked = 0;
    function check(): void {
      for (const { path, headers, text, isFresh } of edge.cache.responses) {
        checked++;
        const isPrivate = headers.has("Set-Cookie") || secrets.some((secret) => text.includes(secret));
        if (isPrivate || /preview|console/.test(path)) wrong.push(`${path} holds what is private`);
        // What was marked stale may be shown once more.
        const isWrong = ([mark]: RegExpExecArray) => (isFresh ? dead : removed).has(mark);
        if ([...text.matchAll(MARK)].some(isWrong)) wrong.push(`${path} is from before its purge`);
      }
    }
    /** After purges: what readers may no longer see, and that nothing of it is left. */
    function checkAfterPurges(calls: number): void {
      const made = edge.calls.slice(calls);
      if (made.length === 0) return;
      for (const [blogId, gone] of retired) {
        const call = made.find(({ tags }) => tags.includes(`blog-${blogId}`));
        if (call === undefined) continue;
        for (const mark of gone) dead.add(mark);
        if (call.method === "purge") for (const mark of gone) removed.add(mark);
        gone.clear();
      }
      check();
    }

    const paths = publicPathsOf(blogs);
    const draw = zipf(paths, random);
    const asked: Record<string, number> = {};
    const kept = new Set<string>();
    let reads = 0;
    for (const path of paths) await edge.cache.fetch(path);
    expect(edge.cache.paths).toHaveLength(paths.length);
    const start = edge.cache.now;
    for (let second = 1; second <= SECONDS; second++) {
      const calls = edge.calls.length;
      await edge.until(start + second);
      checkAfterPurges(calls);
      await change(second);
      for (const [path, options] of second % 10 === 0 ? ofWriters : []) {
        const { text, from, status } = await edge.cache.fetch(path, options);
        expect(status, path).toBe(200);
        if (!path.startsWith("/zipf")) expect([from, text.includes(PRIVATE)], path).toEqual(["BYPASS", true]);
      }
      // What is kept is kept until a purge, as the test is shorter than a minute. So only the first reader has to be played.
      if (edge.calls.length > calls) kept.clear();
      for (let n = 0; n < READS_A_SECOND; n++) {
        const path = draw();
        reads++;
        if (kept.has(path)) continue;
        const { from } = await edge.cache.fetch(path);
        if (from !== "BYPASS") kept.add(path);
        if (from !== "HIT") asked[from] = (asked[from] ?? 0) + 1;
      }
    }
    check();
    const toWorker = Object.values(asked).reduce((sum, count) => sum + count, 0);
    const ratio = 1 - toWorker / reads;
    // For docs/operations.md (npm run rig).
    console.warn(
      `${paths.length} addresses, ${READS_A_SECOND} reads a second, a change a second, ${edge.calls.length - purgesBefore} purges:`,
      `${(ratio * 100).toFixed(2)} % by the edge; to the Worker`,
      asked,
    );
    expect(wrong).toEqual([]);
    expect(dead.size).toBeGreaterThan(SECONDS / 4);
    expect(checked).toBeGreaterThan(paths.length);
    expect(ratio).toBeGreaterThan(0.99);
  },
  900_000,
);
