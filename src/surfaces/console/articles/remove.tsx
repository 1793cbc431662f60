/** The page that asks before an article is deleted. */
import { ConfirmDelete } from "../confirm-delete.tsx";
import { Hono } from "hono";
import { LIMITS } from "../../../domain/limits.ts";
import { registry } from "../../../operations/registry.ts";
import { param, type ConsoleContext, type ConsoleEnv } from "../env.ts";
import { onSubmit, newForm, type FormState } from "../forms.tsx";
import { goTo, page, type Status } from "../layout.tsx";
import { perform } from "../session.ts";
import { atVersion } from "../version.tsx";
import { formatDays, Time, Utc } from "../time.tsx";
import { findArticle, getTitle, requireWriter } from "./found.ts";
import { About } from "./reading.tsx";
import { TRASH_PATH } from "./trash.tsx";

export const remove = new Hono<ConsoleEnv>();

remove.get("/:id/delete", (c) => {
  requireWriter(c);
  return ask(c, c.req.param("id"), newForm());
});

onSubmit(remove, "/:id/delete", {
  first: requireWriter,
  again: (c, state, status) => ask(c, param(c, "id"), state, status),
  async work(c, form) {
    const articleId = param(c, "id");
    await perform(c, registry.setDeletion, { articleId }, atVersion(form));
    // The list shows the deletion, and how to undo it.
    return goTo(c, `/console/articles?${new URLSearchParams({ blog: form.text("blogId") }).toString()}`);
  },
});

async function ask(c: ConsoleContext, id: string, state: FormState, status?: Status): Promise<Response> {
  const found = await findArticle(c, id);
  const { article, version } = found;
  const changed = state.problem?.code === "precondition_failed";
  return page(
    c,
    `Delete “${getTitle(article)}”?`,
    <>
      <About found={found} />
      {changed && (
        <p class="alert warn" role="alert">
          <strong>The article was not deleted.</strong> Somebody saved it after you opened this page, at{" "}
          <Time at={article.lastEditTime} />
          <Utc />. <a href={`/console/articles/${article._id}`}>View it first</a>, or delete the current version.
        </p>
      )}
      <ConfirmDelete
        action={`/console/articles/${article._id}/delete`}
        submit="Delete article"
        keep={{ path: `/console/articles/${article._id}`, text: "Cancel" }}
        state={changed ? { ...state, problem: null } : state}
      >
        <input type="hidden" name="version" value={version} />
        <input type="hidden" name="blogId" value={article.blogId} />
        <p>
          You can undo this for {LIMITS.undoSeconds} seconds. After that, it is in the <a href={TRASH_PATH}>trash</a>{" "}
          for {formatDays(LIMITS.trashDays)}
          {article.published ? ", and gone for readers" : ""}. Its translations stay.
        </p>
      </ConfirmDelete>
    </>,
    status,
  );
}
