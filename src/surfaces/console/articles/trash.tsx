/** The trash: deleted articles, with a button to restore each, and a page that asks before one is deleted for good. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { DomainError } from "../../../domain/errors.ts";
import { LIMITS } from "../../../domain/limits.ts";
import { registry } from "../../../operations/registry.ts";
import type { TrashedValue } from "../../../operations/trash.ts";
import { ConfirmDelete } from "../confirm-delete.tsx";
import { param, type ConsoleContext, type ConsoleEnv } from "../env.ts";
import { Form, newForm, onSubmit, TextField, type FormState } from "../forms.tsx";
import { goTo, page, type Status } from "../layout.tsx";
import { Next } from "../next.tsx";
import { can, perform } from "../session.ts";
import { ACTIONS, Table, type Column } from "../table.tsx";
import { formatDays, Time } from "../time.tsx";
import { findBlogOrAll, getTitle, listBlogs, requireWriter } from "./found.ts";
import { BlogFilter, State } from "./shared.tsx";

export const TRASH_PATH = "/console/articles/trash";
const PAGE = 50;

export const trash = new Hono<ConsoleEnv>();

trash.get("/", async (c) => {
  const blogs = await listBlogs(c);
  const blog = findBlogOrAll(c, blogs);
  const query = blog === null ? {} : { blog: blog._id };
  const input = { limit: PAGE, cursor: c.req.query("cursor") || undefined, blogId: blog?._id };
  const { value, next } = await perform(c, registry.listTrash, input);
  return page(
    c,
    "Trash",
    <>
      <p>
        Deleted articles stay here for {formatDays(LIMITS.trashDays)}. Then they are gone for good. If they exceed your
        organization’s <a href="/console/usage">quota</a> for articles or their texts, the oldest go early. Their images
        still count against the quota for images. <a href="/console/articles">All articles</a>
      </p>
      {blogs.length > 1 && (
        <form class="filters" method="get" action={TRASH_PATH}>
          <BlogFilter blogs={blogs} blog={blog} offersAll />
          <button type="submit" class="quiet">
            Show
          </button>
        </form>
      )}
      {value.length === 0 ? (
        <p class="empty">The trash is empty.</p>
      ) : (
        <Table label="Deleted articles" rows={value} columns={makeColumns(can(c, "articles:write"))} />
      )}
      <Next path={TRASH_PATH} query={query} cursor={next} />
    </>,
  );
});

const makeColumns = (mayWrite: boolean): Column<TrashedValue>[] => [
  { head: "Title", cell: (each) => <span dir="auto">{getTitle(each)}</span>, class: "title" },
  { head: "Status", cell: ({ published }) => <State published={published} /> },
  { head: "Language", cell: ({ locale }) => locale },
  { head: "Kept until", cell: ({ dueTime }) => <Time at={dueTime} /> },
  ...(mayWrite ? [{ head: ACTIONS, cell: (each: TrashedValue) => <Actions of={each} /> }] : []),
];

const Actions: FC<{ of: TrashedValue }> = ({ of }) => (
  <>
    <Form action={`${TRASH_PATH}/${of.articleId}/restore`} submit="Restore" about={getTitle(of)} tone="quiet" inline />{" "}
    <a href={`${TRASH_PATH}/${of.articleId}/delete`} aria-label={`Delete for good: “${getTitle(of)}”`}>
      Delete for good
    </a>
  </>
);

trash.get("/:id/restore", (c) => askForSlug(c, c.req.param("id"), newForm()));

onSubmit(trash, "/:id/restore", {
  again: (c, state, status) => askForSlug(c, param(c, "id"), state, status),
  async work(c, form) {
    const slug = form.text("slug").trim();
    const input = { articleId: param(c, "id"), ...(slug !== "" && { slug }) };
    const { value } = await perform(c, registry.restoreArticle, input, form);
    return goTo(c, `/console/articles/${value._id}`, "article-restored");
  },
});

trash.get("/:id/delete", (c) => ask(c, c.req.param("id"), newForm()));

onSubmit(trash, "/:id/delete", {
  again: (c, state, status) => ask(c, param(c, "id"), state, status),
  async work(c, form) {
    await perform(c, registry.deleteTrash, { articleId: param(c, "id") }, form);
    return goTo(c, TRASH_PATH, "article-purged");
  },
});

async function find(c: ConsoleContext, articleId: string): Promise<TrashedValue> {
  requireWriter(c);
  const [found] = (await perform(c, registry.listTrash, { articleId, limit: 1 })).value;
  if (found === undefined) throw new DomainError("not_found", "There is no such article in the trash.");
  return found;
}

/** Shown if the article could not be restored, usually because another one has its slug. */
async function askForSlug(c: ConsoleContext, id: string, state: FormState, status?: Status): Promise<Response> {
  const found = await find(c, id);
  const values = { slug: found.slug, ...state.values };
  return page(
    c,
    `Restore “${getTitle(found)}”`,
    <Form action={`${TRASH_PATH}/${id}/restore`} state={state} submit="Restore article">
      <TextField
        state={{ ...state, values }}
        name="slug"
        label="Slug"
        maxlength={LIMITS.slug}
        hint="Another article may have taken the slug that it had."
      />
      <p>
        <a href={TRASH_PATH}>Back to trash</a>
      </p>
    </Form>,
    status,
  );
}

async function ask(c: ConsoleContext, id: string, state: FormState, status?: Status): Promise<Response> {
  const found = await find(c, id);
  return page(
    c,
    `Delete “${getTitle(found)}” for good?`,
    <ConfirmDelete
      action={`${TRASH_PATH}/${id}/delete`}
      submit="Delete for good"
      keep={{ path: TRASH_PATH, text: "Cancel" }}
      state={state}
    >
      <p>It can no longer be restored, and neither can its version history and images.</p>
    </ConfirmDelete>,
    status,
  );
}
