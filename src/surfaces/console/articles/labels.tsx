/** The editor's fields for tags, authors and SEO. */
import type { FC } from "hono/jsx";
import { LIMITS } from "../../../domain/limits.ts";
import { deriveTermSlug, type TermKind } from "../../../domain/terms.ts";
import { splitAtCommas, hasComma } from "../../../lib/text.ts";
import { registry } from "../../../operations/registry.ts";
import type { ConsoleContext } from "../env.ts";
import { listErrors, SelectField, TextArea, TextField, getValue, type FormState } from "../forms.tsx";
import { perform } from "../session.ts";
import type { FormValues, Submission } from "../submission.ts";
import { SEO } from "./field-labels.ts";
import type { Article } from "./found.ts";

type Term = { readonly slug: string; readonly name: string };

export type Known = Readonly<Record<TermKind, readonly Term[]>>;

/** Returns the first page of a blog's tags and authors. */
export async function listKnownTerms(c: ConsoleContext, blogId: string): Promise<Known> {
  const [tags, authors] = await Promise.all([
    perform(c, registry.listTags, { blogId, limit: LIMITS.page }),
    perform(c, registry.listAuthors, { blogId, limit: LIMITS.page }),
  ]);
  return { tag: tags.value, author: authors.value };
}

type Labelled = Pick<Article, "seo"> & { readonly tags: readonly Term[]; readonly authors: readonly Term[] };

/** Returns the values of the fields for tags and authors, as they are stored and as they are shown. */
export async function toTermValues({ tags, authors }: Pick<Labelled, "tags" | "authors">) {
  const [asTags, asAuthors] = [await joinTerms(tags), await joinTerms(authors)];
  return { tags: asTags, tagsBefore: asTags, authors: asAuthors, authorsBefore: asAuthors };
}

export async function toLabelValues({ seo, ...terms }: Labelled): Promise<FormValues> {
  return {
    ...(await toTermValues(terms)),
    seoTitle: seo.title,
    seoDescription: seo.description,
    canonicalUrl: seo.canonicalUrl,
    noindex: String(seo.noindex),
    seoImage: seo.image,
  };
}

/** Returns terms separated by commas: the name if the slug follows from it, otherwise the slug. */
async function joinTerms(terms: readonly Term[]): Promise<string> {
  const texts = terms.map(async ({ slug, name }) => {
    const isPlain = !hasComma(name) && (await deriveTermSlug(name.normalize("NFC").trim())) === slug;
    return isPlain ? name : slug;
  });
  return (await Promise.all(texts)).join(", ");
}

/**
 * Returns the values of these fields in the form. Unchanged tags and authors are left out: translations share them, and
 * somebody may have changed them there.
 */
export function toLabelInput(form: Submission) {
  const list = (name: "tags" | "authors") =>
    form.has(name) && form.text(name).trim() !== form.text(`${name}Before`).trim()
      ? splitAtCommas(form.text(name))
      : undefined;
  const [tags, authors] = [list("tags"), list("authors")];
  const text = (name: string) => form.text(name).trim();
  const seo = form.has("seoTitle") && {
    title: text("seoTitle"),
    description: form.text("seoDescription"),
    canonicalUrl: text("canonicalUrl"),
    noindex: text("noindex") === "true",
    image: text("seoImage"),
  };
  return { ...(tags && { tags }), ...(authors && { authors }), ...(seo && { seo }) };
}

export const LabelFields: FC<{ state: FormState; known: Known | undefined }> = ({ state, known }) => (
  <>
    <TermsField state={state} name="tags" label="Tags" known={known?.tag} />
    <TermsField state={state} name="authors" label="Authors" known={known?.author} />
    <details open={Object.keys(SEO).some((name) => listErrors(state, name).length > 0)}>
      <summary>SEO</summary>
      <TextField
        state={state}
        name="seoTitle"
        label="Meta title"
        hint="Leave blank to use the title."
        maxlength={LIMITS.title}
        dir="auto"
      />
      <TextArea
        state={state}
        name="seoDescription"
        label="Meta description"
        hint="Leave blank to use the description."
        rows={3}
        dir="auto"
      />
      <TextField
        state={state}
        name="canonicalUrl"
        label="Canonical URL"
        type="url"
        hint="Where the text was first published, if not here."
        maxlength={LIMITS.url}
      />
      <TextField
        state={state}
        name="seoImage"
        label="Social image"
        type="url"
        hint="Leave blank to use the cover image."
        maxlength={LIMITS.url}
      />
      <SelectField
        state={state}
        name="noindex"
        label="Search engines"
        choices={[
          { value: "false", label: "List this article" },
          { value: "true", label: "Hide this article" },
        ]}
      />
    </details>
  </>
);

type TermsProps = {
  readonly state: FormState;
  readonly name: "tags" | "authors";
  readonly label: string;
  readonly known: readonly Term[] | undefined;
};

/** With scripts, each part of the list is completed from the datalist; without them, only the first. */
const TermsField: FC<TermsProps> = ({ state, name, label, known }) => (
  <>
    <input type="hidden" name={`${name}Before`} value={getValue(state, `${name}Before`)} />
    <TextField
      state={state}
      name={name}
      label={label}
      hint="Separated by commas. New ones are created. Translations share them."
      dir="auto"
      {...(known && { list: `known-${name}` })}
    />
    {known && <KnownTerms id={`known-${name}`} terms={known} />}
  </>
);

/** Suggests slugs. Browsers show and search the names, too. */
export const KnownTerms: FC<{ id: string; terms: readonly Term[] }> = ({ id, terms }) => (
  <datalist id={id}>
    {terms.map(({ slug, name }) => (
      <option value={slug} label={name} />
    ))}
  </datalist>
);
