/** The page that lists the articles of all blogs, or of one. */
import { Table, type Column } from "../table.tsx";
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import type { ConsoleEnv } from "../env.ts";
import { Form, newForm } from "../forms.tsx";
import { page } from "../layout.tsx";
import { Next } from "../next.tsx";
import { can } from "../session.ts";
import { Time } from "../time.tsx";
import { useGrant } from "../visit.ts";
import { formatNumber } from "../words.ts";
import { BulkFields, Tick } from "./bulk.tsx";
import { Deletions, readDeletions } from "./deletions.tsx";
import { findBlogOrAll, listBlogs, getTitle, type Blog } from "./found.ts";
import { Filters, readTags } from "./list-filters.tsx";
import { parseFilter, readListPage, type Filter, type Listed, type ListPage } from "./listed.ts";
import { MOST_REPORTED } from "./origins.ts";
import { Coming, NoBlog, State } from "./shared.tsx";
import { TRASH_PATH } from "./trash.tsx";

const PATH = "/console/articles";

export const list = new Hono<ConsoleEnv>();

list.get("/", async (c) => {
  const blogs = await listBlogs(c);
  if (blogs.length === 0) return page(c, "Articles", <NoBlog mayCreate={can(c, "blogs:write")} />);
  const blog = findBlogOrAll(c, blogs);
  const filter = parseFilter(c, blog);
  const cursor = c.req.query("cursor") || undefined;
  const [found, tags, deletions] = await Promise.all([
    readListPage(c, blog, filter),
    blog && readTags(c, blog._id),
    readDeletions(c),
  ]);
  const leaving = new Set(deletions.filter(({ state }) => state === "waiting").map(({ articleId }) => articleId));
  const query = { ...(blog && { blog: blog._id }), ...filter };
  const here = new URLSearchParams({ ...query, ...(cursor && { cursor }) }).toString();
  const [mayDraft, mayWrite] = [can(c, "articles:draft"), can(c, "articles:write")];
  const of = blogs.length > 1 && blog === null ? new Map(blogs.map(({ _id, name }) => [_id, name])) : null;
  return page(
    c,
    "Articles",
    <>
      <Deletions of={deletions} back={here} />
      <Actions blog={blog} mayDraft={mayDraft} />
      <Filters blogs={blogs} blog={blog} filter={filter} articles={found.articles} tags={tags} />
      {found.articles.length === 0 ? (
        <Empty found={found} filter={filter} blog={blog} mayDraft={mayDraft} isFirst={cursor === undefined} />
      ) : mayWrite ? (
        <Form action={`${PATH}/bulk`} wide>
          <input type="hidden" name="list" value={here} />
          <Articles articles={found.articles} blogs={of} leaving={leaving} ticks />
          <BulkFields state={newForm({ action: c.req.query("action"), tags: c.req.query("tags") })} />
        </Form>
      ) : (
        <Articles articles={found.articles} blogs={of} leaving={leaving} />
      )}
      {cursor !== undefined && (
        <p class="pages">
          <a class="button quiet small" href={`${PATH}?${new URLSearchParams(query).toString()}`}>
            {filter.q === undefined ? "Newest" : "Best matches"}
          </a>
        </p>
      )}
      <Next path={PATH} query={query} cursor={found.next} label={filter.q === undefined ? "Older" : "More"} />
      {found.articles.length > 0 && <Report blog={blog} />}
    </>,
  );
});

const Actions: FC<{ blog: Blog | null; mayDraft: boolean }> = ({ blog, mayDraft }) => {
  const query = blog === null ? "" : `?blog=${blog._id}`;
  return (
    <div class="actions">
      {mayDraft && (
        <a class="button" href={`${PATH}/new${query}`}>
          New article
        </a>
      )}
      {mayDraft && (
        <a class="button quiet" href={`${PATH}/generate${query}`}>
          Generate
        </a>
      )}
      <a class="button quiet" href={`${PATH}/matrix${query}`}>
        Translations
      </a>
      <a class="button quiet" href={`${TRASH_PATH}${query}`}>
        Trash
      </a>
    </div>
  );
};

