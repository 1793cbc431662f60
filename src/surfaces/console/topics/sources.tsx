/**
 * The routes of the page that adds and removes a blog's topic sources. The operation tries a source before it adds it.
 */
import { Hono } from "hono";
import { DomainError } from "../../../domain/errors.ts";
import { registry } from "../../../operations/registry.ts";
import { findChosenBlog, listBlogs } from "../articles/found.ts";
import { NoBlog } from "../articles/shared.tsx";
import { findBlog } from "../blogs.tsx";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { onSubmit, newForm, type FormState } from "../forms.tsx";
import { goTo, page, type Status } from "../layout.tsx";
import type { NOTICES } from "../notices.ts";
import { can, perform } from "../session.ts";
import type { Submission } from "../submission.ts";
import { explainErrors, makeInitialValues, toSource } from "./source-form.ts";
import { SourcesPage } from "./sources-page.tsx";

export const sources = new Hono<ConsoleEnv>();

sources.use(async (c, next) => {
  if (!can(c, "blogs:write")) throw new DomainError("role_forbidden");
  return next();
});

sources.get("/", (c) => show(c, newForm(makeInitialValues(c.req.query("kind") ?? ""))));

type Sources = Awaited<ReturnType<typeof findBlog>>["blog"]["topicSources"];

/**
 * Handles a form that updates the blog with the fields that `members` returns. The update requires the version that the
 * form was made for, so it cannot undo a change of somebody else, and cannot happen twice.
 */
function onChange(
  path: string,
  done: keyof typeof NOTICES,
  members: (form: Submission, stored: Sources) => object,
): void {
  onSubmit(sources, path, {
    async again(c, state, status) {
      const { blog } = await findBlog(c, c.req.query("blog") ?? "");
      return show(c, explainErrors(state, blog.topicSources.length), status);
    },
    async work(c, form) {
      const { blog } = await findBlog(c, c.req.query("blog") ?? "");
      const input = { blogId: blog._id, ...members(form, blog.topicSources) };
      await perform(c, registry.updateBlog, input, { version: form.text("version") });
      return goTo(c, `/console/topics/sources?blog=${blog._id}`, done);
    },
  });
}

onChange("/", "source-added", (form, stored) => ({ topicSources: [...stored, toSource(form)] }));

onChange("/remove", "source-removed", (form, stored) => ({
  topicSources: stored.filter((_, index) => String(index) !== form.text("index")),
}));

onChange("/rhythm", "saved", (form) => ({ topicRefresh: form.text("topicRefresh") }));

async function show(c: ConsoleContext, state: FormState, status?: Status): Promise<Response> {
  const blogs = await listBlogs(c);
  const chosen = findChosenBlog(c, blogs);
  if (chosen === null) return page(c, "Topic sources", <NoBlog mayCreate />);
  const { blog, version } = await findBlog(c, chosen._id);
  const mayLook = can(c, "topics:write");
  return page(
    c,
    "Topic sources",
    <SourcesPage blogs={blogs} blog={blog} version={version} state={state} mayLook={mayLook} />,
    status,
  );
}
