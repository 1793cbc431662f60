/** Terms: the tags and authors of a blog. */
import { invalidField } from "../errors.ts";

export type TermKind = "tag" | "author";

/** A term as a writer names it: a name, and the slug by which the blog finds it. */
export type NamedTerm = { readonly slug: string; readonly name: string };

/**
 * Returns the terms that these texts name, each a slug or a name, without those that are the same. Throws an error on the
 * field `member` if no slug can be derived from one of them.
 */
export async function namedTerms(texts: readonly string[], member: string): Promise<NamedTerm[]> {
  const found = new Map<string, NamedTerm>();
  for (const [index, given] of texts.entries()) {
    const name = given.normalize("NFC").trim();
    const slug = await termSlug(name);
    if (slug === null) throw invalidField(`${member}[${index}]`, "must have letters or digits");
    if (!found.has(slug)) found.set(slug, { slug, name });
  }
  return [...found.values()];
}

/** Returns the slug of a tag or author with this name, as `termSlugOf` does. Null if it has no letters or digits. */
export const termSlug = async (name: string): Promise<string | null> =>
  (await import("./derived-names.ts")).termSlugOf(name);
