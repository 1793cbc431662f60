/** The overview page: a reached ceiling, blogs, newest articles, deliveries of the last day, and what failed: schedules, subscriptions. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { readAllItems } from "../../../lib/pages.ts";
import { registry } from "../../../operations/registry.ts";
import { listBlogs, getTitle, type Blog } from "../articles/found.ts";
import { State } from "../articles/shared.tsx";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { page } from "../layout.tsx";
import { can, perform, getPrincipal } from "../session.ts";
import type { Subscription } from "../subscriptions/list.tsx";
import { DeliveryChart, type Hour } from "./chart.tsx";
import { FirstSteps, isDone } from "./first-steps.tsx";
import { FailedSchedules, MOST_FAILED, Troubles } from "./troubles.tsx";
import type { z } from "zod";
import { Time } from "../time.tsx";
import { CeilingNotice, type Usage } from "../usage.tsx";
import { formatNumber } from "../words.ts";

export const overview = new Hono<ConsoleEnv>();

overview.get("/", async (c) => {
  const [{ blogs, articles }, { value: usage }, failed, webhooks] = await Promise.all([
    readContent(c),
    perform(c, registry.getUsage, {}),
    perform(c, registry.listSchedules, { state: "failed", limit: MOST_FAILED }),
    can(c, "operator") ? readOperatorData(c) : undefined,
  ]);
  const steps = {
    blogs,
    // With many blogs, the first steps were taken long ago, even if the first blogs are empty.
    hasArticle: articles.length > 0 || blogs.length > BLOGS_ASKED,
    hasKey: webhooks?.hasKey,
    hasWebhook: webhooks && webhooks.subscriptions.length > 0,
  };
  return page(
    c,
    "Overview",
    <>
      <CeilingNotice {...usage} />
      {!isDone(steps) && (
        <FirstSteps
          steps={steps}
          site={await readSite(c, blogs[0])}
          grants={(grant) => can(c, grant)}
          organizationId={getPrincipal(c).organizationId}
        />
      )}
      <FailedSchedules schedules={failed.value} isMore={failed.next !== undefined} />
      {blogs.length > 0 && <Numbers usage={usage} webhooks={webhooks ?? null} />}
      {blogs.length > 0 && <Blogs blogs={blogs} mayWrite={can(c, "blogs:write")} />}
      <div class="columns">
        {articles.length > 0 && <Articles articles={articles} blogs={blogs} />}
        {webhooks && (
          <div>
            <Deliveries hours={webhooks.hours} />
            <Troubles subscriptions={webhooks.subscriptions} />
          </div>
        )}
      </div>
    </>,
  );
});

const readSite = async (c: ConsoleContext, blog: Blog | undefined) =>
  blog === undefined ? null : (await perform(c, registry.getSite, { blogId: blog._id })).value;

async function readContent(c: ConsoleContext): Promise<{ blogs: Blog[]; articles: Article[] }> {
  const blogs = await listBlogs(c);
  return { blogs, articles: await listNewestArticles(c, blogs) };
}

type OfOperators = { readonly subscriptions: Subscription[]; readonly hours: Hour[]; readonly hasKey: boolean };

async function readOperatorData(c: ConsoleContext): Promise<OfOperators> {
  const [subscriptions, hours, keys] = await Promise.all([
    readAllItems((cursor) => perform(c, registry.listWebhookSubscriptions, { cursor })),
    perform(c, registry.listDeliveryHours, {}),
    perform(c, registry.listApiKeys, { limit: 1 }),
  ]);
  return { subscriptions, hours: hours.value, hasKey: keys.value.length > 0 };
}

const BLOGS_SHOWN = 6;

const Blogs: FC<{ blogs: readonly Blog[]; mayWrite: boolean }> = ({ blogs, mayWrite }) => (
  <section aria-labelledby="blogs">
    <div class="heading">
      <h2 id="blogs">Blogs</h2>
      <a href="/console/blogs">
        {blogs.length > BLOGS_SHOWN ? `All ${formatNumber(blogs.length)} blogs` : "All blogs"}
      </a>
    </div>
    <ul class="cards">
      {blogs.slice(0, BLOGS_SHOWN).map(({ _id, name, vanityId, locales }) => (
        <li class="card">
          <a class="title" href={`/console/articles?blog=${_id}`}>
            {name}
          </a>
          <p class="hint">
            {vanityId} · {locales.join(", ")}
          </p>
          {mayWrite && (
            <a href={`/console/blogs/${_id}`} aria-label={`Settings of ${name}`}>
              Settings
            </a>
          )}
        </li>
      ))}
    </ul>
  </section>
);

const Deliveries: FC<{ hours: readonly Hour[] }> = ({ hours }) => (
  <section aria-labelledby="deliveries">
    <div class="heading">
      <h2 id="deliveries">Deliveries in the last 24 hours</h2>
      <a href="/console/webhooks">Webhooks</a>
    </div>
    {hours.some(({ succeeded, failed }) => succeeded + failed > 0) ? (
      <DeliveryChart hours={hours} />
    ) : (
      <p class="empty">No deliveries in the last 24 hours.</p>
    )}
  </section>
);

type Article = z.infer<typeof registry.listArticles.output>[number];

/** How many blogs are searched for new articles. Each blog costs one query, so the number is limited. */
const BLOGS_ASKED = 5;
/** How many articles are read from each blog. */
const OF_EACH = 5;
/** How many articles are shown. */
const MOST = 8;

