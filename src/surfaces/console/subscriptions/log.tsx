import { FilterSelect } from "../filter-select.tsx";
import { Table } from "../table.tsx";
import type { FC } from "hono/jsx";
import type { z } from "zod";
import { registry } from "../../../operations/registry.ts";
import type { Result } from "../../../operations/define.ts";
import { DELIVERED_KINDS } from "../../../domain/events.ts";
import { DaysFields } from "../days-fields.tsx";
import { isDay, toTimes, type Days } from "../days.ts";
import type { ConsoleContext } from "../env.ts";
import { Next } from "../next.tsx";
import { perform } from "../session.ts";
import { InUtc, Time, formatDays } from "../time.tsx";

const PAGE = 25;

type Delivery = z.infer<typeof registry.listDeliveries.output>[number];
type State = Delivery["state"];

type Filter = Days & { readonly state?: string; readonly event?: string };

/** A page of the log. `filter` is that of the query. `keptDays`: deliveries are deleted after that. */
export type Log = Result<Delivery[]> & { readonly filter: Record<string, string> & Filter; readonly keptDays: number };

/** Reads the page of a subscription's log that the query asks for: by default, the newest deliveries in any state. */
export async function readLog(c: ConsoleContext, webhookSubscriptionId: string): Promise<Log> {
  const { state = "", event = "", from = "", to = "", cursor = "" } = c.req.query();
  const filter = {
    ...(state !== "" && { state }),
    ...(event !== "" && { event }),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
  };
  const { from: since, to: until } = toTimes(filter);
  const found = await perform(c, registry.listDeliveries, {
    webhookSubscriptionId,
    limit: PAGE,
    ...(state !== "" && { state }),
    ...(event !== "" && { event }),
    ...(since !== undefined && { from: since }),
    ...(until !== undefined && { until }),
    ...(cursor !== "" && { cursor }),
  });
  return { ...found, filter, keptDays: c.env.arrival.settings.kept.deliveries };
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

export const DeliveryLog: FC<LogProps> = ({ path, active, log: { value, next, filter, keptDays } }) => {
  const query = new URLSearchParams(filter).toString();
  return (
    <section aria-labelledby="log">
      <h2 id="log">Deliveries</h2>
      <p class="hint">
        Newest first. Kept for {formatDays(keptDays)}. <InUtc />
      </p>
      <Filters path={path} filter={filter} />
      <p>
        <a href={query === "" ? path : `${path}?${query}`}>Refresh</a>
      </p>
      {value.length === 0 ? (
        <p class="empty">
          {query === "" ? (
            <>
              No deliveries in the last {formatDays(keptDays)}.{active && " Send a ping to test it."}
            </>
          ) : (
            <>
              No deliveries match. <a href={path}>Show all</a>
            </>
          )}
        </p>
      ) : (
        <Deliveries deliveries={value} path={path} />
      )}
      <Next path={path} cursor={next} query={filter} />
    </section>
  );
};

const Filters: FC<{ path: string; filter: Filter }> = ({ path, filter }) => (
  <form method="get" action={path} class="filters">
    <FilterSelect
      name="state"
      label="Status"
      choices={Object.entries(STATES).map(([value, { label }]) => ({ value, label }))}
      chosen={filter.state}
    />
    <FilterSelect
      name="event"
      label="Event"
      choices={DELIVERED_KINDS.map((value) => ({ value, label: value }))}
      chosen={filter.event}
    />
    <DaysFields from={filter.from} to={filter.to} />
    <button type="submit" class="quiet">
      Show
    </button>
  </form>
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
      {
        head: "Status",
        cell: ({ state, redeliveries }) => (
          <>
            <span class={`badge ${STATES[state].tone}`}>{STATES[state].label}</span>
            {redeliveries > 0 && <span class="quiet-text"> again</span>}
          </>
        ),
      },
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
