/** The page of the audit log: who changed what, and when. */
import { FilterSelect } from "../filter-select.tsx";
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { readAllItems } from "../../../lib/pages.ts";
import { registry } from "../../../operations/registry.ts";
import { DaysFields } from "../days-fields.tsx";
import { isDay, toTimes, type Days } from "../days.ts";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { Fact } from "../parts.tsx";
import { page } from "../layout.tsx";
import { Next } from "../next.tsx";
import { perform } from "../session.ts";
import { Table } from "../table.tsx";
import { UndoLink } from "../undo.tsx";
import { InUtc, Time, formatDays } from "../time.tsx";
import { KINDS, Sentence, type Entry } from "./sentences.tsx";

const PAGE = 50;
const PATH = "/console/audit";

export const audit = new Hono<ConsoleEnv>();

audit.get("/", async (c) => {
  const filter = parseFilter(c);
  const { from, to, ...narrowed } = filter;
  const within = toTimes({ from, to });
  const cursor = c.req.query("cursor") || undefined;
  const [{ value, next }, people] = await Promise.all([
    perform(c, registry.listAudit, { limit: PAGE, cursor, ...narrowed, ...within }),
    readAllItems((place) => perform(c, registry.listMembers, { cursor: place })),
  ]);
  return page(
    c,
    "Audit log",
    <>
      <p>
        All changes in the organization, newest first. Kept for {formatDays(c.env.arrival.settings.kept.audit)}.{" "}
        <InUtc />
      </p>
      <Filters filter={filter} people={people} entries={value} />
      {filter.actor !== undefined && people.every(({ userId }) => userId !== filter.actor) && (
        <p>
          <UndoLink actor={filter.actor}>Undo what it did…</UndoLink>
        </p>
      )}
      {value.length === 0 ? <Empty filter={filter} goesOn={next !== undefined} /> : <Entries entries={value} />}
      {cursor !== undefined && (
        <p>
          <a href={`${PATH}?${new URLSearchParams(filter).toString()}`}>Newest</a>
        </p>
      )}
      <Next path={PATH} query={filter} cursor={next} />
    </>,
  );
});

type Filter = Days & { readonly actor?: string; readonly kind?: string };

function parseFilter(c: ConsoleContext): Record<string, string> & Filter {
  const { actor, kind = "", from = "", to = "" } = c.req.query();
  return {
    ...(actor && { actor }),
    ...(Object.hasOwn(KINDS, kind) && { kind }),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
  };
}

type Person = { readonly userId: string; readonly name: string };
type FiltersProps = { readonly filter: Filter; readonly people: readonly Person[]; readonly entries: readonly Entry[] };

const Filters: FC<FiltersProps> = ({ filter, people, entries }) => {
  const { actor, kind, from, to } = filter;
  const isMember = actor === undefined || people.some(({ userId }) => userId === actor);
  // An actor that is no member, such as an API key, is named as in the log.
  const other = isMember ? undefined : (entries.find((each) => each.actor.id === actor)?.actor.name ?? "Selected");
  return (
    <form class="filters" method="get" action={PATH}>
      <div>
        <label for="actor">Actor</label>
        <select id="actor" name="actor">
          <option value="">Anyone</option>
          {other !== undefined && (
            <option value={actor} selected>
              {other}
            </option>
          )}
          {people.map(({ userId, name }) => (
            <option value={userId} selected={userId === actor}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <FilterSelect
        name="kind"
        label="Type"
        choices={Object.entries(KINDS).map(([value, { many }]) => ({ value, label: many }))}
        chosen={kind}
      />
      <DaysFields from={from} to={to} />
      <button type="submit" class="quiet">
        Show
      </button>
    </form>
  );
};

const Empty: FC<{ filter: Filter; goesOn: boolean }> = ({ filter, goesOn }) => (
  <p class="empty">
    {goesOn ? "No matches among the newest entries. Continue with older ones below." : "No entries match."}{" "}
    {Object.keys(filter).length > 0 && <a href={PATH}>Show all</a>}
  </p>
);

const Entries: FC<{ entries: readonly Entry[] }> = ({ entries }) => (
  <Table
    label="Changes"
    class="audit"
    rows={entries}
    columns={[
      { head: "Time", cell: ({ creationTime }) => <Time at={creationTime} /> },
      { head: "Change", cell: (entry) => <Sentence of={entry} />, class: "sentence" },
      { head: <span class="unseen">Details</span>, cell: (entry) => <Details of={entry} />, class: "nowrap" },
    ]}
  />
);

const Details: FC<{ of: Entry }> = ({ of: { action, resourceId, requestId } }) => (
  <details>
    <summary>Details</summary>
    <dl class="facts">
      <Fact name="Action">
        <code>{action}</code>
      </Fact>
      <Fact name="ID">
        <code>{resourceId}</code>
      </Fact>
      <Fact name="Request ID">
        <code>{requestId}</code>
      </Fact>
    </dl>
  </details>
);
