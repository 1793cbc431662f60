/** The page of an article's working copy: its editor, and how it differs from what readers see. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { DomainError } from "../../errors.ts";
import { registry } from "../../operations/registry.ts";
import { ConfirmDelete } from "../confirm-delete.tsx";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { attempt, Form, newForm, type FormState } from "../forms.tsx";
import { goTo, page, type Status } from "../layout.tsx";
import { readForm } from "../read-form.ts";
import { perform } from "../session.ts";
import type { FormValues, Submission } from "../submission.ts";
import { Time } from "../time.tsx";
import { differencesOf, headOf, Sides, unix } from "./conflict.tsx";
import { Fields } from "./editor.tsx";
import { findArticle, titleOf, writersOnly, type Found } from "./found.ts";
import { membersOf } from "./members-of.ts";
import { About } from "./reading.tsx";

export const draft = new Hono<ConsoleEnv>();

draft.get("/:id/draft", async (c) => {
  writersOnly(c);
  const found = await findArticle(c, c.req.param("id"));
  const copy = await findCopy(c, found.article._id);
  return show(c, { found, copy }, newForm(valuesOf({ found, copy })));
});

draft.post("/:id/draft", async (c) => {
  const form = await readForm(c);
  const id = c.req.param("id");
  return attempt(
    form,
    async (state, status) => {
      const of = { found: await findArticle(c, id), copy: await findCopy(c, id) };
      // The page that asks before discarding has no fields of the editor.
      const isEntered = form.has("title");
      return show(c, of, isEntered ? state : { ...state, values: valuesOf(of) }, status);
    },
    () => submitted(c, id, form),
  );
});

type Copy = { readonly value: CopyValue; readonly version?: string | undefined };
type CopyValue = Awaited<ReturnType<typeof readCopy>>["value"];

const readCopy = (c: ConsoleContext, id: string) => perform(c, registry.getDraft, { articleId: id });

/** Returns the working copy of an article, or null if it has none. */
async function findCopy(c: ConsoleContext, id: string): Promise<Copy | null> {
  try {
    return await readCopy(c, id);
  } catch (error) {
    if (error instanceof DomainError && error.code === "not_found") return null;
    throw error;
  }
}

async function submitted(c: ConsoleContext, articleId: string, form: Submission): Promise<Response> {
  const options = { version: form.text("version"), idempotencyKey: form.idempotencyKey };
  const intent = form.text("intent");
  if (intent === "discard") {
    if (form.text("sure") !== "yes") return confirm(c, articleId, options.version);
    await perform(c, registry.discardDraft, { articleId }, options);
    return goTo(c, `/console/articles/${articleId}`, "draft-discarded");
  }
  const copy = await findCopy(c, articleId);
  const fields = changedFields(copy?.value ?? (await findArticle(c, articleId)).article, form);
  const isChanged = Object.keys(fields).length > 0;
  // There is nothing to save or to publish. Perhaps the form was sent twice, and published the first time.
  if (!isChanged && copy === null) return goTo(c, `/console/articles/${articleId}`);
  const saved = isChanged ? await perform(c, registry.saveDraft, { articleId, ...fields }, options) : options;
  if (intent !== "publish") return goTo(c, `/console/articles/${articleId}/draft`, "draft-saved");
  const overwrite = form.text("overwrite") === "yes";
  const publication = { version: saved.version ?? "", idempotencyKey: `${form.idempotencyKey}-publish` };
  await perform(c, registry.publishDraft, { articleId, overwrite }, publication);
  return goTo(c, `/console/articles/${articleId}`, "draft-published");
}

/** Asks before a working copy is discarded. It sends the version along that the member saw. */
async function confirm(c: ConsoleContext, id: string, version: string): Promise<Response> {
  const { article } = await findArticle(c, id);
  const path = `/console/articles/${id}/draft`;
  return page(
    c,
    `Discard the working copy of “${titleOf(article)}”?`,
    <ConfirmDelete action={path} submit="Discard the working copy" keep={{ path, text: "Keep it" }}>
      <input type="hidden" name="version" value={version} />
      <input type="hidden" name="intent" value="discard" />
      <input type="hidden" name="sure" value="yes" />
      <p>All its changes are lost, also those that you have not saved. The article itself stays as it is.</p>
    </ConfirmDelete>,
  );
}

