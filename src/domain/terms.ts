/** Terms are the tags and authors of a blog. */
import { invalidField } from "./errors.ts";

export type TermKind = "tag" | "author";

export type NamedTerm = { readonly slug: string; readonly name: string };

/** Returns the blog's terms whose slug is one of these texts, or whose name is, in any case. */
export type FindTerms = (kind: TermKind, texts: readonly string[]) => Promise<readonly NamedTerm[]>;

/**
 * Returns the terms that are meant, without duplicates, with the names that the blog has for them. A text means the
 * term with that slug, or else with that name, or else a new one. An object means the term with its slug. Throws an
 * error on the field `tags` or `authors` if no slug can be derived.
 */
export async function resolveTerms(
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
    const derived = await deriveTermSlug(name);
    if (derived === null) throw invalidField(`${kind}s.${index}`, "must have letters or digits");
    const namesakes = known.filter((term) => term.name.toLowerCase() === name.toLowerCase());
    const found =
      known.find(({ slug }) => slug === name) ?? namesakes.find(({ slug }) => slug === derived) ?? namesakes[0];
    const slug = found?.slug ?? derived;
    if (!meant.has(slug)) meant.set(slug, { slug, name: found?.name ?? name });
  }
  return [...meant.values()];
}

/** Returns the slug for a name, as `makeTermSlug` does. Null if it has no letters or digits. */
export const deriveTermSlug = async (name: string): Promise<string | null> =>
  (await import("./derived-names.ts")).makeTermSlug(name);
