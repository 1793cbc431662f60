/** The page that lists a blog's topic ideas, and the route that dismisses or restores one. */
import { FilterSelect } from "../filter-select.tsx";
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { TOPIC_STATUSES } from "../../../domain/topic-status.ts";
import { registry } from "../../../operations/registry.ts";
import { findChosenBlog, listBlogs, type Blog } from "../articles/found.ts";
import { BlogForm, NoBlog } from "../articles/shared.tsx";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { goTo, page } from "../layout.tsx";
import { Next } from "../next.tsx";
import { can, perform } from "../session.ts";
import { readForm } from "../read-form.ts";
import { Idea, type Topic } from "./idea.tsx";
import { LookButton } from "./refreshes.tsx";
import { capitalize } from "../../../lib/text.ts";

const PAGE = 50;

const PATH = "/console/topics";

export const topics = new Hono<ConsoleEnv>();

topics.get("/", async (c) => {
  const blogs = await listBlogs(c);
  const blog = findChosenBlog(c, blogs);
  if (blog === null) return page(c, "Topic ideas", <NoBlog mayCreate={can(c, "blogs:write")} />);
  const status = getStatus(c);
  const cursor = c.req.query("cursor") || undefined;
  const { value, next } = await perform(c, registry.listTopics, {
    blogId: blog._id,
    status: status === "" ? undefined : status,
    cursor,
    limit: PAGE,
  });
  const query = { blog: blog._id, status };
  const here = new URLSearchParams({ ...query, ...(cursor !== undefined && { cursor }) }).toString();
  return page(
    c,
    "Topic ideas",
    <>
      <Actions blog={blog} mayLook={can(c, "topics:write")} mayName={can(c, "blogs:write")} />
      <Filters blogs={blogs} blog={blog} status={status} />
      {value.length === 0 ? (
        <Empty blog={blog} status={status} mayName={can(c, "blogs:write")} />
      ) : (
        <ul class="rows ideas">
          {value.map((topic) => (
            <Idea
              topic={topic}
              here={here}
              mayJudge={can(c, "topics:write")}
              mayWrite={can(c, "articles:draft")}
              now={new Date()}
            />
          ))}
        </ul>
      )}
      {cursor !== undefined && (
        <p>
          <a href={`${PATH}?${new URLSearchParams(query).toString()}`}>First page</a>
        </p>
      )}
      <Next path={PATH} query={query} cursor={next} label="More" />
    </>,
  );
});

topics.post("/:id", async (c) => {
  const form = await readForm(c);
  const input = { topicId: c.req.param("id"), status: form.text("status") };
  const { value } = await perform(c, registry.updateTopic, input, form);
  const here = new URLSearchParams(form.text("here")).toString();
  return goTo(c, `${PATH}?${here}`, value.status === "dismissed" ? "topic-dismissed" : "topic-restored");
});

type Status = Topic["status"] | "";

/** Returns the chosen status. "" means all. Without a valid choice it is "new": ideas that wait for a decision. */
function getStatus(c: ConsoleContext): Status {
  const asked = c.req.query("status");
  return asked === "" ? "" : (TOPIC_STATUSES.find((status) => status === asked) ?? "new");
}

const Actions: FC<{ blog: Blog; mayLook: boolean; mayName: boolean }> = ({ blog, mayLook, mayName }) => (
  <div class="actions">
    {mayLook && blog.topicSources.length > 0 && <LookButton blogId={blog._id} />}
    {mayName && (
      <a class="button quiet" href={`${PATH}/sources?blog=${blog._id}`}>
        Sources
      </a>
    )}
  </div>
);

const Filters: FC<{ blogs: readonly Blog[]; blog: Blog; status: Status }> = ({ blogs, blog, status }) => (
  <BlogForm action={PATH} blogs={blogs} blog={blog}>
    <FilterSelect
      name="status"
      label="Status"
      choices={TOPIC_STATUSES.map((value) => ({ value, label: capitalize(value) }))}
      chosen={status}
    />
  </BlogForm>
);

const Empty: FC<{ blog: Blog; status: Status; mayName: boolean }> = ({ blog, status, mayName }) => {
  if (blog.topicSources.length > 0) return <p class="empty">{NOTHING[status]}</p>;
  return (
    <p class="empty">
      No sources yet. Topic ideas come from feeds and forums.{" "}
      {mayName ? <a href={`${PATH}/sources?blog=${blog._id}`}>Add a source</a> : "Ask an owner or an admin to add one."}
    </p>
  );
};

const NOTHING: Readonly<Record<Status, string>> = {
  "": "No topic ideas yet. Refresh to read the blog’s sources.",
  new: "No new topic ideas. Refresh to read the blog’s sources.",
  used: "No topic ideas used yet.",
  dismissed: "No topic ideas dismissed.",
};
