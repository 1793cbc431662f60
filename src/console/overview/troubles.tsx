import type { FC } from "hono/jsx";
import { Active, type Subscription } from "../subscriptions/list.tsx";
import { Streak } from "../subscriptions/streak.tsx";

/** Lists the subscriptions that are inactive or have a streak of failures. Renders nothing if there are none. */
export const Troubles: FC<{ subscriptions: readonly Subscription[] }> = ({ subscriptions }) => {
  const troubled = subscriptions.filter(({ active, failureStreak }) => !active || failureStreak > 0);
  if (troubled.length === 0) return <></>;
  return (
    <section aria-labelledby="troubles">
      <h2 id="troubles">Webhooks in trouble</h2>
      <ul class="rows">
        {troubled.map(({ _id, url, active, failureStreak }) => (
          <li>
            <div class="url">
              <a href={`/console/webhooks/${_id}`}>{url}</a>
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
