/** An article as the editor shows it: a published one with the changes of its working copy, which readers do not see. */
import { isMultiline, TEXTS, pickWritten, type TextName, type Written } from "../../../domain/article-fields.ts";
import { nullIfMissing } from "../../../domain/errors.ts";
import { pick } from "../../../lib/pick.ts";
import { joinLines, normalizeLineBreaks } from "../../../lib/text.ts";
import { registry } from "../../../operations/registry.ts";
import type { ConsoleContext } from "../env.ts";
import { perform } from "../session.ts";
import type { FormValues, Submission } from "../submission.ts";
import { findArticle, type Article, type Found } from "./found.ts";
import { toLabelInput, toLabelValues } from "./labels.tsx";

type Copy = Awaited<ReturnType<typeof readCopy>>["value"];

export type Edited = Found & {
  readonly copy: Copy | null;
  /** The version for the next save: that of the working copy of a published article, otherwise that of the article. */
  readonly current: string;
};

const readCopy = (c: ConsoleContext, articleId: string) => perform(c, registry.getDraft, { articleId });

/** Returns an article of the organization with its working copy. Throws `not_found` for any other id. */
export async function findEdited(c: ConsoleContext, id: string): Promise<Edited> {
  const found = await findArticle(c, id);
  const { published, workingCopy } = found.article;
  const read = workingCopy === null ? null : await readCopy(c, id).catch(nullIfMissing);
  return { ...found, copy: read?.value ?? null, current: (published && read?.version) || found.version };
}

/** Returns the values of the editor's fields: those of the working copy, otherwise those of the article. */
export const getEditedValues = ({ article, copy }: Pick<Edited, "article" | "copy">): Promise<FormValues> =>
  copy === null
    ? getArticleValues(article)
    : getArticleValues({ ...article, ...pickWritten(copy), ...mergeTerms(article, copy) });

const mergeTerms = ({ tags, authors }: Article, copy: Copy) => ({
  tags: copy.tags ?? tags,
  authors: copy.authors ?? authors,
});

type Shown = Written & Parameters<typeof toLabelValues>[0];

/** Returns the values of the editor's fields without those of the working copy. */
export async function getArticleValues(of: Shown): Promise<FormValues> {
  return { ...pick(of, TEXTS), ...(await toLabelValues(of)) };
}

/** Returns the texts in the editor's form: those of several lines as entered, the others trimmed. */
export const toArticleTexts = (form: Submission): { readonly [Name in TextName]?: string } =>
  Object.fromEntries(
    TEXTS.filter((name) => form.has(name)).map((name) => {
      const value = form.text(name);
      return [name, isMultiline(name) ? value : joinLines(value.trim())];
    }),
  );

/** Returns the input that saves a new article as a draft. It lacks an empty slug or locale: the operation derives them. */
export function toNewArticle(form: Submission) {
  const { slug, locale, ...texts } = toArticleTexts(form);
  const named = { ...(slug && { slug }), ...(locale && { locale }) };
  return { ...texts, ...named, ...toLabelInput(form), blogId: form.text("blogId"), published: false };
}

/**
 * Returns the fields of the form that differ from what is stored. Tags and authors are included if the member has
 * changed them.
 */
export function listChangedFields({ article, copy }: Edited, form: Submission): Record<string, unknown> {
  const stored: Written = copy ?? article;
  const members = toArticleTexts(form);
  const { seo, ...terms } = toLabelInput(form);
  const changed = Object.entries(members).filter(
    ([name, value]) => normalizeLineBreaks(stored[name as keyof typeof members]) !== value,
  );
  const isSeoChanged = seo !== undefined && JSON.stringify(seo) !== JSON.stringify(toSeo(stored));
  return { ...Object.fromEntries(changed), ...terms, ...(isSeoChanged && { seo }) };
}

/** Returns the members in the order of the form, with LF line breaks, so that their JSON can be compared. */
const toSeo = ({ seo: { title, description, canonicalUrl, noindex, image } }: Written) => ({
  title,
  description: normalizeLineBreaks(description),
  canonicalUrl,
  noindex,
  image,
});
