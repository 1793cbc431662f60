/** The page that discards the working copy of an article. */
import { Hono } from "hono";
import { ConfirmDelete } from "../confirm-delete.tsx";
import { param, type ConsoleContext, type ConsoleEnv } from "../env.ts";
import { onSubmit, newForm, type FormState } from "../forms.tsx";
import { goTo, page, type Status } from "../layout.tsx";
import { registry } from "../../../operations/registry.ts";
import { perform } from "../session.ts";
import { atVersion } from "../version.tsx";
import { Differences, listDifferences } from "./conflict.tsx";
import { getArticleValues, getEditedValues, findEdited } from "./edited.ts";
import { getTitle, requireContributor } from "./found.ts";
import { About } from "./reading.tsx";

export const draft = new Hono<ConsoleEnv>();

// For old links: the editor shows the working copy.
draft.get("/:id/draft", (c) => {
  requireContributor(c);
  return goTo(c, `/console/articles/${c.req.param("id")}`);
});

draft.get("/:id/discard", (c) => {
  requireContributor(c);
  return ask(c, c.req.param("id"), newForm());
});

onSubmit(draft, "/:id/discard", {
  first: requireContributor,
  again: (c, state, status) => ask(c, param(c, "id"), state, status),
  async work(c, form) {
    const articleId = param(c, "id");
    await perform(c, registry.discardDraft, { articleId }, atVersion(form));
    return goTo(c, `/console/articles/${articleId}`, "draft-discarded");
  },
});

/** Asks before the working copy is discarded. The form has the version that the member sees. */
async function ask(c: ConsoleContext, id: string, state: FormState, status?: Status): Promise<Response> {
  const edited = await findEdited(c, id);
  const { article, copy, current } = edited;
  const path = `/console/articles/${id}`;
  if (copy === null) return goTo(c, path);
  const changed = state.problem?.code === "precondition_failed";
  const differences = listDifferences(await getArticleValues(article), await getEditedValues(edited));
  return page(
    c,
    `Discard the unpublished changes to “${getTitle(article)}”?`,
    <>
      <About found={edited} />
      {changed && (
        <p class="alert warn" role="alert">
          <strong>The changes were not discarded.</strong> Somebody saved others in the meantime. The current changes
          are below.
        </p>
      )}
      <ConfirmDelete
        action={`${path}/discard`}
        submit="Discard changes"
        keep={{ path, text: "Cancel" }}
        state={changed ? { ...state, problem: null } : state}
      >
        <input type="hidden" name="version" value={current} />
        <p>Readers keep seeing the published article. The discarded changes stay in its version history.</p>
        <Differences of={differences} heads={["Published", "Unpublished changes"]} />
      </ConfirmDelete>
    </>,
    status,
  );
}
