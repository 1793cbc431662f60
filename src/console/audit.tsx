/** The page of the audit log: who changed what, and when. */
import { Table } from "./table.tsx";
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { allItems } from "../lib/pages.ts";
import { registry } from "../operations/registry.ts";
import { appNames } from "./apps/names.ts";
import type { ConsoleEnv } from "./env.ts";
import { page } from "./layout.tsx";
import { Next } from "./next.tsx";
import { perform } from "./session.ts";
import { days, Time } from "./time.tsx";

/** The number of entries on a page. */
const PAGE = 50;

export const audit = new Hono<ConsoleEnv>();

audit.get("/", async (c) => {
  const cursor = c.req.query("cursor");
  const [entries, people, keys, tokens] = await Promise.all([
    perform(c, registry.listAudit, { limit: PAGE, ...(cursor && { cursor }) }),
    allItems((place) => perform(c, registry.listMembers, { cursor: place })),
    allItems((place) => perform(c, registry.listApiKeys, { cursor: place })),
    allItems((place) => perform(c, registry.listAccessTokens, { cursor: place })),
  ]);
  const apps = await appNames(
    c,
    entries.value.flatMap(({ actor }) => (actor.kind === "app" ? [actor.id] : [])),
  );
  const names = new Map([
    ...apps.map(({ id, name }) => [id, name] as const),
    ...people.map(({ userId, name }) => [userId, name] as const),
    ...[...keys, ...tokens].map(({ _id, name }) => [_id, name] as const),
  ]);
  return page(
    c,
    "Audit log",
    <>
      <p>
        Every change in the organization, newest first, kept for {days(c.env.arrival.settings.kept.audit)}. Times are
        UTC.
      </p>
      <Entries entries={entries.value} names={names} />
      <Next path="/console/audit" cursor={entries.next} />
    </>,
  );
});

type Entry = {
  _id: string;
  actor: { kind: string; id: string };
  action: string;
  resourceId: string;
  requestId: string;
  creationTime: string;
};

const Entries: FC<{ entries: readonly Entry[]; names: ReadonlyMap<string, string> }> = ({ entries, names }) => (
  <Table
    label="Changes"
    rows={entries}
    columns={[
      { head: "Time", cell: ({ creationTime }) => <Time at={creationTime} /> },
      {
        head: "Who",
        cell: ({ actor }) => (
          <>
            {names.get(actor.id) ?? <code>{actor.id}</code>} <span class="badge">{actor.kind}</span>
          </>
        ),
      },
      { head: "What", cell: ({ action }) => action },
      { head: "Of", cell: ({ resourceId }) => <code>{resourceId}</code> },
      { head: "Request", cell: ({ requestId }) => <code>{requestId}</code> },
    ]}
  />
);
