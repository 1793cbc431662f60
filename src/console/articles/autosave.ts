/**
 * Saves what is being written, for the script of the editor (src/browser/autosave.ts). It answers JSON, and saves only
 * into working copies, so that nobody sees it: it fires no event and keeps no former state. An article that does not
 * exist yet begins as a draft.
 */
import { Hono } from "hono";
import { DomainError } from "../../errors.ts";
import { registry } from "../../operations/registry.ts";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { perform, personOf, SOMEBODY_ELSE } from "../session.ts";
import { readForm } from "../read-form.ts";
import { refusalInJson } from "../refusal-json.ts";
import type { Submission } from "../submission.ts";
import { editedValues, findEdited } from "./edited.ts";
import { writersOnly } from "./found.ts";
import { labelsOf } from "./labels.tsx";
import { findMakers } from "./makers.ts";
import { membersOf } from "./members-of.ts";

export const autosave = new Hono<ConsoleEnv>();

/** Creates the draft of an article that was not saved before. */
autosave.post("/new/autosave", async (c) => {
  const form = await readOwn(c);
  const { slug, locale, ...members } = membersOf(form);
  const given = { ...members, ...(slug && { slug }), ...(locale && { locale }), ...labelsOf(form) };
  const input = { ...given, blogId: form.text("blogId"), published: false };
  const { value } = await perform(c, registry.saveArticle, input, { idempotencyKey: form.idempotencyKey });
  return c.json({ id: value._id, ...(await stateOf(c, value._id)) });
});

/** Saves the fields that the form has in the article's working copy. */
autosave.post("/:id/autosave", async (c) => {
  const form = await readOwn(c);
  const articleId = c.req.param("id");
  const slug = await followingSlug(form);
  const fields = { articleId, ...membersOf(form), ...slug, ...labelsOf(form) };
  const options = { version: form.text("version"), idempotencyKey: form.idempotencyKey };
  try {
    const { value, version } = await perform(c, registry.saveDraft, fields, options);
    return c.json({ version, savedTime: value.lastEditTime, ...slug });
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "precondition_failed") throw error;
    return c.json({ ...refusalInJson(error), theirs: await stateOf(c, articleId) }, 412);
  }
});

/** Returns the slug of the title, if the form asks for it: the draft was begun without a title. */
async function followingSlug(form: Submission): Promise<{ readonly slug?: string }> {
  const title = form.text("title").trim();
  if (form.text("slugOfTitle") !== "yes" || title === "") return {};
  return { slug: (await import("../../domain/derived-names.ts")).slugOf(title) };
}

/** Tells what is stored, for a page that shows something else. */
autosave.get("/:id/autosave", async (c) => {
  writersOnly(c);
  return c.json(await stateOf(c, c.req.param("id")));
});

/**
 * Returns the form. Throws `credentials_invalid` if it is from somebody who is not signed in any more: another person is,
 * whose text it would become.
 */
async function readOwn(c: ConsoleContext): Promise<Submission> {
  const form = await readForm(c);
  if (form.text("_person") !== personOf(c).id) throw new DomainError("credentials_invalid", SOMEBODY_ELSE);
  return form;
}

/** Returns what the editor would show of an article, the version to send with the next save, and who saved it last. */
async function stateOf(c: ConsoleContext, id: string) {
  const edited = await findEdited(c, id);
  const { article, copy, current: version } = edited;
  const by = copy === null ? null : (await findMakers(c, [copy.by]))(copy.by);
  const savedTime = (copy ?? article).lastEditTime;
  return { version, savedTime, by, published: article.published, values: await editedValues(edited) };
}
