/** Terms: the tags and authors of a blog. */
import { invalidField } from "./errors.ts";

export type TermKind = "tag" | "author";

/** A term as a writer names it: a name, and the slug by which the blog finds it. */
export type NamedTerm = { readonly slug: string; readonly name: string };

/** Returns the terms of a blog that have one of these texts as their slug or, in any case, as their name. */
export type FindTerms = (kind: TermKind, texts: readonly string[]) => Promise<readonly NamedTerm[]>;

/**
 * Returns the terms that are meant, each once, under the names that the blog has for them. One that is given with its slug
 * is that one. A text means the term that has it as its slug, else the one that has it as its name, else a new one whose
 * slug follows from the name. Throws an error on the field `tags` or `authors` if no slug can be derived from one of them.
 */
export async function namedTerms(
  given: readonly (string | NamedTerm)[],
  kind: TermKind,
  find: FindTerms,
): Promise<NamedTerm[]> {
  const listed = given.map((each) => (typeof each === "string" ? each.normalize("NFC").trim() : each));
  const texts = listed.map((each) => (typeof each === "string" ? each : each.slug));
  const known = texts.length === 0 ? [] : await find(kind, texts);
  const meant = new Map<string, NamedTerm>();
  for (const [index, name] of listed.entries()) {
    if (typeof name !== "string") {
      const { slug } = name;
      const called = known.find((term) => term.slug === slug)?.name ?? name.name;
      if (!meant.has(slug)) meant.set(slug, { slug, name: called });
      continue;
    }
    const derived = await termSlug(name);
    if (derived === null) throw invalidField(`${kind}s.${index}`, "must have letters or digits");
    const namesakes = known.filter((term) => term.name.toLowerCase() === name.toLowerCase());
    const found =
      known.find(({ slug }) => slug === name) ?? namesakes.find(({ slug }) => slug === derived) ?? namesakes[0];
    const slug = found?.slug ?? derived;
    if (!meant.has(slug)) meant.set(slug, { slug, name: found?.name ?? name });
  }
  return [...meant.values()];
}

/** Returns the slug of a tag or author with this name, as `termSlugOf` does. Null if it has no letters or digits. */
export const termSlug = async (name: string): Promise<string | null> =>
  (await import("./derived-names.ts")).termSlugOf(name);
