import { Table } from "../table.tsx";
import type { FC } from "hono/jsx";
import type { z } from "zod";
import { registry } from "../../../operations/registry.ts";
import type { Result } from "../../../operations/define.ts";
import type { ConsoleContext } from "../env.ts";
import { Next } from "../next.tsx";
import { perform } from "../session.ts";
import { InUtc, Time, formatDays } from "../time.tsx";

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

export const STATES: Readonly<Record<State, { tone: string; label: string }>> = {
  open: { tone: "", label: "Waiting" },
  claimed: { tone: "", label: "Sending" },
  succeeded: { tone: "good", label: "Succeeded" },
  failed: { tone: "bad", label: "Failed" },
  skipped: { tone: "", label: "Not sent" },
  unknown: { tone: "warn", label: "Unknown" },
  dead: { tone: "bad", label: "Undelivered" },
};

type LogProps = {
  readonly path: string;
  /** Only an active subscription can be pinged. */
  readonly active: boolean;
  readonly log: Log;
};

export const DeliveryLog: FC<LogProps> = ({ path, active, log: { value, next, state, keptDays } }) => (
  <section aria-labelledby="log">
    <h2 id="log">Deliveries</h2>
    <p class="hint">
      Newest first. Kept for {formatDays(keptDays)}. <InUtc />
    </p>
    <form method="get" action={path} class="filters">
      <div>
        <label for="state">Status</label>
        <select id="state" name="state">
          <option value="">All</option>
          {Object.entries(STATES).map(([value, { label }]) => (
            <option value={value} selected={value === state}>
              {label}
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
            No deliveries in the last {formatDays(keptDays)}.{active && " Send a ping to test it."}
          </>
        ) : (
          <>
            No deliveries have this status. <a href={path}>Show all</a>
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
    label="Delivery log"
    rows={deliveries}
    columns={[
      {
        head: "Event",
        cell: ({ event, eventId }) => <a href={`${path}/deliveries/${eventId}`}>{event}</a>,
        class: "nowrap",
      },
      { head: "Status", cell: ({ state }) => <span class={`badge ${STATES[state].tone}`}>{STATES[state].label}</span> },
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
