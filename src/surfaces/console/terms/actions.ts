/** The operations behind the pages of tags and authors. */
import type { TermKind } from "../../../domain/terms.ts";
import { readAllItems } from "../../../lib/pages.ts";
import { registry } from "../../../operations/registry.ts";
import type { ConsoleContext } from "../env.ts";
import { perform } from "../session.ts";
import { atVersion } from "../version.tsx";
import type { FormValues, Submission } from "../submission.ts";

/** A tag or an author. `names` is for tags; `bio` and `pictureUrl` are for authors. */
export type Term = {
  readonly _id: string;
  readonly slug: string;
  readonly name: string;
  readonly articles: number;
  readonly publishedArticles: number;
  readonly names?: Readonly<Record<string, string>>;
  readonly bio?: string;
  readonly pictureUrl?: string;
};

/** Returns the path of the list of a blog's tags or authors. */
export const toListPath = (c: ConsoleContext, kind: TermKind): string =>
  `/console/blogs/${c.req.param("blogId")}/${kind}s`;

type Actions = {
  readonly title: string;
  readonly list: (c: ConsoleContext, blogId: string) => Promise<readonly Term[]>;
  readonly find: (c: ConsoleContext, id: string) => Promise<{ term: Term; version: string }>;
  readonly create: (c: ConsoleContext, blogId: string, form: Submission) => Promise<unknown>;
  readonly update: (c: ConsoleContext, id: string, form: Submission) => Promise<unknown>;
  readonly merge: (c: ConsoleContext, id: string, into: string, form: Submission) => Promise<unknown>;
  readonly remove: (c: ConsoleContext, id: string, form: Submission) => Promise<unknown>;
};

export const ACTIONS: Readonly<Record<TermKind, Actions>> = {
  tag: {
    title: "Tags",
    list: (c, blogId) => readAllItems((cursor) => perform(c, registry.listTags, { blogId, cursor })),
    async find(c, tagId) {
      const { value, version = "" } = await perform(c, registry.getTag, { tagId });
      return { term: value, version };
    },
    create: (c, blogId, form) =>
      perform(c, registry.createTag, { blogId, ...toNewInput(form), names: parseNames(form) }, form),
    update: (c, tagId, form) =>
      perform(c, registry.updateTag, { tagId, ...toChangedInput(form), names: parseNames(form) }, atVersion(form)),
    merge: (c, tagId, into, form) => perform(c, registry.mergeTag, { tagId, into }, form),
    remove: (c, tagId, form) => perform(c, registry.deleteTag, { tagId }, atVersion(form)),
  },
  author: {
    title: "Authors",
    list: (c, blogId) => readAllItems((cursor) => perform(c, registry.listAuthors, { blogId, cursor })),
    async find(c, authorId) {
      const { value, version = "" } = await perform(c, registry.getAuthor, { authorId });
      return { term: value, version };
    },
    create: (c, blogId, form) =>
      perform(c, registry.createAuthor, { blogId, ...toNewInput(form), ...toAuthorInput(form) }, form),
    update: (c, authorId, form) =>
      perform(c, registry.updateAuthor, { authorId, ...toChangedInput(form), ...toAuthorInput(form) }, atVersion(form)),
    merge: (c, authorId, into, form) => perform(c, registry.mergeAuthor, { authorId, into }, form),
    remove: (c, authorId, form) => perform(c, registry.deleteAuthor, { authorId }, atVersion(form)),
  },
};

function toNewInput(form: Submission) {
  const slug = form.text("slug").trim();
  return { name: form.text("name").trim(), ...(slug !== "" && { slug }) };
}

const toChangedInput = (form: Submission) => ({ name: form.text("name").trim(), slug: form.text("slug").trim() });

const toAuthorInput = (form: Submission) => ({ bio: form.text("bio"), pictureUrl: form.text("pictureUrl").trim() });

/** Returns the names in the form: a line for each language, such as `de = Langsam reisen`. */
function parseNames(form: Submission): Record<string, string> {
  const lines = form
    .text("names")
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const [locale = "", ...name] = line.split("=");
      return [locale.trim(), name.join("=").trim()];
    }),
  );
}

export const toFormValues = ({ name, slug, names = {}, bio = "", pictureUrl = "" }: Term): FormValues => ({
  name,
  slug,
  bio,
  pictureUrl,
  names: Object.entries(names)
    .map(([locale, text]) => `${locale} = ${text}`)
    .join("\n"),
});
