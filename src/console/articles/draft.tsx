/** Ends the working copy of an article. What it has is shown and changed in the editor (edit.tsx). */
import { Hono } from "hono";
import { ConfirmDelete } from "../confirm-delete.tsx";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { attempt, newForm, type FormState } from "../forms.tsx";
import { goTo, page, type Status } from "../layout.tsx";
import { registry } from "../../operations/registry.ts";
import { readForm } from "../read-form.ts";
import { perform } from "../session.ts";
import { Differences, differencesOf } from "./conflict.tsx";
import { articleValues, editedValues, findEdited } from "./edited.ts";
import { titleOf, writersOnly } from "./found.ts";
import { About } from "./reading.tsx";

export const draft = new Hono<ConsoleEnv>();

// The working copy had a page of its own once.
draft.get("/:id/draft", (c) => {
  writersOnly(c);
  return goTo(c, `/console/articles/${c.req.param("id")}`);
});

draft.get("/:id/discard", (c) => {
  writersOnly(c);
  return ask(c, c.req.param("id"), newForm());
});

draft.post("/:id/discard", async (c) => {
  writersOnly(c);
  const form = await readForm(c);
  const articleId = c.req.param("id");
  return attempt(
    form,
    (state, status) => ask(c, articleId, state, status),
    async () => {
      const options = { version: form.text("version"), idempotencyKey: form.idempotencyKey };
      await perform(c, registry.discardDraft, { articleId }, options);
      return goTo(c, `/console/articles/${articleId}`, "draft-discarded");
    },
  );
});

/** Asks before a working copy is discarded. It sends the version along that the member sees. */
async function ask(c: ConsoleContext, id: string, state: FormState, status?: Status): Promise<Response> {
  const edited = await findEdited(c, id);
  const { article, copy, current } = edited;
  const path = `/console/articles/${id}`;
  if (copy === null) return goTo(c, path);
  const changed = state.problem?.code === "precondition_failed";
  const differences = differencesOf(await articleValues(article), await editedValues(edited));
  return page(
    c,
    `Discard the changes of “${titleOf(article)}”?`,
    <>
      <About found={edited} />
      {changed && (
        <p class="alert warn" role="alert">
          <strong>It was not discarded.</strong> Somebody saved it in the meantime: this is what it has now.
        </p>
      )}
      <ConfirmDelete
        action={`${path}/discard`}
        submit="Discard the changes"
        keep={{ path, text: "Keep them" }}
        state={changed ? { ...state, problem: null } : state}
      >
        <input type="hidden" name="version" value={current} />
        <p>The article stays as its readers see it. What is discarded stays in its version history.</p>
        <Differences of={differences} heads={["Live", "Your changes"]} />
      </ConfirmDelete>
    </>,
    status,
  );
}
