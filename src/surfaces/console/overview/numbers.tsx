import type { FC } from "hono/jsx";
import type { z } from "zod";
import type { registry } from "../../../operations/registry.ts";
import type { Subscription } from "../subscriptions/list.tsx";
import type { Hour } from "./chart.tsx";

type Usage = z.infer<typeof registry.getUsage.output>;
type Webhooks = { readonly subscriptions: readonly Subscription[]; readonly hours: readonly Hour[] };

/** A few numbers of the organization, each with a link to what it counts. `webhooks` is null for who may not see them. */
export const Numbers: FC<{ usage: Usage; webhooks: Webhooks | null }> = ({ usage, webhooks }) => (
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
    <strong>{count.toLocaleString("en")}</strong>
  </li>
);
