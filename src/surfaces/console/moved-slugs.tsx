/** The page of a blog's previous slugs, and of the articles that they lead to. */
import { Hono } from "hono";
import type { z } from "zod";
import { registry } from "../../operations/registry.ts";
import { findBlog } from "./blogs.tsx";
import type { ConsoleEnv } from "./env.ts";
import { page } from "./layout.tsx";
import { Next } from "./next.tsx";
import { perform } from "./session.ts";
import { Table } from "./table.tsx";
import { InUtc, Time } from "./time.tsx";

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
    `Previous slugs of ${blog.name}`,
    <>
      <p>
        <a href={`/console/blogs/${blog._id}`}>{blog.name}</a>
      </p>
      <p>
        Slugs that published articles had before. The API tells your site where each article is now, so that old links
        keep working. An article keeps its 50 most recent ones. <InUtc />
      </p>
      {value.length > 0 ? (
        <Table label="Previous slugs" rows={value} columns={COLUMNS} />
      ) : (
        <p class="empty">
          {cursor === undefined
            ? "No previous slugs yet. They appear when the slug or language of a published article changes."
            : "No more previous slugs."}
        </p>
      )}
      <Next path={path} cursor={next} label="More" />
      {value.length > 0 && (
        <p class="hint">
          For static hosting: <code>edgepress blogs moved --blog {blog.vanityId} --format redirects</code>
        </p>
      )}
    </>,
  );
});

const COLUMNS = [
  { head: "Previous slug", cell: ({ slug }: MovedSlug) => slug, names: true as const, class: "clip" },
  { head: "Language", cell: ({ locale }: MovedSlug) => locale },
  { head: "Now at", cell: (moved: MovedSlug) => renderTarget(moved), class: "clip" },
  { head: "Changed", cell: ({ moveTime }: MovedSlug) => <Time at={moveTime} /> },
];

function renderTarget({ to, locale, published }: MovedSlug) {
  return (
    <>
      <a href={`/console/articles/${to.articleId}`}>{to.slug}</a>
      {to.locale !== locale && ` (${to.locale})`}
      {!published && (
        <>
          {" "}
          <span class="badge" title="Old links do not lead to drafts.">
            Draft
          </span>
        </>
      )}
    </>
  );
}
