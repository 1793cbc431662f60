/** The overview page: blogs, newest articles, deliveries of the last day, and what failed: schedules, subscriptions. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { allItems } from "../../../lib/pages.ts";
import { registry } from "../../../operations/registry.ts";
import { listBlogs } from "../articles/found.ts";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { page } from "../layout.tsx";
import { can, perform, principalOf } from "../session.ts";
import type { Subscription } from "../subscriptions/list.tsx";
import { Articles, BLOGS_ASKED, newestArticles, type Article } from "./articles.tsx";
import { Blogs, type Blog } from "./blogs.tsx";
import { DeliveryChart, type Hour } from "./chart.tsx";
import { FirstSteps, isDone } from "./first-steps.tsx";
import { Numbers } from "./numbers.tsx";
import { FailedSchedules, MOST_FAILED, Troubles } from "./troubles.tsx";

export const overview = new Hono<ConsoleEnv>();

overview.get("/", async (c) => {
  const [{ blogs, articles }, { value: usage }, failed, webhooks] = await Promise.all([
    readContent(c),
    perform(c, registry.getUsage, {}),
    perform(c, registry.listSchedules, { state: "failed", limit: MOST_FAILED }),
    can(c, "operator") ? readOfOperators(c) : undefined,
  ]);
  const steps = {
    blogs,
    // Whoever has many blogs has begun long ago, even if the first ones are empty.
    hasArticle: articles.length > 0 || blogs.length > BLOGS_ASKED,
    hasKey: webhooks?.hasKey,
    hasWebhook: webhooks && webhooks.subscriptions.length > 0,
  };
  return page(
    c,
    "Overview",
    <>
      {!isDone(steps) && (
        <FirstSteps
          steps={steps}
          site={await siteOf(c, blogs[0])}
          grants={(grant) => can(c, grant)}
          organizationId={principalOf(c).organizationId}
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

const siteOf = async (c: ConsoleContext, blog: Blog | undefined) =>
  blog === undefined ? null : (await perform(c, registry.getSite, { blogId: blog._id })).value;

async function readContent(c: ConsoleContext): Promise<{ blogs: Blog[]; articles: Article[] }> {
  const blogs = await listBlogs(c);
  return { blogs, articles: await newestArticles(c, blogs) };
}

type OfOperators = { readonly subscriptions: Subscription[]; readonly hours: Hour[]; readonly hasKey: boolean };

async function readOfOperators(c: ConsoleContext): Promise<OfOperators> {
  const [subscriptions, hours, keys] = await Promise.all([
    allItems((cursor) => perform(c, registry.listWebhookSubscriptions, { cursor })),
    perform(c, registry.listDeliveryHours, {}),
    perform(c, registry.listApiKeys, { limit: 1 }),
  ]);
  return { subscriptions, hours: hours.value, hasKey: keys.value.length > 0 };
}

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
