/** The page of an article: the editor, or only its text for members who may not write. */
import { Hono } from "hono";
import { DomainError } from "../../../domain/errors.ts";
import { registry } from "../../../operations/registry.ts";
import { param, type ConsoleContext, type ConsoleEnv } from "../env.ts";
import { onSubmit, newForm } from "../forms.tsx";
import { goTo, page } from "../layout.tsx";
import { findBaseUrl } from "../../request/base-url.ts";
import { enforceLimit } from "../../request/limits.ts";
import { can, perform, getPerson } from "../session.ts";
import { atVersion } from "../version.tsx";
import type { Submission } from "../submission.ts";
import { listChangedFields, getEditedValues, findEdited } from "./edited.ts";
import { findArticle, getTitle, requireContributor, requireWriter } from "./found.ts";
import { About, Reading } from "./reading.tsx";
import { showAgain, showEdit } from "./show.tsx";

export const edit = new Hono<ConsoleEnv>();

edit.get("/:id", async (c) => {
  if (can(c, "articles:draft")) {
    const edited = await findEdited(c, c.req.param("id"));
    return showEdit(c, edited, newForm({ ...(await getEditedValues(edited)), version: edited.current }));
  }
  const found = await findArticle(c, c.req.param("id"));
  await enforceLimit(c.env.arrival, "renderings", getPerson(c).id);
  return page(
    c,
    getTitle(found.article),
    <>
      <About found={found} />
      <Reading article={found.article} origin={findBaseUrl(c.env.arrival)} />
    </>,
  );
});

onSubmit(edit, "/:id", {
  first: requireContributor,
  again: (c, state, status) => showAgain(c, param(c, "id"), state, { status }),
  work: (c, form) => handleSubmit(c, param(c, "id"), form),
});

/**
 * Saves what was entered, where readers do not see it: in the draft, or in the working copy of a published article.
 * Then does what the pressed button says: asks whether to publish, or unpublishes.
 */
async function handleSubmit(c: ConsoleContext, articleId: string, form: Submission): Promise<Response> {
  const edited = await findEdited(c, articleId);
  const { published } = edited.article;
  const path = `/console/articles/${articleId}`;
  const intent = form.text("intent");
  if (intent !== "") requireWriter(c);
  // If the article is a draft by now, the form was most likely sent twice.
  if (intent === "unpublish" && published && form.text("live") !== edited.version) {
    throw new DomainError("precondition_failed", NOT_UNPUBLISHED, { worded: true });
  }
  const fields = listChangedFields(edited, form);
  if (Object.keys(fields).length > 0) {
    await (published
      ? perform(c, registry.saveDraft, { articleId, ...fields }, atVersion(form))
      : perform(c, registry.saveArticle, { _id: articleId, ...fields }, atVersion(form)));
  }
  if (intent === "publish") return goTo(c, `${path}/publish`);
  if (intent === "unpublish" && published) {
    const unpublication = { version: form.text("live"), idempotencyKey: `${form.idempotencyKey}-unpublish` };
    await perform(c, registry.saveArticle, { _id: articleId, published: false }, unpublication);
  }
  return goTo(c, path, intent === "unpublish" ? "article-unpublished" : published ? "draft-saved" : "saved");
}

const NOT_UNPUBLISHED =
  "The article was not unpublished, because somebody changed it since you opened this page. Review it on the site, or press “Unpublish” again.";
