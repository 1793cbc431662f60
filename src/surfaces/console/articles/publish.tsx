/** The page that asks before an article, or the changes of a published one, are published. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { DomainError, invalidField } from "../../../domain/errors.ts";
import { registry } from "../../../operations/registry.ts";
import { param, type ConsoleContext, type ConsoleEnv } from "../env.ts";
import { onSubmit, Form, newForm, getValue, type FormState } from "../forms.tsx";
import { goTo, page, type Status } from "../layout.tsx";
import { perform } from "../session.ts";
import { atVersion } from "../version.tsx";
import type { FormValues, Submission } from "../submission.ts";
import { Differences, listDifferences } from "./conflict.tsx";
import { getArticleValues, getEditedValues, findEdited, type Edited } from "./edited.ts";
import { getTitle, requireWriter } from "./found.ts";
import { LeftOut } from "./left-out.tsx";
import { Planned } from "./schedule.tsx";

export const publish = new Hono<ConsoleEnv>();

publish.get("/:id/publish", (c) => {
  requireWriter(c);
  return ask(c, c.req.param("id"), newForm());
});

onSubmit(publish, "/:id/publish", {
  first: requireWriter,
  again: (c, state, status) => ask(c, param(c, "id"), state, status),
  work: (c, form) => handleSubmit(c, param(c, "id"), form),
});

async function handleSubmit(c: ConsoleContext, articleId: string, form: Submission): Promise<Response> {
  const edited = await findEdited(c, articleId);
  const path = `/console/articles/${articleId}`;
  const overwrite = form.text("overwrite") === "yes";
  if (form.text("intent") === "schedule") return goTo(c, `${path}/schedule`);
  // Most likely a mistake: links to the article would have no text.
  if ((edited.copy ?? edited.article).title.trim() === "") throw invalidField("title", "is required to publish");
  // Probably the form was sent twice: there is nothing left to publish.
  if (edited.copy === null && edited.article.published && edited.article.origin.reviewed) return goTo(c, path);
  // The version of a working copy does not tell whether the article is published. Ask again if that has changed.
  if ((form.text("live") === "yes") !== edited.article.published) throw new DomainError("precondition_failed");
  const isConfirmed = edited.article.published && edited.copy === null;
  await (edited.article.published && !isConfirmed
    ? perform(c, registry.publishDraft, { articleId, overwrite }, atVersion(form))
    : perform(c, registry.saveArticle, { _id: articleId, published: true }, atVersion(form)));
  if (isConfirmed) return goTo(c, path, "review-confirmed");
  return goTo(c, path, edited.article.published ? "draft-published" : "article-published");
}

async function ask(c: ConsoleContext, id: string, state: FormState, status?: Status): Promise<Response> {
  const edited = await findEdited(c, id);
  const { article, copy } = edited;
  const [live, next] = await Promise.all([getArticleValues(article), getEditedValues(edited)]);
  const title = getTitle({ title: getValue({ values: next }, "title") });
  const path = `/console/articles/${id}`;
  const isReview = article.published && copy === null && !article.origin.reviewed;
  return page(
    c,
    isReview ? `Have you reviewed “${title}”?` : `Publish ${article.published ? "the changes to " : ""}“${title}”?`,
    <section id="publish" aria-label="What is published">
      {state.problem?.code === "precondition_failed" && (
        <p class="alert warn" role="alert">
          <strong>The article was not published.</strong> Somebody saved, published or unpublished it after you opened
          this page. The current version is below.
        </p>
      )}
      <Form
        action={`${path}/publish`}
        state={{ ...state, problem: rewordProblem(state) }}
        wide
        labels={{ title: "Title" }}
      >
        <input type="hidden" name="version" value={edited.current} />
        <input type="hidden" name="live" value={article.published ? "yes" : ""} />
        <Where edited={edited} live={live} next={next} />
        <Planned of={article} />
        <LeftOut content={getValue({ values: next }, "content")} />
        {copy?.articleChanged && <Overwrite ticked={getValue(state, "overwrite") === "yes"} />}
        <p class={isReview ? undefined : "hint"}>{isReview ? REVIEW : ANSWERS}</p>
        {article.published && !isReview && (
          <Differences of={listDifferences(live, next)} heads={["Published", "New"]} />
        )}
        <Buttons edited={edited} isReview={isReview} />
      </Form>
    </section>,
    status,
  );
}

const Buttons: FC<{ edited: Edited; isReview: boolean }> = ({ edited: { article, copy }, isReview }) => (
  <div class="row">
    <button type="submit" disabled={article.published && copy === null && !isReview}>
      {isReview ? "Confirm the review" : article.published ? "Publish changes" : "Publish now"}
    </button>
    {!article.published && (
      <button type="submit" class="quiet" name="intent" value="schedule">
        Schedule…
      </button>
    )}
    <a href={`/console/articles/${article._id}`} data-close>
      Back to editor
    </a>
  </div>
);

const ANSWERS = "You answer for the text. If a model wrote in it, you confirm that you have reviewed it.";

const REVIEW =
  "A model wrote in this article, and readers are told that nobody has reviewed it. By confirming the review, you take responsibility for the text.";

/** Returns the refusal with advice for this form instead of the API. A conflict has a warning of its own. */
function rewordProblem({ problem }: FormState): DomainError | null {
  if (problem?.code === "precondition_failed") return null;
  return problem?.code === "article_changed" ? new DomainError("article_changed", CHANGED) : problem;
}

const CHANGED =
  "Publishing these changes could undo that change. Compare the two. Then select “Publish anyway” and publish, or discard your changes.";

type WhereProps = { readonly edited: Edited; readonly live: FormValues; readonly next: FormValues };

const Where: FC<WhereProps> = ({ edited: { article, blog }, live, next }) => (
  <dl class="facts">
    <dt>Blog</dt>
    <dd>{blog.name}</dd>
    <dt>Language</dt>
    <dd>{next["locale"]}</dd>
    <dt>Slug</dt>
    <dd>
      {next["slug"]}
      {article.publishTime !== null && live["slug"] !== next["slug"] && (
        <span class="hint"> instead of {live["slug"]}, which sites can redirect</span>
      )}
    </dd>
    <dt>When</dt>
    <dd>{article.published ? "Now. Readers see the changes immediately." : "Now, or at a scheduled time."}</dd>
  </dl>
);

export const Overwrite: FC<{ ticked: boolean }> = ({ ticked }) => (
  <p class="alert warn">
    The article was changed after these changes were started.{" "}
    <label>
      <input type="checkbox" name="overwrite" value="yes" checked={ticked} /> Publish anyway
    </label>
  </p>
);
