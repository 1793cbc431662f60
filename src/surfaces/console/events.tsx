/** The page of the feed of events: what has changed, as webhooks and `GET /api/events` tell it. */
import { FilterSelect } from "./filter-select.tsx";
import { toChoices } from "./forms.tsx";
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import type { z } from "zod";
import { EVENT_KINDS } from "../../domain/events.ts";
import { registry } from "../../operations/registry.ts";
import { listBlogs, type Blog } from "./articles/found.ts";
import { DaysFields } from "./days-fields.tsx";
import { isDay, toTimes, type Days } from "./days.ts";
import type { ConsoleContext, ConsoleEnv } from "./env.ts";
import { page } from "./layout.tsx";
import { Next } from "./next.tsx";
import { Fact } from "./parts.tsx";
import { perform } from "./session.ts";
import { findSubjectPath } from "./subject-path.ts";
import { Table } from "./table.tsx";
import { formatDays, InUtc, Time } from "./time.tsx";

const PAGE = 50;
const PATH = "/console/events";

type Event = z.infer<typeof registry.listEvents.output>[number];

export const events = new Hono<ConsoleEnv>();

events.get("/", async (c) => {
  const filter = parseFilter(c);
  const { kind, blog, from, to } = filter;
  const after = c.req.query("after") || undefined;
  const narrowed = { kinds: kind && [kind], blogId: blog, ...toTimes({ from, to }) };
  const [{ value, next }, blogs] = await Promise.all([
    perform(c, registry.listEvents, { order: "newest", limit: PAGE, after, ...narrowed }),
    listBlogs(c),
  ]);
  return page(
    c,
    "Events",
    <>
      <p>
        What has changed, newest first. Kept for {formatDays(c.env.arrival.settings.kept.events)}. Webhooks send events,
        and <a href="/docs/event-feed">the API</a> lists them. <InUtc />
      </p>
      <Filters filter={filter} blogs={blogs} />
      {value.length === 0 ? <Empty filter={filter} goesOn={next !== undefined} /> : <Events events={value} />}
      {after !== undefined && (
        <p>
          <a href={`${PATH}?${new URLSearchParams(filter).toString()}`}>Newest</a>
        </p>
      )}
      <Next path={PATH} query={filter} cursor={next} name="after" />
    </>,
  );
});

type Filter = Days & { readonly kind?: string; readonly blog?: string };

function parseFilter(c: ConsoleContext): Record<string, string> & Filter {
  const { kind = "", blog = "", from = "", to = "" } = c.req.query();
  return {
    ...(EVENT_KINDS.some((each) => each === kind) && { kind }),
    ...(blog && { blog }),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
  };
}

const Filters: FC<{ filter: Filter; blogs: readonly Blog[] }> = ({ filter: { kind, blog, from, to }, blogs }) => (
  <form class="filters" method="get" action={PATH}>
    <FilterSelect
      name="kind"
      label="Event"
      choices={EVENT_KINDS.map((value) => ({ value, label: value }))}
      chosen={kind}
    />
    <FilterSelect name="blog" label="Blog" choices={toChoices(blogs)} chosen={blog} />
    <DaysFields from={from} to={to} />
    <button type="submit" class="quiet">
      Show
    </button>
  </form>
);

const Empty: FC<{ filter: Filter; goesOn: boolean }> = ({ filter, goesOn }) => (
  <p class="empty">
    {goesOn
      ? "No matches among the newest events. Continue with older ones below."
      : Object.keys(filter).length > 0
        ? "No events match."
        : "No events yet. Write the first article."}{" "}
    {Object.keys(filter).length > 0 && <a href={PATH}>Show all</a>}
  </p>
);

const Events: FC<{ events: readonly Event[] }> = ({ events: rows }) => (
  <Table
    label="Events"
    class="audit"
    rows={rows}
    columns={[
      { head: "Time", cell: ({ timestamp }) => <Time at={new Date(timestamp * 1000).toISOString()} /> },
      { head: "Event", cell: ({ event }) => <code>{event}</code>, class: "nowrap" },
      { head: "Subject", cell: (event) => <Subject of={event} />, class: "sentence" },
      { head: <span class="unseen">Details</span>, cell: (event) => <Details of={event} />, class: "nowrap" },
    ]}
  />
);

/** The names of a subject, the best first. */
const NAMES = ["title", "name", "email", "url"] as const;

const Subject: FC<{ of: Event }> = ({ of: { event, data } }) => {
  const path = findSubjectPath(event, data);
  const name = NAMES.map((each) => data[each]).find((each) => typeof each === "string" && each !== "");
  const shown = typeof name === "string" ? name : event.split(".")[0];
  const { changed } = data as { readonly changed?: readonly string[] };
  return (
    <>
      {path === null ? shown : <a href={path}>{shown}</a>}
      {changed !== undefined && <span class="hint"> Changed: {changed.join(", ")}</span>}
    </>
  );
};

const Details: FC<{ of: Event }> = ({ of: { _id, data } }) => (
  <details>
    <summary>Details</summary>
    <dl class="facts">
      <Fact name="ID">
        <code>{_id}</code>
      </Fact>
    </dl>
    <pre tabindex={0} aria-label="Data of the event">
      {JSON.stringify(data, null, 2)}
    </pre>
  </details>
);
