/** Pieces that several pages of articles share. */
import type { FC } from "hono/jsx";
import type { Blog } from "./found.ts";

/** Whether an article is published. */
export const State: FC<{ published: boolean }> = ({ published }) =>
  published ? <span class="badge good">published</span> : <span class="badge">draft</span>;

/** The choice of a blog in a form that asks for a page. */
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

/** What a page says that needs a blog. */
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
