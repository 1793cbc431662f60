import type { DemoArticle } from "./types.ts";

export const edgeEngineeringData: DemoArticle[] = [
  {
    slug: "store-the-promise-not-the-instant",
    locale: "en",
    title: "Store the promise, not the instant",
    description: "UTC everywhere is good advice for the past. Future events need a local time and a time zone name.",
    content: `"Store everything in UTC" is good advice for things that have happened. A log line, a payment, a published article: each is a point on the time line, and an instant describes it completely.

It is poor advice for things that people have agreed to do. "The newsletter goes out on Mondays at nine in Lisbon" is a promise about a wall clock. Convert it to UTC when it is created, and you freeze the offset that happened to apply that day.

## Two kinds of time

| | Past event | Future promise |
| --- | --- | --- |
| Example | order placed | weekly digest |
| Store | instant in UTC | local time + zone name |
| Convert | when displaying | when scheduling the next run |

For the second column, keep three fields: the local date or rule, the local time, and an identifier from the [IANA database](https://www.iana.org/time-zones) such as \`Europe/Lisbon\`. An offset such as \`+01:00\` is not a zone. It tells you where the clock stood once, and nothing about next month.

You may also keep the computed instant as an index for the scheduler. Just treat it as a cache: recompute it after every run, and whenever the time zone rules change. Governments do change them, sometimes with a few weeks' notice.

## The two strange hours

Where clocks move, two local times a year need a decision:

- **The gap.** In spring, 02:30 may not exist. Run the job at the first valid moment afterwards.
- **The overlap.** In autumn, 02:30 may happen twice. Run at the first occurrence, and remember that you did.

Any consistent rule will do, as long as it is written down and tested. If the choice is yours, schedule nightly jobs outside the hours between one and three.

## Displaying

Formatting needs no library:

\`\`\`ts
const reader = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "long",
  timeStyle: "short",
  timeZone: "Europe/Berlin",
});

reader.format(new Date("2025-03-30T00:59:00Z")); // 30 March 2025 at 01:59
reader.format(new Date("2025-03-30T01:00:00Z")); // 30 March 2025 at 03:00
\`\`\`

Those two instants are one minute apart, which makes them an excellent pair for a test.

## A last trap: dates without times

A birthday or an invoice date has no zone at all. Keep it as the text \`2025-03-30\`. Put it into a \`Date\` object, and it becomes midnight UTC, which for readers west of Greenwich is still the evening before.
`,
    published: true,
  },
  {
    slug: "reading-a-sqlite-query-plan",
    locale: "en",
    title: "Reading a SQLite query plan",
    description: "Three terms cover most of what EXPLAIN QUERY PLAN tells you: SCAN, SEARCH and TEMP B-TREE.",
    content: `SQLite will tell you how it intends to run a query, in a few lines of plain English. It is the cheapest performance tool we have, and it works on an empty database.

Take a typical blog feed:

\`\`\`sql
EXPLAIN QUERY PLAN
SELECT id, title FROM article
WHERE blog_id = ? AND published = 1
ORDER BY published_at DESC
LIMIT 20;
\`\`\`

Without a suitable index the answer is:

\`\`\`text
SCAN article
USE TEMP B-TREE FOR ORDER BY
\`\`\`

## The vocabulary

- **SCAN** means that every row is visited. Fine for a table of countries, bad for a table of articles.
- **SEARCH** means that an index or the row id narrows things down. The columns in brackets show how much of the index is used.
- **USE TEMP B-TREE** means that the rows are sorted after they are found. \`LIMIT 20\` does not help much here: all matching rows must be read before the first one can be returned.
- **COVERING INDEX** means that the index alone contains every column needed and the table is not touched.

## Fixing the feed

Put the equality columns first, then the column you sort by:

\`\`\`sql
CREATE INDEX article_feed
ON article (blog_id, published, published_at);
\`\`\`

Now the plan is a single line:

\`\`\`text
SEARCH article USING INDEX article_feed (blog_id=? AND published=?)
\`\`\`

The sort has disappeared, because entries inside one \`(blog_id, published)\` group are already in order. SQLite walks the group backwards for \`DESC\` and stops after twenty rows. No separate descending index is needed.

## Three habits

1. **Read plans in tests.** For the handful of queries that matter, assert that the plan contains no \`SCAN\` and no \`TEMP B-TREE\`. A careless change to the \`WHERE\` clause then fails in review instead of in production.
2. **Watch for functions on columns.** \`WHERE lower(slug) = ?\` cannot use an index on \`slug\`. Normalise on write, or create an index on the expression.
3. **Paginate by key.** \`OFFSET 10000\` reads ten thousand rows and throws them away. Remember the last \`published_at\` and \`id\` you showed, and continue from there.

## What the plan does not say

There are no row counts and no timings. A \`SEARCH\` on a column with two distinct values may still read half the table. Run \`ANALYZE\` once the data looks like production so that the planner can tell a selective index from a poor one.

The wording of plans is meant for people and can change between releases, so keep test assertions loose. The [official page](https://www.sqlite.org/eqp.html) explains every line you are likely to meet.
`,
    published: true,
  },
  {
    slug: "serving-stale-on-purpose",
    locale: "en",
    title: "Serving stale on purpose",
    description: "How stale-while-revalidate and stale-if-error behave, and how to choose the two numbers.",
    content: `A cache entry that has just expired is rarely wrong. It is a few seconds older than we would like. Making a reader wait for the origin at that moment buys very little freshness for a noticeable delay.

Two directives from [RFC 5861](https://www.rfc-editor.org/rfc/rfc5861) let us say so:

\`\`\`http
Cache-Control: public, max-age=60, stale-while-revalidate=600, stale-if-error=86400
\`\`\`

## What each part means

- For the first 60 seconds the entry is **fresh**. The origin hears nothing.
- For the next 600 seconds it is **stale but usable**. A reader gets the old copy at once, and the cache asks the origin for a new one in the background.
- If the origin fails, the old copy may be used for **up to a day** past its freshness.

After the second window has passed, the next reader waits again. On a quiet page this is the usual case, so do not expect the directive to help articles that are read twice a week.

## Choosing the numbers

Ask the people who publish, in their own words:

1. *How soon must a change be visible to most readers?* That is \`max-age\`.
2. *How late may the unlucky last reader see it?* That is \`max-age\` plus \`stale-while-revalidate\`.
3. *During an outage, is old better than nothing?* For articles, nearly always. For prices or permissions, usually not.

Our defaults for blog content are one minute and ten minutes. Anything behind a login gets \`private, no-store\` and takes no part in the discussion.

## Only one refresh at a time

If a thousand readers hit a stale entry in the same second, the origin should see one request. Check whether your cache collapses them; many do so only within one location. Where it does not, a short-lived lock around the refresh is enough:

\`\`\`ts
const refreshing = new Map<string, Promise<void>>();

export function refreshOnce(key: string, refresh: () => Promise<void>): Promise<void> {
  const running = refreshing.get(key);
  if (running) return running;
  const task = refresh().finally(() => refreshing.delete(key));
  refreshing.set(key, task);
  return task;
}
\`\`\`

This works per process. It will not give you exactly one request worldwide, and you do not need that. A few dozen is fine; a thousand was the problem.

## Make it visible

Send an \`Age\` header and log whether each response was fresh, stale or a miss. When an editor reports that a correction has not appeared, those two facts settle the matter in a minute. Without them you will purge everything, which works and teaches you nothing.
`,
    published: false,
  },
];
