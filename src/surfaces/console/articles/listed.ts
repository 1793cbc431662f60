/** Reads a page of the list of articles: the newest, a search, or drafts that wait for somebody. */
import { DomainError } from "../../../domain/errors.ts";
import { LIMITS } from "../../../domain/limits.ts";
import { wholeArticle } from "../../../operations/article-members.ts";
import { registry } from "../../../operations/registry.ts";
import type { ConsoleContext } from "../env.ts";
import { perform, getPerson } from "../session.ts";
import type { Blog } from "./found.ts";

const PAGE = 50;

const listed = wholeArticle.pick({
  _id: true,
  blogId: true,
  title: true,
  slug: true,
  locale: true,
  published: true,
  schedule: true,
  workingCopy: true,
  lastEditTime: true,
});
const FIELDS = Object.keys(listed.shape);
const mine = wholeArticle.pick({ createdBy: true, lastEditedBy: true });
const waiting = wholeArticle.pick({ origin: true });

/** An article of the list. `snippet` is the passage that a search found. */
export type Listed = (typeof listed)["_output"] & { readonly snippet?: string };

/** The choices of `state`. `mine` and `review` are drafts that wait for somebody. */
export const STATES = {
  published: "Published",
  draft: "Drafts",
  mine: "My drafts",
  review: "Needs review",
} as const;

/** The chosen filters. `q`, the words of a search, never comes with `mine` or `review`. */
export type Filter = {
  readonly q?: string;
  readonly locale?: string;
  readonly state?: keyof typeof STATES;
  readonly tag?: string;
  readonly sort?: "publishTime" | "lastEditTime";
};

/**
 * Returns the filters in the query. A tag needs a blog, and is not combined with the last edit. A search has an order of its own. A search cannot be
 * narrowed to `mine` or `review`: it finds all drafts.
 */
export function parseFilter(c: ConsoleContext, blog: Blog | null): Filter {
  const { q = "", locale, state = "", tag, sort } = c.req.query();
  const searched = q.trim();
  const chosen = Object.hasOwn(STATES, state) ? (state as keyof typeof STATES) : undefined;
  // The order of publication would leave out all drafts.
  const isOfDrafts = chosen !== undefined && chosen !== "published";
  const isListed = searched === "" && (sort === "lastEditTime" ? !tag : sort === "publishTime" && !isOfDrafts);
  const isOfSomebody = chosen === "mine" || chosen === "review";
  return {
    ...(searched !== "" && { q: searched }),
    ...(locale && { locale }),
    ...(tag && blog !== null && searched === "" && { tag }),
    ...(chosen && { state: isOfSomebody && searched !== "" ? ("draft" as const) : chosen }),
    ...(isListed && { sort: sort as "publishTime" | "lastEditTime" }),
  };
}

export type ListPage = {
  readonly articles: readonly Listed[];
  readonly next?: string | undefined;
  /** Why the search was refused. */
  readonly problem?: string | undefined;
  /** How many drafts were looked through for `mine` or `review`. */
  readonly looked?: number;
};

/** Returns the page that the query asks for, of one blog or of all (null). Throws `invalid_cursor`. */
export async function readListPage(c: ConsoleContext, blog: Blog | null, filter: Filter): Promise<ListPage> {
  if (filter.q !== undefined) return search(c, blog, { ...filter, q: filter.q });
  if (filter.state === "mine" || filter.state === "review") return readWaiting(c, blog, filter, filter.state);
  const { value, next } = await readDrafts(c, blog, filter, { limit: PAGE, fields: FIELDS });
  return { articles: listed.array().parse(value), next };
}

type Asked = { readonly limit: number; readonly fields: readonly string[] };

function readDrafts(c: ConsoleContext, blog: Blog | null, { locale, state, tag, sort }: Filter, asked: Asked) {
  const published = state === undefined ? undefined : state === "published";
  const cursor = c.req.query("cursor") || undefined;
  const query = { ...asked, locale, published, sort, cursor };
  return blog === null
    ? perform(c, registry.listAllArticles, query)
    : perform(c, registry.listArticles, { ...query, blogId: blog._id, tag });
}

/**
 * Returns the drafts of a page that the member created or edited last (`mine`), or that a model wrote and nobody has
 * reviewed (`review`). No index finds these, so each page looks through a limited number of drafts.
 */
async function readWaiting(c: ConsoleContext, blog: Blog | null, filter: Filter, state: "mine" | "review") {
  const members = state === "mine" ? mine : waiting;
  const fields = [...FIELDS, ...Object.keys(members.shape)];
  const { value, next } = await readDrafts(c, blog, filter, { limit: LIMITS.page, fields });
  const me = getPerson(c).id;
  const fits =
    state === "mine"
      ? (item: unknown) => {
          const { createdBy, lastEditedBy } = mine.parse(item);
          return createdBy?.id === me || lastEditedBy?.id === me;
        }
      : (item: unknown) => {
          const { origin } = waiting.parse(item);
          return origin.kind !== "human" && origin.reviewedBy === null;
        };
  return { articles: listed.array().parse(value.filter(fits)), next, looked: value.length };
}

async function search(
  c: ConsoleContext,
  blog: Blog | null,
  { q, locale, state }: Filter & { readonly q: string },
): Promise<ListPage> {
  const published = state === undefined ? undefined : state === "published";
  const cursor = c.req.query("cursor") || undefined;
  const input = { query: q.replaceAll(/\s+/g, " "), blogId: blog?._id, locale, published, cursor };
  try {
    const { value, next } = await perform(c, registry.searchArticles, input);
    return { articles: value.map((found) => Object.assign(found, { schedule: null, workingCopy: null })), next };
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "invalid_request") throw error;
    const reason = error.details.errors?.find(({ path }) => path === "query")?.message;
    if (reason === undefined) throw error;
    return { articles: [], problem: `The search ${reason}.` };
  }
}
