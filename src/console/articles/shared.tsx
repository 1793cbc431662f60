/** Components that several article pages share. */
import type { FC } from "hono/jsx";
import type { Blog } from "./found.ts";

/** A badge that says whether an article is published. */
export const State: FC<{ published: boolean }> = ({ published }) =>
  published ? <span class="badge good">published</span> : <span class="badge">draft</span>;

/** The field `blog` of a filter form, which selects the blog whose page is shown. */
export const BlogFilter: FC<{ blogs: readonly Blog[]; blog: Blog }> = ({ blogs, blog }) => (
  <div>
    <label for="blog">Blog</label>
    <select id="blog" name="blog">
      {blogs.map(({ _id, name }) => (
        <option value={_id} selected={_id === blog._id}>
          {name}
        </option>
      ))}
    </select>
  </div>
);

/** The content of a page that needs a blog, if the organization has none. */
export const NoBlog: FC<{ mayCreate: boolean }> = ({ mayCreate }) => (
  <>
    <p>Articles live in blogs, and there is no blog yet.</p>
    {mayCreate && (
      <p>
        <a class="button" href="/console/blogs/new">
          Create a blog
        </a>
      </p>
    )}
  </>
);
