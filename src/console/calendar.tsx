/** The calendar: what is scheduled and what was published in a month. Days and times are UTC. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { encodeCursor } from "../domain/cursor.ts";
import { registry } from "../operations/registry.ts";
import { DAY_MS } from "../lib/time.ts";
import { chosenBlog, listBlogs, titleOf, type Blog } from "./articles/found.ts";
import { BlogFilter, NoBlog } from "./articles/shared.tsx";
import type { ConsoleContext, ConsoleEnv } from "./env.ts";
import { Icon } from "./icon.tsx";
import { page } from "./layout.tsx";
import { can, perform } from "./session.ts";

export const calendar = new Hono<ConsoleEnv>();

calendar.get("/", async (c) => {
  const blog = chosenBlog(c, await listBlogs(c));
  if (blog === null) return page(c, "Calendar", <NoBlog mayCreate={can(c, "blogs:write")} />);
  const month = monthOf(c.req.query("month"));
  const [blogs, scheduled, published] = await Promise.all([
    listBlogs(c),
    scheduledIn(c, blog, month),
    publishedIn(c, blog, month),
  ]);
  const entries = [...published, ...scheduled].toSorted((one, other) => (one.time < other.time ? -1 : 1));
  return page(
    c,
    `Calendar: ${month.name}`,
    <>
      <form class="filters" method="get">
        <BlogFilter blogs={blogs} blog={blog} />
        <input type="hidden" name="month" value={month.key} />
        <button type="submit" class="quiet">
          Show
        </button>
      </form>
      <p class="actions">
        <a class="button quiet small" href={pathOf(blog, month.before)}>
          <Icon name="previous" />
          Month before
        </a>
        <a class="button quiet small" href={pathOf(blog, month.after)}>
          Next month
          <Icon name="next" />
        </a>
      </p>
      <Month days={month.days} entries={entries} />
      <p class="hint">Times are UTC. Of each kind, at most {MOST} are shown.</p>
    </>,
  );
});

const pathOf = ({ _id }: Blog, month: string): string =>
  `/console/calendar?${new URLSearchParams({ blog: _id, month }).toString()}`;

/** A month of UTC: its first instant and that of the next one, its days, and its neighbours such as `2026-12`. */
type Span = {
  readonly key: string;
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly before: string;
  readonly after: string;
  readonly days: readonly string[];
};

/** Returns the month that a text such as `2026-12` names, otherwise the present one. */
function monthOf(text: string | undefined): Span {
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

/** Something that happens to an article at a time. */
type Entry = {
  readonly id: string;
  readonly title: string;
  readonly time: string;
  readonly what: string;
  readonly failed: boolean;
};

/** The most entries of each kind that the page shows. */
const MOST = 100;

async function scheduledIn(c: ConsoleContext, { _id: blogId }: Blog, { from, to }: Span): Promise<Entry[]> {
  const { value } = await perform(c, registry.listSchedules, { blogId, to, limit: MOST });
  const entries = value.flatMap(({ articleId: id, title, publishTime, unpublishTime, failure }) => {
    const failed = failure !== null;
    const what = (word: string) => (failed ? "failed" : word);
    return [
      { id, title, time: publishTime ?? "", what: what("publish"), failed },
      { id, title, time: unpublishTime ?? "", what: what("unpublish"), failed },
    ];
  });
  return entries.filter(({ time }) => time >= from && time < to);
}

/** The largest id there can be: behind it begins what is older than a time. */
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

async function publishedIn(c: ConsoleContext, { _id: blogId }: Blog, { from, to }: Span): Promise<Entry[]> {
  const cursor = encodeCursor({ time: to, id: LAST_ID }, "publishTime");
  const input = { blogId, sort: "publishTime" as const, fields: FIELDS, limit: MOST, cursor };
  const { value } = await perform(c, registry.listArticles, input);
  return value.flatMap(({ _id = "", title = "", publishTime }) =>
    publishTime && publishTime >= from && publishTime < to
      ? [{ id: _id, title, time: publishTime, what: "published", failed: false }]
      : [],
  );
}

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
                    {entry.what}
                  </span>{" "}
                  <a href={`/console/articles/${entry.id}`}>{titleOf(entry)}</a>
                </li>
              ))}
          </ul>
        </li>
      );
    })}
  </ol>
);
