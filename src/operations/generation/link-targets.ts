/** Finds the blog's articles that a generated text may link to. */
import type { Brief, Subject } from "../../ai/generation/brief.ts";
import { LIMITS } from "../../domain/limits.ts";
import { buildRelatedQueries } from "../../domain/related-queries.ts";
import { parsePhrases } from "../../domain/search-query.ts";
import type { OrganizationStore } from "../../store/organization.ts";

type Place = { readonly blogId: string; readonly locale: string };

/** How many articles each search adds. */
const RESULTS = 5;

type About = { readonly subject: Subject; readonly keywords: readonly string[] };

/**
 * Returns published articles of the blog in the locale: those about the subject first, then the newest. Only the newest if
 * `about` is null.
 */
export async function findLinkTargets(
  store: OrganizationStore,
  place: Place,
  about: About | null,
): Promise<Brief["blog"]["articles"]> {
  const newest = await store.listLinkTargets({ ...place, most: LIMITS.linkTargets });
  if (about === null) return newest;
  const { subject, keywords } = about;
  const isOther = ({ title }: { readonly title: string }) =>
    subject.kind !== "rewrite" || title !== subject.article.title;
  // All that there are.
  if (newest.length < LIMITS.linkTargets) return newest.filter(isOther);
  const queries = buildRelatedQueries({ texts: listTexts(subject), tags: keywords }, place.locale);
  const found = await Promise.all(
    queries.map((query) =>
      store.searchArticles({ ...place, published: true, phrases: parsePhrases(query), limit: RESULTS }),
    ),
  );
  const related = found.flatMap(({ items }) => items.map(({ value: { slug, title } }) => ({ slug, title })));
  const all = new Map([...related, ...newest].map((article) => [article.slug, article]));
  return [...all.values()].filter(isOther).slice(0, LIMITS.linkTargets);
}

function listTexts(subject: Subject): string[] {
  switch (subject.kind) {
    case "topic":
      return [subject.topic];
    case "idea":
      return [subject.idea.title, subject.idea.summary];
    case "rewrite":
    case "translation":
      return [subject.article.title, subject.article.description];
  }
}
