/**
 * Saves what is being written, for the editor's script (packages/browser/autosave.ts), and answers JSON. Changes of a
 * published article go to its working copy, where readers do not see them.
 */
import { Hono } from "hono";
import { DomainError, invalidField, type ErrorCode } from "../../../domain/errors.ts";
import { registry } from "../../../operations/registry.ts";
import { findDifferingTerms, type GivenTerms } from "../../../operations/shared-terms.ts";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { can, perform, getPerson, SOMEBODY_ELSE } from "../session.ts";
import { readForm } from "../read-form.ts";
import { toRefusalJson } from "../refusal-json.ts";
import type { Submission } from "../submission.ts";
import { getEditedValues, findEdited, toArticleTexts, toNewArticle } from "./edited.ts";
import { requireContributor } from "./found.ts";
import { toLabelInput } from "./labels.tsx";
import { loadActorNames } from "./makers.ts";

export const autosave = new Hono<ConsoleEnv>();

autosave.post("/new/autosave", async (c) => {
  const form = await readOwnForm(c);
  const input = toNewArticle(form);
  if (input.slug) await requireUnseen(c, input, input);
  const { value } = await perform(c, registry.saveArticle, input, form).catch(rethrowAtField(input));
  return c.json({ id: value._id, ...(await readState(c, value._id)) });
});

autosave.post("/:id/autosave", async (c) => {
  const form = await readOwnForm(c);
  const id = c.req.param("id");
  const fields = { ...toArticleTexts(form), ...toLabelInput(form) };
  const [version, idempotencyKey] = [form.text("version"), form.idempotencyKey];
  try {
    const slug = await deriveSlug(form);
    if (slug === null) return c.json(await saved(c, id, fields, { version, idempotencyKey }));
    const answer = await saved(c, id, { ...fields, slug }, { version, idempotencyKey }).catch(nullIfTaken);
    // If another article has the slug of the title, the title is saved without it.
    return c.json(answer === null ? await saved(c, id, fields, { version }) : { ...answer, slug });
  } catch (error) {
    if (!hasCode(error, ...CONFLICTS)) return rethrowAtField(fields)(error);
    return c.json({ ...toRefusalJson(error), theirs: await readState(c, id) }, 412);
  }
});

/** The codes of a save that is refused because somebody else saved, published or unpublished the article. */
const CONFLICTS = ["precondition_failed", "article_changed", "article_not_published"] as const;

const hasCode = (error: unknown, ...codes: readonly ErrorCode[]): error is DomainError =>
  error instanceof DomainError && codes.includes(error.code);

function nullIfTaken(error: unknown): null {
  if (hasCode(error, "slug_taken")) return null;
  throw error;
}

/** Returns a function that rethrows an error, but `slug_taken` as an error of the field: the others are then saved. */
const rethrowAtField =
  (fields: object) =>
  (error: unknown): never => {
    if (!hasCode(error, "slug_taken")) throw error;
    const [name, which] = "slug" in fields ? ["slug", "in this language"] : ["locale", "with the same slug"];
    const { passes, worded } = error.details;
    if (worded && !passes)
      throw invalidField(name, `was that of an article ${which} before, so links to it may be in use`);
    // It only passes by itself if the other article is being deleted.
    const rest = passes ? " that is being deleted. Undo the deletion, or try again in two minutes" : "";
    throw invalidField(name, `is that of another article ${which}${rest}`);
  };

type Options = { readonly version: string; readonly idempotencyKey?: string | undefined };

/** Saves fields of an article where readers do not see them. Returns the new state for the script. */
async function saved(
  c: ConsoleContext,
  id: string,
  fields: GivenTerms & Readonly<Record<string, unknown>>,
  options: Options,
) {
  const { value: found } = await perform(c, registry.getArticle, { idOrSlug: id, fields: [...PLACE, "published"] });
  const published = found.published === true;
  if (!published) await requireUnseen(c, found, fields);
  const { value, version } = published
    ? await perform(c, registry.saveDraft, { articleId: id, ...fields }, options)
    : await perform(c, registry.saveArticle, { _id: id, autosave: true, ...fields }, options);
  return { version, savedTime: value.lastEditTime, published };
}

const PLACE = ["blogId", "slug"] as const;

/** Throws if tags or authors change that a published translation shares: readers would see that immediately. */
async function requireUnseen(
  c: ConsoleContext,
  { blogId = "", slug = "" }: { readonly [Name in (typeof PLACE)[number]]?: string | undefined },
  given: GivenTerms,
): Promise<void> {
  const list = async (query: Readonly<Record<string, unknown>>) =>
    (await perform(c, registry.listArticles, query)).value;
  const differing = await findDifferingTerms(list, { blogId, slug }, given);
  if (differing === null) return;
  const advice = can(c, "articles:write") ? "press “Save draft”" : "ask a writer to change them";
  throw invalidField(differing.kind, `are shared with a published translation: ${advice}`);
}

/** Returns the slug of the title, if the form asks for it because the draft began without a title; otherwise null. */
async function deriveSlug(form: Submission): Promise<string | null> {
  const title = form.text("title").trim();
  if (form.text("slugOfTitle") !== "yes" || title === "") return null;
  return (await import("../../../domain/derived-names.ts")).makeSlug(title);
}

autosave.get("/:id/autosave", async (c) => {
  requireContributor(c);
  return c.json(await readState(c, c.req.param("id")));
});

/**
 * Throws `role_forbidden` unless the member may write drafts, and `credentials_invalid` if another person has signed in
 * since: the text would become theirs.
 */
async function readOwnForm(c: ConsoleContext): Promise<Submission> {
  requireContributor(c);
  const form = await readForm(c);
  if (form.text("_person") !== getPerson(c).id) throw new DomainError("credentials_invalid", SOMEBODY_ELSE);
  return form;
}

/** Returns the values of the editor's fields, the version for the next save, and who saved last. */
async function readState(c: ConsoleContext, id: string) {
  const edited = await findEdited(c, id);
  const { article, copy, current: version } = edited;
  const maker = copy === null ? article.lastEditedBy : copy.by;
  const by = maker && (await loadActorNames(c, [maker]))(maker);
  const savedTime = (copy ?? article).lastEditTime;
  return { version, savedTime, by, published: article.published, values: await getEditedValues(edited) };
}
