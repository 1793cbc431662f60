/** The page of a blog's former slugs: which article each of them leads to. */
import { Hono } from "hono";
import type { z } from "zod";
import { registry } from "../operations/registry.ts";
import { findBlog } from "./blogs.tsx";
import type { ConsoleEnv } from "./env.ts";
import { page } from "./layout.tsx";
import { Next } from "./next.tsx";
import { perform } from "./session.ts";
import { Table } from "./table.tsx";
import { InUtc, Time } from "./time.tsx";

/** The number of former slugs on a page. */
const PAGE = 50;

type MovedSlug = z.infer<typeof registry.listMovedSlugs.output>[number];

export const movedSlugs = new Hono<ConsoleEnv>();

movedSlugs.get("/:id/moved", async (c) => {
  const { blog } = await findBlog(c, c.req.param("id"));
  const path = `/console/blogs/${blog._id}/moved`;
  const cursor = c.req.query("cursor") || undefined;
  const { value, next } = await perform(c, registry.listMovedSlugs, { blogId: blog._id, limit: PAGE, cursor });
  return page(
    c,
    `Former slugs of ${blog.name}`,
    <>
      <p>
        <a href={`/console/blogs/${blog._id}`}>{blog.name}</a>
      </p>
      <p>
        Slugs under which published articles were found before. The API says where the article is now, so that old links
        still lead to it; an article keeps its 50 newest ones. <InUtc />
      </p>
      {value.length > 0 ? (
        <Table label="Former slugs" rows={value} columns={COLUMNS} />
      ) : (
        <p class="empty">
          {cursor === undefined
            ? "No article has moved: none was given another slug or locale while it was published."
            : "There are no more."}
        </p>
      )}
      <Next path={path} cursor={next} label="More" />
      {value.length > 0 && (
        <p class="hint">
          For a host of static pages: <code>edgepress blogs moved --blog {blog.vanityId} --format redirects</code>
        </p>
      )}
    </>,
  );
});

const COLUMNS = [
  { head: "Former slug", cell: ({ slug }: MovedSlug) => slug, names: true as const, class: "clip" },
  { head: "Locale", cell: ({ locale }: MovedSlug) => locale },
  { head: "Leads to", cell: (moved: MovedSlug) => targetOf(moved), class: "clip" },
  { head: "Since", cell: ({ moveTime }: MovedSlug) => <Time at={moveTime} /> },
];

function targetOf({ to, locale, published }: MovedSlug) {
  return (
    <>
      <a href={`/console/articles/${to.articleId}`}>{to.slug}</a>
      {to.locale !== locale && ` (${to.locale})`}
      {!published && (
        <>
          {" "}
          <span class="badge" title="Nobody is led to a draft.">
            draft
          </span>
        </>
      )}
    </>
  );
}
