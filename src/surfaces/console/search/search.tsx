/** The search for articles, blogs, pages and actions: a page, and the same as JSON for the palette (browser/palette.ts). */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import type { z } from "zod";
import { DomainError } from "../../../domain/errors.ts";
import { LIMITS } from "../../../domain/limits.ts";
import { registry } from "../../../operations/registry.ts";
import { listBlogs, getTitle } from "../articles/found.ts";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { page } from "../layout.tsx";
import { can, perform } from "../session.ts";
import { matches, PLACES } from "./places.ts";
import type { SearchResult } from "./result.ts";

const MOST = 8;

type Found = {
  readonly results: readonly SearchResult[];
  /** Why there may be more, in words; empty if there is no reason. */
  readonly note: string;
};

export const search = new Hono<ConsoleEnv>();

search.get("/", async (c) => {
  const asked = getQuestion(c);
  const { results, note } = await find(c, asked);
  return page(
    c,
    "Search",
    <>
      <form class="filters" method="get" action="/console/search" role="search">
        <div>
          <label for="q">Articles, blogs, pages and actions</label>
          <input id="q" name="q" type="search" value={asked} maxlength={LIMITS.searchQuery} />
        </div>
        <button type="submit">Search</button>
      </form>
      {note !== "" && <p class="alert warn">{note}</p>}
      {results.length === 0 ? <p class="empty">No pages, blogs or articles match.</p> : <Results results={results} />}
    </>,
  );
});

search.get("/results", async (c) => c.json(await find(c, getQuestion(c))));

const getQuestion = (c: ConsoleContext): string => (c.req.query("q") ?? "").trim().slice(0, LIMITS.searchQuery);

/** Returns the pages and actions, blogs and articles for a question. An empty one finds all pages. */
async function find(c: ConsoleContext, asked: string): Promise<Found> {
  const places = PLACES.filter(
    ({ grant, name, words = "" }) => (grant === undefined || can(c, grant)) && matches(asked, `${name} ${words}`),
  );
  const pages = places.map(({ name, path }): SearchResult => ({ kind: "Page", label: name, hint: "", path }));
  if (asked === "") return { results: pages, note: "" };
  const [blogs, { articles, note }] = await Promise.all([listBlogs(c), findArticles(c, asked)]);
  const names = new Map(blogs.map(({ _id, name }) => [_id, name]));
  return {
    results: [
      ...pages.slice(0, MOST),
      ...blogs
        .filter(({ name, vanityId }) => matches(asked, `${name} ${vanityId}`))
        .slice(0, MOST)
        .map(({ _id, name, vanityId }): SearchResult => ({
          kind: "Blog",
          label: name,
          hint: vanityId,
          path: `/console/articles?blog=${_id}`,
        })),
      ...articles.map((each): SearchResult => ({
        kind: "Article",
        label: getTitle(each),
        hint: [names.get(each.blogId), each.locale, each.published ? "published" : "draft"].join(" · "),
        path: `/console/articles/${each._id}`,
      })),
    ],
    note,
  };
}

type FoundArticle = z.infer<typeof registry.searchArticles.output>[number];

async function findArticles(c: ConsoleContext, asked: string): Promise<{ articles: FoundArticle[]; note: string }> {
  try {
    const query = asked.replaceAll(/\s+/g, " ");
    const { value } = await perform(c, registry.searchArticles, { query, limit: MOST });
    return { articles: value, note: "" };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    // A question without a word to search for may still be the name of a page.
    if (error.code === "invalid_request") return { articles: [], note: "" };
    if (error.code !== "rate_limited") throw error;
    return {
      articles: [],
      note: "Articles were not searched, because there were too many searches. Try again in a minute.",
    };
  }
}

const Results: FC<{ results: readonly SearchResult[] }> = ({ results }) => (
  <ul class="rows results">
    {results.map(({ kind, label, hint, path }) => (
      <li>
        <div>
          <a href={path} dir="auto">
            {label}
          </a>
          <p class="hint">
            {kind}
            {hint !== "" && ` · ${hint}`}
          </p>
        </div>
      </li>
    ))}
  </ul>
);
