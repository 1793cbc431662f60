/** The page that lists a blog's articles. */
import { Table } from "../table.tsx";
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { LIMITS } from "../../domain/limits.ts";
import { wholeArticle } from "../../operations/article-members.ts";
import { registry } from "../../operations/registry.ts";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { Form } from "../forms.tsx";
import { page } from "../layout.tsx";
import { Next } from "../next.tsx";
import { can, perform } from "../session.ts";
import { Time } from "../time.tsx";
import { BulkFields, Tick } from "./bulk.tsx";
import { chosenBlog, listBlogs, titleOf, type Blog } from "./found.ts";
import { KnownTerms } from "./labels.tsx";
import { BlogFilter, Coming, NoBlog, State } from "./shared.tsx";

/** The number of articles on a page. */
const PAGE = 50;

const listed = wholeArticle.pick({
  _id: true,
  title: true,
  slug: true,
  locale: true,
  published: true,
  schedule: true,
  workingCopy: true,
  lastEditTime: true,
});
const FIELDS = Object.keys(listed.shape);

export const list = new Hono<ConsoleEnv>();

list.get("/", async (c) => {
  const blogs = await listBlogs(c);
  const blog = chosenBlog(c, blogs);
  if (blog === null) return page(c, "Articles", <NoBlog mayCreate={can(c, "blogs:write")} />);
  const filter = filterOf(c);
  const cursor = c.req.query("cursor") || undefined;
  const [{ value, next }, tags] = await Promise.all([
    perform(c, registry.listArticles, {
      blogId: blog._id,
      locale: filter.locale,
      published: filter.state && filter.state === "published",
      tag: filter.tag,
      cursor,
      limit: PAGE,
      fields: FIELDS,
    }),
    readTags(c, blog._id),
  ]);
  const articles = listed.array().parse(value);
  const path = "/console/articles";
  const query = { blog: blog._id, ...filter };
  const here = new URLSearchParams({ ...query, ...(cursor && { cursor }) }).toString();
  return page(
    c,
    "Articles",
    <>
      <Actions blog={blog} mayWrite={can(c, "articles:write")} />
      <Filters blogs={blogs} blog={blog} filter={filter} articles={articles} tags={tags} />
      {can(c, "articles:write") && articles.length > 0 ? (
        <Form action="/console/articles/bulk" wide>
          <input type="hidden" name="list" value={here} />
          <Articles articles={articles} blog={blog} ticks />
          <BulkFields />
        </Form>
      ) : (
        <Articles articles={articles} blog={blog} />
      )}
      {cursor !== undefined && (
        <p class="pages">
          <a class="button quiet small" href={`${path}?${new URLSearchParams(query).toString()}`}>
            Newest
          </a>
        </p>
      )}
      <Next path={path} query={query} cursor={next} />
    </>,
  );
});

/** The chosen filters. A filter that was not chosen is absent. */
type Filter = { readonly locale?: string; readonly state?: string; readonly tag?: string };

function filterOf(c: ConsoleContext): Filter {
  const { locale, state, tag } = c.req.query();
  return {
    ...(locale && { locale }),
    ...(tag && { tag }),
    ...((state === "published" || state === "draft") && { state }),
  };
}

const Actions: FC<{ blog: Blog; mayWrite: boolean }> = ({ blog, mayWrite }) => (
  <div class="actions">
    {mayWrite && (
      <a class="button" href={`/console/articles/new?blog=${blog._id}`}>
        New article
      </a>
    )}
    {mayWrite && (
      <a class="button quiet" href={`/console/articles/generate?blog=${blog._id}`}>
        Generate
      </a>
    )}
    <a class="button quiet" href={`/console/articles/matrix?blog=${blog._id}`}>
      Matrix
    </a>
  </div>
);

type FiltersProps = {
  readonly blogs: readonly Blog[];
  readonly blog: Blog;
  readonly filter: Filter;
  readonly articles: readonly Listed[];
  readonly tags: Tags;
};

const Filters: FC<FiltersProps> = ({ blogs, blog, filter, articles, tags }) => {
  // Add the locales of the listed articles, because drafts may have locales that no blog has.
  const present = articles.map(({ locale }) => locale);
  const locales = new Set([
    ...blogs.flatMap((each) => each.locales),
    ...present,
    ...(filter.locale ? [filter.locale] : []),
  ]);
  return (
    <form class="filters" method="get" action="/console/articles">
      <BlogFilter blogs={blogs} blog={blog} />
      <div>
        <label for="locale">Locale</label>
        <select id="locale" name="locale">
          <option value="">All</option>
          {[...locales].map((locale) => (
            <option selected={locale === filter.locale}>{locale}</option>
          ))}
        </select>
      </div>
      <div>
        <label for="state">State</label>
        <select id="state" name="state">
          <option value="">All</option>
          <option selected={filter.state === "published"}>published</option>
          <option selected={filter.state === "draft"}>draft</option>
        </select>
      </div>
      <div>
        <label for="tag">Tag</label>
        <TagFilter tags={tags} chosen={filter.tag} />
      </div>
      <button type="submit" class="quiet">
        Show
      </button>
    </form>
  );
};

/** The first tags of a blog, with a cursor if there are more. */
type Tags = Awaited<ReturnType<typeof readTags>>;

const readTags = (c: ConsoleContext, blogId: string) => perform(c, registry.listTags, { blogId, limit: LIMITS.page });

/** Chooses one of the blog's tags by its name. Of more than a page of them, it takes the slug, completed from the first. */
const TagFilter: FC<{ tags: Tags; chosen: string | undefined }> = ({ tags, chosen = "" }) => {
  if (tags.next !== undefined) {
    return (
      <>
        <input id="tag" name="tag" value={chosen} list="known-tags" />
        <KnownTerms id="known-tags" terms={tags.value} />
      </>
    );
  }
  const isKnown = chosen === "" || tags.value.some(({ slug }) => slug === chosen);
  return (
    <select id="tag" name="tag">
      <option value="">All</option>
      {tags.value.map(({ slug, name, articles }) => (
        <option value={slug} selected={slug === chosen}>{`${name} (${articles})`}</option>
      ))}
      {!isKnown && <option selected>{chosen}</option>}
    </select>
  );
};

type Listed = (typeof listed)["_output"];

const Articles: FC<{ articles: readonly Listed[]; blog: Blog; ticks?: boolean }> = ({
  articles,
  blog,
  ticks = false,
}) =>
  articles.length === 0 ? (
    <p>No articles here.</p>
  ) : (
    <Table
      label={`Articles of ${blog.name}`}
      class="articles"
      rows={articles}
      columns={[
        ...(ticks
          ? [
              {
                head: <span class="unseen">Tick</span>,
                cell: (each: Listed) => <Tick of={each} />,
                class: "tick",
              },
            ]
          : []),
        {
          head: "Title",
          cell: (each) => <a href={`/console/articles/${each._id}`}>{titleOf(each)}</a>,
          class: "title",
        },
        {
          head: "State",
          cell: (each) => (
            <>
              <State published={each.published} /> <Coming of={each} />
            </>
          ),
        },
        { head: "Locale", cell: ({ locale }) => locale },
        { head: "Slug", cell: ({ slug }) => slug, class: "clip" },
        { head: "Last edited", cell: ({ lastEditTime }) => <Time at={lastEditTime} /> },
      ]}
    />
  );
