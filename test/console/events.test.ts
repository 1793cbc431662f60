/** The page of events: what has changed, newest first, and its filters. */
import { expect, test } from "vitest";
import { put } from "../helpers/event-feed.ts";
import { signedIn } from "../helpers/console.ts";
import { newArticle, newTenant } from "../helpers/tenant.ts";

const PATH = "/console/events";

/** Returns the events on a page, with the texts of their links. */
const shownIn = (html: string): string[] =>
  [...html.matchAll(/<code>([a-z]+\.[a-z]+)<\/code><\/td><td class="sentence"[^>]*>(.*?)<\/td>/gs)].map(
    ([, event = "", subject = ""]) => `${event} ${subject.replaceAll(/<[^>]*>/g, "")}`,
  );

test("the page lists events with what changed, and leads to their subjects", async () => {
  const tenant = await newTenant();
  const { browser } = await signedIn(tenant.organizationId);
  const { _id } = await newArticle(tenant, { title: "The <ferry>" });
  await put(tenant, `/api/blogs/${tenant.blogId}`, { name: "Renamed" });
  const { text } = await browser.get(PATH);
  expect(shownIn(text)).toEqual(["blog.updated Renamed Changed: name", "article.created The &lt;ferry&gt;"]);
  expect(text).toContain(`<a href="/console/articles/${_id}">`);
  expect(shownIn((await browser.get(`${PATH}?kind=article.created`)).text)).toHaveLength(1);
  expect(shownIn((await browser.get(`${PATH}?from=2020-01-01&to=2020-01-02`)).text)).toEqual([]);
  expect(shownIn((await browser.get(`${PATH}?blog=${tenant.blogId}`)).text)).toHaveLength(2);
});
