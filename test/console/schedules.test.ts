/** The console's pages of schedules, and the calendar. */
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { fieldOf, pathOf, stored, writing } from "../helpers/console-articles.ts";
import { hiddenFields, signedIn } from "../helpers/console.ts";
import { copies } from "../helpers/copies.ts";
import { sendJson } from "../helpers/requests.ts";
import { runAt, schedule, type Schedule } from "../helpers/schedules.ts";
import { newArticle, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

beforeEach(() => env.DB.prepare("delete from schedules").run());

test("a draft is scheduled in a time zone, shown in the calendar, and changes when the time comes", async () => {
  const { tenant, browser } = await writing();
  const article = await newArticle(tenant, { title: "One & only", published: false });
  const path = `${pathOf(article)}/schedule`;
  const answer = await browser.submit(path, path, { publishTime: "2031-07-01T09:00", timeZone: "Europe/Lisbon" });
  expect(answer.headers.get("Location")).toBe(`${pathOf(article)}?done=article-scheduled`);
  const page = await browser.get(pathOf(article));
  expect(page.text).toContain("Scheduled for");
  expect(page.text).toContain("1 July 2031, 09:00 (Europe/Lisbon)");
  expect(fieldOf(await browser.get(path), "publishTime")).toBe("2031-07-01T09:00");
  const month = await browser.get(`/console/calendar?blog=${tenant.blogId}&month=2031-07`);
  expect(month.text).toContain("One &amp; only");
  expect((await browser.get(`/console/calendar?blog=${tenant.blogId}&month=2031-08`)).text).not.toContain("One &amp;");
  await runAt("2031-07-01T08:00:01.000Z");
  expect(await stored(tenant, article._id)).toMatchObject({ published: true });
  const after = await browser.get(`/console/calendar?blog=${tenant.blogId}&month=2031-07`);
  expect(after.text).toContain('<span class="badge good">Published</span>');
});

test("a time that is left as it was keeps its seconds, and which of two hours it is", async () => {
  const { tenant, browser } = await writing();
  const article = await newArticle(tenant, { published: false });
  const path = `${pathOf(article)}/schedule`;
  const stored = async () => {
    const as = { apiKey: tenant.apiKey };
    const plan = await sendJson<Schedule>(200, `/api/articles/${article._id}/schedule`, { as });
    return [plan.publishTime, plan.unpublishTime];
  };
  // Berlin's clocks show 02:30 twice in that night.
  const [publishTime, second] = ["2031-10-25T07:00:42.000Z", "2031-10-26T01:30:00.000Z"];
  await schedule({ apiKey: tenant.apiKey }, article._id, {
    publishTime,
    unpublishTime: second,
    timeZone: "Europe/Berlin",
  });
  const page = await browser.get(path);
  const fields = Object.fromEntries(
    ["publishTime", "unpublishTime", "timeZone"].map((name) => [name, fieldOf(page, name)]),
  );
  expect(fields).toMatchObject({ publishTime: "2031-10-25T09:00", unpublishTime: "2031-10-26T02:30" });
  const sent = { ...hiddenFields(page.text, path), ...fields };
  for (const answer of [await browser.post(path, sent), await browser.post(path, sent)])
    expect(answer.status).toBe(303);
  expect(await stored()).toEqual([publishTime, second]);
  expect((await browser.submit(path, path, { ...fields, publishTime: "2031-10-25T09:01" })).status).toBe(303);
  expect(await stored()).toEqual(["2031-10-25T07:01:00.000Z", second]);
});

test("a month is shown whatever is scheduled before it, with what is unpublished in it, page by page", async () => {
  const { tenant, browser } = await writing();
  const late = await newArticle(tenant, { title: "In June", published: false });
  const ending = await newArticle(tenant, { title: "Until June", published: false });
  const as = { apiKey: tenant.apiKey };
  await schedule(as, late._id, { publishTime: "2032-06-15T09:00" });
  await schedule(as, ending._id, { publishTime: "2031-12-01T09:00", unpublishTime: "2032-06-16T09:00" });
  await earlier(tenant, await newArticle(tenant, { title: "Early", published: false }), "2031-12-02");
  const month = (key: string) => browser.get(`/console/calendar?blog=${tenant.blogId}&month=${key}`);
  const june = await month("2032-06");
  expect(june.text).toContain("In June");
  expect(june.text).toContain("Until June");
  expect(june.text).not.toContain("Early");
  expect(june.text).not.toContain("More of");
  const december = await month("2031-12");
  const more = /<a href="([^"]*)">More of December 2031<\/a>/.exec(december.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const rest = await browser.get(more);
  const shown = (text: string) => text.split(">Early").length - 1;
  expect([shown(december.text), shown(rest.text)]).toEqual([99, 2]);
  expect(december.text).toContain("Until June");
  expect(rest.text).toContain("Start of the month");
  expect(rest.text).not.toContain("More of");
});

/** Schedules 101 copies of an article, on a day. */
async function earlier(tenant: Tenant, { _id }: ArticleBody, day: string): Promise<void> {
  await copies("articles", _id, 101, { slug: "'early-' || n", search_id: "null" });
  await env.DB.prepare(
    `insert into schedules (article_id, organization_id, blog_id, publish_time, time_zone, due_time, actor_kind, actor_id,
       version, creation_time)
     select id, organization_id, blog_id, ?1, 'UTC', ?1, 'key', 'k', id, ?1 from articles where blog_id = ?2 and title = 'Early'`,
  )
    .bind(`${day}T09:00:00.000Z`, tenant.blogId)
    .run();
}

test("a schedule is ended", async () => {
  const { tenant, browser } = await writing();
  const article = await newArticle(tenant, { published: false });
  const path = `${pathOf(article)}/schedule`;
  await browser.submit(path, path, { publishTime: "2031-07-01T09:00", timeZone: "UTC" });
  const answer = await browser.submit(path, `${pathOf(article)}/unschedule`);
  expect(answer.headers.get("Location")).toBe(`${pathOf(article)}?done=article-unscheduled`);
  await runAt("2031-07-02T00:00:00.000Z");
  expect(await stored(tenant, article._id)).toMatchObject({ published: false });
});

test("a failed schedule says why on the page of its article, and on the overview", async () => {
  const { tenant, browser } = await writing();
  const article = await newArticle(tenant, { published: false });
  const path = `${pathOf(article)}/schedule`;
  await browser.submit(path, path, { publishTime: "2031-07-01T09:00", timeZone: "UTC" });
  await env.DB.prepare("update schedules set actor_id = 'nobody'").run();
  expect((await browser.get("/console")).text).not.toContain("Failed schedules");
  await runAt("2031-07-02T00:00:00.000Z");
  expect((await browser.get(pathOf(article))).text).toContain("The schedule failed");
  for (const member of [browser, (await signedIn(tenant.organizationId, "reader")).browser]) {
    const { text } = await member.get("/console");
    expect(text).toContain("Failed schedules");
    expect(text).toContain("The person or program that scheduled it no longer has permission to publish.");
  }
});
