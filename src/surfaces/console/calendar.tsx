/** The calendar: what is scheduled and what was published in a month. Days and times are UTC. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { encodeCursor } from "../../domain/cursor.ts";
import { registry } from "../../operations/registry.ts";
import { DAY_MS } from "../../lib/time.ts";
import { findChosenBlog, listBlogs, getTitle, type Blog } from "./articles/found.ts";
import { BlogForm, NoBlog } from "./articles/shared.tsx";
import type { ConsoleContext, ConsoleEnv } from "./env.ts";
import { Icon } from "./icon.tsx";
import { page } from "./layout.tsx";
import { can, perform } from "./session.ts";
import { capitalize } from "../../lib/text.ts";

export const calendar = new Hono<ConsoleEnv>();

calendar.get("/", async (c) => {
  const blogs = await listBlogs(c);
  const blog = findChosenBlog(c, blogs);
  if (blog === null) return page(c, "Calendar", <NoBlog mayCreate={can(c, "blogs:write")} />);
  const month = parseMonth(c.req.query("month"));
  const places = getCursors(c);
  const parts = await Promise.all(
    LISTS.map(async (name) => (places && !places[name] ? END : READ[name](c, blog, month, places?.[name]))),
  );
  const entries = parts.flatMap((part) => part.entries).toSorted((one, other) => (one.time < other.time ? -1 : 1));
  const following = LISTS.flatMap((name, i) => (parts[i]?.next === undefined ? [] : [[name, parts[i].next] as const]));
  return page(
    c,
    `Calendar: ${month.name}`,
    <>
      <BlogForm action="/console/calendar" blogs={blogs} blog={blog}>
        <input type="hidden" name="month" value={month.key} />
      </BlogForm>
      <p class="actions">
        <a class="button quiet small" href={toMonthPath(blog, month.before)}>
          <Icon name="previous" />
          Previous month
        </a>
        <a class="button quiet small" href={toMonthPath(blog, month.after)}>
          Next month
          <Icon name="next" />
        </a>
      </p>
      <Month days={month.days} entries={entries} />
      {(places || following.length > 0) && (
        <nav class="actions" aria-label="Rest of the month">
          {places && <a href={toMonthPath(blog, month.key)}>Start of the month</a>}
          {following.length > 0 && <a href={toMonthPath(blog, month.key, following)}>More of {month.name}</a>}
        </nav>
      )}
      <p class="hint">Times are in UTC. Each page shows up to {MOST} articles of each kind.</p>
    </>,
  );
});

const toMonthPath = ({ _id }: Blog, month: string, places: readonly (readonly [List, string])[] = []): string =>
  `/console/calendar?${new URLSearchParams([["blog", _id], ["month", month], ...places.map(([list, at]) => [list, at])]).toString()}`;

/**
 * A month in UTC. `to` is the start of the next month; `before` and `after` name the neighboring months, such as
 * `2026-12`.
 */
type Span = {
  readonly key: string;
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly before: string;
  readonly after: string;
  readonly days: readonly string[];
};

/** Returns the month in a text such as `2026-12`; the current month for any other text. */
function parseMonth(text: string | undefined): Span {
  const key = /^20\d\d-(?:0[1-9]|1[0-2])$/.test(text ?? "") ? (text ?? "") : new Date().toISOString().slice(0, 7);
  const start = new Date(`${key}-01T00:00:00.000Z`);
  const near = (months: number) => new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + months, 1));
  const end = near(1);
  const length = (end.getTime() - start.getTime()) / DAY_MS;
  return {
    key,
    name: start.toLocaleDateString("en", { month: "long", year: "numeric", timeZone: "UTC" }),
    from: start.toISOString(),
    to: end.toISOString(),
    before: near(-1).toISOString().slice(0, 7),
    after: end.toISOString().slice(0, 7),
    days: Array.from({ length }, (_, day) => new Date(start.getTime() + day * DAY_MS).toISOString().slice(0, 10)),
  };
}