/** Returns the fields of the form that differ from the working copy, so that the others stay those of the article. */
function changedFields(current: object, form: Submission): Record<string, unknown> {
  const stored = (name: string) => unix(String(current[name as keyof typeof current]));
  return Object.fromEntries(Object.entries(membersOf(form)).filter(([name, value]) => stored(name) !== value));
}

/** Returns a refusal that says what to do in this form, instead of in a call of the API. */
const inWords = (problem: DomainError | null): DomainError | null =>
  problem?.code === "article_changed" ? new DomainError("article_changed", CHANGED) : problem;

const CHANGED =
  "Publishing the working copy could undo that change. Compare both. Then tick “Publish it all the same” and publish it, or discard it.";

type Of = { readonly found: Found; readonly copy: Copy | null };

/** Returns the fields as the working copy has them, or the article if there is none. */
function valuesOf({ found, copy }: Of): FormValues {
  const { title, slug, locale, description, coverUrl, content } = copy?.value ?? found.article;
  return { title, slug, locale, description, coverUrl, content };
}

function show(c: ConsoleContext, { found, copy }: Of, state: FormState, status?: Status): Response | Promise<Response> {
  const { article, version } = found;
  return page(
    c,
    `Working copy of “${titleOf(article)}”`,
    <>
      <About found={found} />
      <p>
        Readers see nothing of it until it is published.{" "}
        {copy === null ? (
          "There is none yet: these are the texts of the article."
        ) : (
          <>
            Saved <Time at={copy.value.lastEditTime} /> (UTC).
          </>
        )}{" "}
        Tags, authors, and what search engines are told are edited{" "}
        <a href={`/console/articles/${article._id}`}>in the article itself</a>.
      </p>
      {state.problem?.code === "precondition_failed" && (
        <p class="alert warn">
          Somebody else saved it in the meantime.{" "}
          {"version" in state.values
            ? "Saving this form again overwrites their fields."
            : "It was not discarded: these are its texts now."}
        </p>
      )}
      <Form
        action={`/console/articles/${article._id}/draft`}
        state={{ ...state, problem: inWords(state.problem) }}
        wide
        guard={state.problem === null ? "unchanged" : "changed"}
      >
        <input type="hidden" name="version" value={copy?.version ?? version} />
        <Fields state={state} known={null} blogId={article.blogId} />
        <Differences of={differencesOf(article, state)} />
        {copy?.value.articleChanged && <Overwrite />}
        <Actions exists={copy !== null} />
      </Form>
    </>,
    status,
  );
}

const Differences: FC<{ of: ReturnType<typeof differencesOf> }> = ({ of }) => (
  <section class="differences" aria-labelledby="differences">
    <h2 id="differences">Differences from the live article</h2>
    {of.length === 0 && <p class="hint">None.</p>}
    {of.map((difference) => (
      <>
        <h3>{headOf(difference)}</h3>
        <Sides of={difference} heads={["Live", "Working copy"]} />
      </>
    ))}
  </section>
);

const Overwrite: FC = () => (
  <p class="alert warn">
    The article was changed after this working copy was begun.{" "}
    <label>
      <input type="checkbox" name="overwrite" value="yes" /> Publish it all the same
    </label>
  </p>
);

const Actions: FC<{ exists: boolean }> = ({ exists }) => (
  <div class="actions bottom">
    <button type="submit">Save working copy</button>
    <button type="submit" name="intent" value="publish" class="quiet">
      Publish it
    </button>
    {exists && (
      <button type="submit" name="intent" value="discard" class="quiet" formnovalidate>
        Discard it…
      </button>
    )}
  </div>
);
