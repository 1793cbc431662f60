import type { FC } from "hono/jsx";
import type { z } from "zod";
import type { registry } from "../../../operations/registry.ts";
import { getTitle } from "../articles/found.ts";
import { Active, type Subscription } from "../subscriptions/list.tsx";
import { Streak } from "../subscriptions/streak.tsx";
import { Time } from "../time.tsx";

/** Lists the subscriptions that are inactive or have a streak of failures. Renders nothing if there are none. */
export const Troubles: FC<{ subscriptions: readonly Subscription[] }> = ({ subscriptions }) => {
  const troubled = subscriptions.filter(({ active, failureStreak }) => !active || failureStreak > 0);
  if (troubled.length === 0) return <></>;
  return (
    <section aria-labelledby="troubles">
      <h2 id="troubles">Webhooks with problems</h2>
      <ul class="rows">
        {troubled.map(({ _id, name, url, active, failureStreak }) => (
          <li>
            <div class="url">
              <a href={`/console/webhooks/${_id}`}>{name || url}</a>
            </div>
            <div class="row">
              <Streak failures={failureStreak} />
              <Active active={active} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
};

export const MOST_FAILED = 10;

export type Schedule = z.infer<typeof registry.listSchedules.output>[number];

/** Lists failed schedules. Renders nothing if there are none. */
export const FailedSchedules: FC<{ schedules: readonly Schedule[]; isMore: boolean }> = ({ schedules, isMore }) => {
  if (schedules.length === 0) return <></>;
  return (
    <section aria-labelledby="failed-schedules">
      <h2 id="failed-schedules">Failed schedules</h2>
      <ul class="rows">
        {schedules.map(({ articleId, title, dueTime, failure }) => (
          <li>
            <div>
              <a class="title" href={`/console/articles/${articleId}`} dir="auto">
                {getTitle({ title })}
              </a>
              <p class="hint">
                <Time at={dueTime} /> · {failure?.detail}
              </p>
            </div>
            <span class="badge warn">Failed</span>
          </li>
        ))}
      </ul>
      {isMore && <p class="hint">Showing the oldest {MOST_FAILED}.</p>}
    </section>
  );
};
