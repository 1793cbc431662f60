import { Table } from "../table.tsx";
import type { FC } from "hono/jsx";
import type { z } from "zod";
import { registry } from "../../operations/registry.ts";
import type { Result } from "../../operations/define.ts";
import type { ConsoleContext } from "../env.ts";
import { Next } from "../next.tsx";
import { perform } from "../session.ts";
import { InUtc, Time, days } from "../time.tsx";
import { capitalized } from "../words.ts";

/** The number of deliveries on a page. */
const PAGE = 25;

type Delivery = z.infer<typeof registry.listDeliveries.output>[number];
type State = Delivery["state"];

/** A page of the log. `state` is the filter in the query, "" for none. `keptDays`: deliveries are deleted after that. */
export type Log = Result<Delivery[]> & { readonly state: string; readonly keptDays: number };

/** Reads the page of a subscription's log that the query asks for: by default, the newest deliveries in any state. */
export async function readLog(c: ConsoleContext, webhookSubscriptionId: string): Promise<Log> {
  const { state = "", cursor = "" } = c.req.query();
  const filter = { ...(state !== "" && { state }), ...(cursor !== "" && { cursor }) };
  const found = await perform(c, registry.listDeliveries, { webhookSubscriptionId, limit: PAGE, ...filter });
  return { ...found, state, keptDays: c.env.arrival.settings.kept.deliveries };
}

/** What the states of deliveries mean, in words. */
export const STATES: Readonly<Record<State, { tone: string; label: string }>> = {
  open: { tone: "", label: "waiting" },
  claimed: { tone: "", label: "being sent" },
  succeeded: { tone: "good", label: "delivered" },
  failed: { tone: "bad", label: "failed" },
  skipped: { tone: "", label: "not sent" },
  unknown: { tone: "warn", label: "interrupted: nobody knows" },
  dead: { tone: "bad", label: "could not be sent" },
};

type LogProps = {
  /** The path of the page. */
  readonly path: string;
  /** Whether the subscription is active: only then it can be pinged. */
  readonly active: boolean;
  readonly log: Log;
};

/** Shows the log of a subscription's deliveries, with a filter by state. */
export const DeliveryLog: FC<LogProps> = ({ path, active, log: { value, next, state, keptDays } }) => (
  <section aria-labelledby="log">
    <h2 id="log">Deliveries</h2>
    <p class="hint">
      Newest first, kept for {days(keptDays)}. <InUtc />
    </p>
    <form method="get" action={path} class="filters">
      <div>
        <label for="state">State</label>
        <select id="state" name="state">
          <option value="">All</option>
          {Object.entries(STATES).map(([value, { label }]) => (
            <option value={value} selected={value === state}>
              {capitalized(label)}
            </option>
          ))}
        </select>
      </div>
      <button type="submit" class="quiet">
        Show
      </button>
      <a href={state === "" ? path : `${path}?state=${state}`}>Refresh</a>
    </form>
    {value.length === 0 ? (
      <p class="empty">
        {state === "" ? (
          <>
            Nothing was sent to it in the last {days(keptDays)}.
            {active && " “Send a ping” above shows whether it answers."}
          </>
        ) : (
          <>
            No delivery is in this state. <a href={path}>Show all</a>
          </>
        )}
      </p>
    ) : (
      <Deliveries deliveries={value} path={path} />
    )}
    <Next path={path} cursor={next} query={state === "" ? {} : { state }} />
  </section>
);

const Deliveries: FC<{ deliveries: readonly Delivery[]; path: string }> = ({ deliveries, path }) => (
  <Table
    label="Table of the deliveries"
    rows={deliveries}
    columns={[
      {
        head: "Event",
        cell: ({ event, eventId }) => <a href={`${path}/deliveries/${eventId}`}>{event}</a>,
        class: "nowrap",
      },
      { head: "State", cell: ({ state }) => <span class={`badge ${STATES[state].tone}`}>{STATES[state].label}</span> },
      { head: "Response", cell: ({ status }) => status ?? "–" },
      {
        head: "Duration",
        cell: ({ durationMs }) => (durationMs === null ? "–" : `${durationMs} ms`),
        class: "number",
      },
      { head: "Error", cell: ({ error }) => (error === null ? "–" : <code>{error}</code>) },
      { head: "Created", cell: ({ creationTime }) => <Time at={creationTime} /> },
      {
        head: "Attempted",
        cell: ({ attemptTime }) => (attemptTime === null ? "–" : <Time at={attemptTime} />),
      },
    ]}
  />
);
