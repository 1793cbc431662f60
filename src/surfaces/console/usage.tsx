import { Hono } from "hono";
import type { FC } from "hono/jsx";
import type { z } from "zod";
import { registry } from "../../operations/registry.ts";
import type { ConsoleEnv } from "./env.ts";
import { page } from "./layout.tsx";
import { perform } from "./session.ts";
import { Table, type Column } from "./table.tsx";
import { Time, Utc } from "./time.tsx";
import { formatNumber } from "./words.ts";

export const usage = new Hono<ConsoleEnv>();

usage.get("/", async (c) => {
  const { value } = await perform(c, registry.getUsage, {});
  const { waitingSince, resetTime } = value.deliveriesPerDay;
  return page(
    c,
    "Usage",
    <>
      {waitingSince !== null && (
        <p class="alert" role="status">
          The daily quota of webhook deliveries was used up. Events have been waiting since <Time at={waitingSince} />
          <Utc />, and are delivered when the quota allows it. It resets <Time at={resetTime} />.
        </p>
      )}
      <CeilingNotice {...value} />
      <p>How much of its quotas the organization uses. The operator of the service sets them.</p>
      <h2>Storage</h2>
      <ul class="rows usage">
        <Quota name="Articles" {...value.articles} />
        <Quota name="Article text" {...value.articleBytes} bytes />
        <Quota name="Images" {...value.mediaBytes} bytes />
        <Quota name="Version history" {...value.revisionBytes} bytes />
        <Quota name="Kept API responses" {...value.answerBytes} bytes />
        <Quota name="Contacts" {...value.contacts} />
        <Quota name="Blogs" {...value.blogs} />
        <Quota name="API keys and access tokens" {...value.credentials} />
        <Quota name="Webhooks" {...value.subscriptions} />
      </ul>
      <h2>Today</h2>
      <p class="hint">
        Days are in UTC. The quotas reset <Time at={resetTime} />.
      </p>
      <ul class="rows usage">
        <Quota name="Events" {...value.eventsPerDay} />
        <Quota name="New topic ideas" {...value.ideasPerDay} />
        <Quota name="Webhook deliveries" {...value.deliveriesPerDay} />
        <Quota name="AI tokens" {...value.modelTokensPerDay} />
      </ul>
      <Month {...value} />
      <p class="hint">
        All API keys, access tokens and connected apps together can send {formatNumber(value.requestsPerMinute.limit)}{" "}
        requests a minute.
      </p>
    </>,
  );
});

type Use = Pick<Usage["months"][number], keyof typeof USES>;

const USES = {
  rowsWritten: "Database rows written",
  deliveries: "Webhook deliveries",
  modelTokens: "AI tokens",
  pictureOperations: "Image operations",
};

export type Usage = z.infer<typeof registry.getUsage.output>;

/** Returns the quotas of this month that have a ceiling. */
const listCeilings = (value: Usage): { readonly used: number; readonly limit: number }[] =>
  [
    value.rowsWrittenPerMonth,
    value.deliveriesPerMonth,
    value.modelTokensPerMonth,
    value.pictureOperationsPerMonth,
  ].flatMap(({ used, limit }) => (limit === null ? [] : [{ used, limit }]));

/** Says that the organization has reached a ceiling. Renders nothing if it has not. */
export const CeilingNotice: FC<Usage> = (value) =>
  listCeilings(value).some(({ used, limit }) => used >= limit) ? (
    <p class="alert" role="status">
      The organization has reached a ceiling of this month and is stopped: everything can be read and deleted, but
      nothing else is written. It goes on <Time at={value.rowsWrittenPerMonth.resetTime} />
      <Utc />, or once the operator of the service raises the ceiling.
    </p>
  ) : (
    <></>
  );

/** What costs the operator money. */
const Month: FC<Usage> = (value) => (
  <>
    <h2>This month</h2>
    <p class="hint">
      What costs the operator of the service money, counted within a minute. The month ends{" "}
      <Time at={value.rowsWrittenPerMonth.resetTime} />
      <Utc />.
      {listCeilings(value).length > 0 &&
        " At a ceiling, nothing is written until then, but everything can be read and deleted."}
    </p>
    <ul class="rows usage">
      <Quota name={USES.rowsWritten} {...value.rowsWrittenPerMonth} />
      <Quota name={USES.deliveries} {...value.deliveriesPerMonth} />
      <Quota name={USES.modelTokens} {...value.modelTokensPerMonth} />
      <Quota name={USES.pictureOperations} {...value.pictureOperationsPerMonth} />
    </ul>
    {value.days.length > 0 && <Uses head="Day" rows={value.days} />}
    {value.months.length > 1 && <Uses head="Month" rows={value.months} />}
  </>
);

type Period = Use & { readonly day?: string; readonly month?: string };

const Uses: FC<{ readonly head: string; readonly rows: readonly Period[] }> = ({ head, rows }) => (
  <Table
    label={`${head}s`}
    grid
    rows={rows}
    columns={[{ head, cell: ({ day, month }) => day ?? month, names: true, class: "nowrap" }, ...COLUMNS]}
  />
);

const COLUMNS = (Object.keys(USES) as (keyof Use)[]).map((name): Column<Period> => ({
  head: USES[name],
  cell: (row) => formatNumber(row[name]),
  class: "number",
}));

type QuotaProps = {
  readonly name: string;
  readonly used: number;
  readonly limit: number | null;
  readonly bytes?: true;
};

/** The share above which a bar warns. */
const HIGH = 0.8;

const Quota: FC<QuotaProps> = ({ name, used, limit, bytes }) => {
  const shown = bytes ? formatMebibytes : formatNumber;
  if (limit === null)
    return (
      <li>
        <span>{name}</span>
        <span class="number">{shown(used)}</span>
      </li>
    );
  const text = `${shown(used)} of ${shown(limit)}${bytes ? " MiB" : ""}`;
  // A meter needs a maximum above its minimum, even for a limit of 0.
  const most = Math.max(limit, 1);
  return (
    <li>
      <span>{name}</span>
      <span class="number">{text}</span>
      <meter min={0} max={most} high={most * HIGH} optimum={0} value={Math.min(used, most)} aria-label={name}>
        {text}
      </meter>
    </li>
  );
};

const formatMebibytes = (bytes: number): string =>
  (Math.ceil((bytes / 1024 / 1024) * 10) / 10).toLocaleString("en", { maximumFractionDigits: 1 });
