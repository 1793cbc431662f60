import type { FC, PropsWithChildren } from "hono/jsx";
import { Time } from "../time.tsx";
import type { Article, Blog } from "./found.ts";

export const State: FC<{ published: boolean }> = ({ published }) =>
  published ? <span class="badge good">Published</span> : <span class="badge">Draft</span>;

type Unseen = Pick<Article, "schedule" | "workingCopy">;

/** Badges for what readers do not see yet: a schedule, unpublished changes. */
export const Coming: FC<{ of: Unseen }> = ({ of: { schedule, workingCopy } }) => (
  <>
    {schedule !== null &&
      (schedule.failure === null ? (
        <>
          {" "}
          <span class="badge">{schedule.publishTime === null ? "Until" : "Scheduled"}</span>{" "}
          <Time at={schedule.dueTime} />{" "}
        </>
      ) : (
        <span class="badge bad">Schedule failed</span>
      ))}
    {workingCopy !== null && (
      <>
        {" "}
        <span class="badge warn">Unpublished changes</span>{" "}
      </>
    )}
  </>
);

type BlogFilterProps = { readonly blogs: readonly Blog[]; readonly blog: Blog | null; readonly offersAll?: boolean };

/** The field `blog` of a filter form, which selects the blog whose page is shown. */
export const BlogFilter: FC<BlogFilterProps> = ({ blogs, blog, offersAll = false }) => (
  <div>
    <label for="blog">Blog</label>
    <select id="blog" name="blog">
      {offersAll && <option value="">All blogs</option>}
      {blogs.map(({ _id, name }) => (
        <option value={_id} selected={_id === blog?._id}>
          {name}
        </option>
      ))}
    </select>
  </div>
);

type BlogFormProps = PropsWithChildren<{
  readonly action: string;
  readonly blogs: readonly Blog[];
  readonly blog: Blog;
  readonly submit?: string;
  readonly role?: "search";
}>;

/** The filter form of a page that shows one blog. Its children are further fields. */
export const BlogForm: FC<BlogFormProps> = ({ action, blogs, blog, submit = "Show", role, children }) => (
  <form class="filters" method="get" action={action} role={role}>
    <BlogFilter blogs={blogs} blog={blog} />
    {children}
    <button type="submit" class="quiet">
      {submit}
    </button>
  </form>
);

/** The content of a page that needs a blog, if the organization has none. */
export const NoBlog: FC<{ mayCreate: boolean }> = ({ mayCreate }) => (
  <>
    <p>No blogs yet. Articles belong to a blog.</p>
    {mayCreate && (
      <p>
        <a class="button" href="/console/blogs/new">
          Create blog
        </a>
      </p>
    )}
  </>
);
