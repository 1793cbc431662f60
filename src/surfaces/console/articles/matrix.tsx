/** The page with a blog's translations: a row for each slug and a column for each locale. */
import { LIMITS } from "../../../domain/limits.ts";
import { ACTIONS, Table } from "../table.tsx";
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { registry } from "../../../operations/registry.ts";
import type { ConsoleEnv } from "../env.ts";
import { page } from "../layout.tsx";
import { Next } from "../next.tsx";
import { can, perform } from "../session.ts";
import { findChosenBlog, listBlogs, type Blog } from "./found.ts";
import { toMissingTranslationsPath } from "./missing.tsx";
import { BlogForm, NoBlog } from "./shared.tsx";
import { toNewTranslationPath, STALE, TranslationState, type SlugLocales } from "./translations.tsx";

const PAGE = 50;

export const matrix = new Hono<ConsoleEnv>();

matrix.get("/", async (c) => {
  const blogs = await listBlogs(c);
  const blog = findChosenBlog(c, blogs);
  if (blog === null) return page(c, "Translations", <NoBlog mayCreate={can(c, "blogs:write")} />);
  const cursor = c.req.query("cursor") || undefined;
  const { value, next } = await perform(c, registry.compareLocales, { blogId: blog._id, cursor, limit: PAGE });
  const path = "/console/articles/matrix";
  return page(
    c,
    "Translations",
    <>
      <p>
        All articles and their translations. <a href={`/console/articles?blog=${blog._id}`}>View as list</a>
      </p>
      <BlogForm action={path} blogs={blogs} blog={blog} />
      {value.length === 0 ? (
        <p class="empty">
          {cursor === undefined ? "No articles yet. " : "No more articles. "}
          {can(c, "articles:draft") && <a href={`/console/articles/new?blog=${blog._id}`}>Write the first one</a>}
        </p>
      ) : (
        <Matrix blog={blog} slugs={value} mayDraft={can(c, "articles:draft")} />
      )}
      {cursor !== undefined && (
        <p>
          <a href={`${path}?blog=${blog._id}`}>First page</a>
        </p>
      )}
      <Next path={path} query={{ blog: blog._id }} cursor={next} label="More" />
    </>,
  );
});

type MatrixProps = { readonly blog: Blog; readonly slugs: readonly SlugLocales[]; readonly mayDraft: boolean };

const Matrix: FC<MatrixProps> = ({ blog, slugs, mayDraft }) => {
  const present = slugs.flatMap(({ articles }) => articles.map(({ locale }) => locale));
  const all = [...new Set([...blog.locales, ...present])];
  const locales = all.slice(0, LIMITS.locales);
  return (
    <>
      <Table
        label={`Translations in ${blog.name}`}
        class="matrix"
        rows={slugs}
        columns={[
          { head: "Slug", cell: ({ slug }) => slug, names: true },
          ...locales.map((locale) => ({
            head: (
              <>
                {locale} {locale === blog.locales[0] && <small>(default)</small>}
              </>
            ),
            label: locale,
            cell: (slug: SlugLocales) => <Cell blog={blog} slug={slug} locale={locale} mayDraft={mayDraft} />,
          })),
          ...(mayDraft && slugs.some(canTranslateAll)
            ? [{ head: ACTIONS, cell: (slug: SlugLocales) => canTranslateAll(slug) && <AllMissing slug={slug} /> }]
            : []),
        ]}
      />
      {all.length > locales.length && (
        <p class="hint">
          There are drafts in {all.length - locales.length} more languages. See{" "}
          <a href={`/console/articles?blog=${blog._id}`}>the list</a>.
        </p>
      )}
      <p class="hint">{STALE}</p>
    </>
  );
};

/** Whether a slug has an article from which several missing translations can be made. */
const canTranslateAll = ({ articles, missing }: SlugLocales): boolean => articles.length > 0 && missing.length > 1;

const AllMissing: FC<{ slug: SlugLocales }> = ({ slug: { slug, articles, missing } }) => (
  <a class="nowrap" href={toMissingTranslationsPath(articles[0]?._id ?? "")}>
    Translate into {missing.length} languages…<span class="unseen"> {slug}</span>
  </a>
);

type CellProps = {
  readonly blog: Blog;
  readonly slug: SlugLocales;
  readonly locale: string;
  readonly mayDraft: boolean;
};

const Cell: FC<CellProps> = ({ blog, slug, locale, mayDraft }) => {
  const found = slug.articles.find((each) => each.locale === locale);
  if (found !== undefined) {
    return (
      <a class="state" href={`/console/articles/${found._id}`} title={found.title}>
        <TranslationState of={found} />
        <span class="unseen">
          : {slug.slug} in {locale}
        </span>
      </a>
    );
  }
  if (!slug.missing.includes(locale)) return <span class="hint">None</span>;
  if (!mayDraft) return <span class="hint">Missing</span>;
  return (
    <a href={toNewTranslationPath(blog._id, slug.slug, locale)}>
      {" "}
      Missing{" "}
      <span class="unseen">
        : write {slug.slug} in {locale}
      </span>
    </a>
  );
};