const Report: FC<{ blog: Blog | null }> = ({ blog }) => {
  const query = blog === null ? "" : `blog=${blog._id}`;
  return (
    <p class="hint">
      Who wrote what, as CSV:{" "}
      <a href={`${PATH}/origins?${query}`} download>
        all articles
      </a>
      ,{" "}
      <a href={`${PATH}/origins?${query}&kind=generated`} download>
        written by AI
      </a>
      ,{" "}
      <a href={`${PATH}/origins?${query}&kind=edited`} download>
        written by people and AI
      </a>
      . Up to {formatNumber(MOST_REPORTED)}, newest first.
    </p>
  );
};

type EmptyProps = {
  readonly found: ListPage;
  readonly filter: Filter;
  readonly blog: Blog | null;
  readonly mayDraft: boolean;
  readonly isFirst: boolean;
};

const Empty: FC<EmptyProps> = ({ found, filter, blog, mayDraft, isFirst }) => {
  const mayImport = useGrant("articles:write");
  const all = blog === null ? PATH : `${PATH}?blog=${blog._id}`;
  if (found.problem !== undefined) {
    return (
      <p class="alert bad" role="alert">
        {found.problem}
      </p>
    );
  }
  if (found.looked !== undefined && (found.next !== undefined || !isFirst)) {
    return (
      <p class="empty">
        No matches in these {found.looked} drafts. {found.next !== undefined && "Continue with older ones below."}
      </p>
    );
  }
  if (filter.state === "mine") return <p class="empty">You have not created or edited any of the drafts.</p>;
  if (filter.state === "review") {
    return <p class="empty">No drafts need review. Drafts that AI wrote appear here until somebody reviews them.</p>;
  }
  if (Object.keys(filter).length > 0 || !isFirst) {
    return (
      <p class="empty">
        No articles match. <a href={all}>Show all</a>
      </p>
    );
  }
  return (
    <p class="empty">
      No articles yet.{" "}
      {mayDraft && <a href={`${PATH}/new${blog === null ? "" : `?blog=${blog._id}`}`}>Write the first one</a>}
      {mayImport && (
        <>
          , or <a href="/console/imports">import existing articles</a>
        </>
      )}
      {mayDraft && "."}
    </p>
  );
};

/** A passage that a search found. What matches is between `**`. */
const Snippet: FC<{ of: string }> = ({ of }) => (
  <small class="snippet">{of.split("**").map((part, index) => (index % 2 === 1 ? <mark>{part}</mark> : part))}</small>
);

type ArticlesProps = {
  readonly articles: readonly Listed[];
  /** The names of the blogs by id. Null if all articles are of one blog. */
  readonly blogs: ReadonlyMap<string, string> | null;
  /** The ids of articles that are being deleted. */
  readonly leaving: ReadonlySet<string>;
  readonly ticks?: boolean;
};

const Articles: FC<ArticlesProps> = ({ articles, blogs, leaving, ticks = false }) => (
  <Table label="List of articles" class="articles" rows={articles} columns={makeColumns(blogs, leaving, ticks)} />
);

function makeColumns(
  blogs: ArticlesProps["blogs"],
  leaving: ArticlesProps["leaving"],
  ticks: boolean,
): Column<Listed>[] {
  return [
    ...(ticks
      ? [{ head: <span class="unseen">Select</span>, cell: (each: Listed) => <Tick of={each} />, class: "tick" }]
      : []),
    {
      head: "Title",
      cell: (each) => (
        <>
          <a href={`${PATH}/${each._id}`} dir="auto">
            {getTitle(each)}
          </a>
          {each.snippet !== undefined && <Snippet of={each.snippet} />}
        </>
      ),
      class: "title",
    },
    {
      head: "Status",
      cell: (each) => (
        <>
          <State published={each.published} /> <Coming of={each} />
          {leaving.has(each._id) && <span class="badge bad">Deleting</span>}
          {each.published && (
            <a href={`${PATH}/${each._id}/site`} aria-label={`View “${getTitle(each)}” on the site`}>
              View
            </a>
          )}
        </>
      ),
    },
    // There is no room for both the blog and the slug.
    blogs === null
      ? { head: "Slug", cell: ({ slug }: Listed) => slug, class: "clip" }
      : { head: "Blog", cell: ({ blogId }: Listed) => blogs.get(blogId) ?? "", class: "clip" },
    { head: "Language", cell: ({ locale }) => locale },
    { head: "Last edited", cell: ({ lastEditTime }) => <Time at={lastEditTime} /> },
  ];
}