type Entry = {
  readonly id: string;
  readonly title: string;
  readonly time: string;
  readonly what: string;
  readonly failed: boolean;
};

const MOST = 100;

type Part = { readonly entries: readonly Entry[]; readonly next?: string | undefined };

const END: Part = { entries: [] };

/** The lists that the calendar shows: the next change of each schedule, unpublish times after it, and publications. */
const LISTS = ["next", "ends", "published"] as const;
type List = (typeof LISTS)[number];

/**
 * Returns the cursors in the query, from a link to the rest of the month, or null. A list without a cursor has ended.
 */
function getCursors(c: ConsoleContext): Partial<Record<List, string>> | null {
  const given = LISTS.flatMap((name) => (c.req.query(name) ? [[name, c.req.query(name)]] : []));
  return given.length === 0 ? null : (Object.fromEntries(given) as Partial<Record<List, string>>);
}

type Reading = (c: ConsoleContext, blog: Blog, month: Span, cursor: string | undefined) => Promise<Part>;

/** The largest possible id: a cursor with a time and this id comes before all articles of that time. */
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

const READ: Readonly<Record<List, Reading>> = {
  async next(c, { _id: blogId }, { from, to }, cursor) {
    const { value, next } = await perform(c, registry.listSchedules, { blogId, from, to, limit: MOST, cursor });
    const entries = value.map(({ articleId: id, title, publishTime, dueTime: time, failure }) => {
      const failed = failure !== null;
      return { id, title, time, what: failed ? "failed" : publishTime === null ? "unpublish" : "publish", failed };
    });
    return { entries, next };
  },

  async ends(c, { _id: blogId }, { from, to }, cursor) {
    const input = { blogId, from, to, time: "unpublish" as const, limit: MOST, cursor };
    const { value, next } = await perform(c, registry.listSchedules, input);
    const entries = value.flatMap(({ articleId: id, title, publishTime, unpublishTime, failure }) =>
      publishTime === null || unpublishTime === null || failure !== null
        ? []
        : [{ id, title, time: unpublishTime, what: "unpublish", failed: false }],
    );
    return { entries, next };
  },

  async published(c, { _id: blogId }, { from, to }, given) {
    const cursor = given ?? encodeCursor({ time: to, id: LAST_ID }, "publishTime");
    const input = { blogId, sort: "publishTime" as const, fields: FIELDS, limit: MOST, cursor };
    const { value, next } = await perform(c, registry.listArticles, input);
    const entries = value.flatMap(({ _id = "", title = "", publishTime }) =>
      publishTime && publishTime >= from && publishTime < to
        ? [{ id: _id, title, time: publishTime, what: "published", failed: false }]
        : [],
    );
    return { entries, next: entries.length === value.length ? next : undefined };
  },
};

const FIELDS = ["_id", "title", "publishTime"] as const satisfies readonly string[];

const WEEK = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

const Month: FC<{ days: readonly string[]; entries: readonly Entry[] }> = ({ days, entries }) => (
  <ol class="calendar">
    {days.map((day) => {
      const weekday = (new Date(day).getUTCDay() + 6) % 7;
      return (
        <li data-weekday={weekday + 1}>
          <time datetime={day}>
            <span class="weekday">{WEEK[weekday]}</span> {Number(day.slice(8))}
          </time>
          <ul>
            {entries
              .filter(({ time }) => time.startsWith(day))
              .map((entry) => (
                <li>
                  {entry.time.slice(11, 16)}{" "}
                  <span class={entry.failed ? "badge warn" : entry.what === "published" ? "badge good" : "badge"}>
                    {capitalize(entry.what)}
                  </span>{" "}
                  <a href={`/console/articles/${entry.id}`} dir="auto">
                    {getTitle(entry)}
                  </a>
                </li>
              ))}
          </ul>
        </li>
      );
    })}
  </ol>
);