async function listNewestArticles(c: ConsoleContext, blogs: readonly Blog[]): Promise<Article[]> {
  const fields = ["_id", "blogId", "title", "locale", "published", "creationTime", "lastEditTime"];
  const lists = await Promise.all(
    blogs
      .slice(0, BLOGS_ASKED)
      .map(({ _id: blogId }) => perform(c, registry.listArticles, { blogId, limit: OF_EACH, fields })),
  );
  const newestFirst = (a: Article, b: Article) => (b.creationTime ?? "").localeCompare(a.creationTime ?? "");
  return lists
    .flatMap(({ value }) => value)
    .sort(newestFirst)
    .slice(0, MOST);
}

const Articles: FC<{ articles: readonly Article[]; blogs: readonly Blog[] }> = ({ articles, blogs }) => (
  <section aria-labelledby="articles">
    <div class="heading">
      <h2 id="articles">Recent articles</h2>
      <a href="/console/articles">All articles</a>
    </div>
    {blogs.length > BLOGS_ASKED && <p class="hint">From your first {BLOGS_ASKED} blogs.</p>}
    <ul class="rows">
      {articles.map(({ _id, blogId, title, locale, published, lastEditTime = null }) => (
        <li>
          <div>
            <a class="title" href={`/console/articles/${_id}`} dir="auto">
              {getTitle({ title: title ?? "" })}
            </a>
            <p class="hint">
              {blogs.find((blog) => blog._id === blogId)?.name} · {locale} · edited <Time at={lastEditTime} />
            </p>
          </div>
          <State published={published === true} />
        </li>
      ))}
    </ul>
  </section>
);

/** `webhooks` is null for members who may not see them. */
const Numbers: FC<{ usage: Usage; webhooks: OfOperators | null }> = ({ usage, webhooks }) => (
  <ul class="cards numbers">
    <Count name="Articles" count={usage.articles.used} path="/console/articles" />
    <Count name="Blogs" count={usage.blogs.used} path="/console/blogs" />
    {webhooks && (
      <>
        <Count
          name="Active webhooks"
          count={webhooks.subscriptions.filter(({ active }) => active).length}
          path="/console/webhooks"
        />
        <Count
          name="Failed in 24 hours"
          count={webhooks.hours.reduce((sum, { failed }) => sum + failed, 0)}
          path="/console/webhooks"
        />
      </>
    )}
  </ul>
);

const Count: FC<{ name: string; count: number; path: string }> = ({ name, count, path }) => (
  <li class="card">
    <a href={path}>{name}</a>
    <strong>{formatNumber(count)}</strong>
  </li>
);
