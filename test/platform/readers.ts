/** Readers of some blogs: which public addresses there are, and which one is read next. */
export type Article = { readonly _id: string; readonly slug: string; readonly locale: string };
export type Blog = { readonly _id: string; readonly vanityId: string; readonly articles: readonly Article[] };

/** What readers search for. */
const WORDS = ["ferry", "harbour", "first", "day", '"first ferry"', "nothing"];

/** Returns every kind of public address of blogs: of the API, the sites, feeds, site maps, texts and searches. */
export function publicPathsOf(blogs: readonly Blog[]): string[] {
  const paths: string[] = [];
  for (const { _id, vanityId, articles } of blogs) {
    const site = `/${vanityId}`;
    const list = `/api/articles?blogId=${_id}&sort=publishTime&fields=title,slug,locale,url,excerpt&limit=20`;
    paths.push(site, list, `${list}&locale=de&fallback=en`, `/api/tags?blogId=${_id}`, `/api/authors?blogId=${_id}`);
    paths.push(`${site}/de`, `${site}/archive`, `${site}/tags/walks`, `${site}/nothing-here`);
    for (const file of ["feed.xml", "atom.xml", "feed.json", "sitemap.xml", "llms.txt", "feed.xml?locale=de"]) {
      paths.push(`/blogs/${_id}/${file}`);
    }
    for (const word of WORDS.map(encodeURIComponent)) {
      paths.push(`${site}/search?q=${word}`, `/blogs/${_id}/search?q=${word}`);
    }
    for (const { slug, locale } of articles) {
      paths.push(`${site}/${locale}/${slug}`, `/blogs/${_id}/articles/${slug}.md?locale=${locale}`);
      paths.push(`/api/articles/${slug}?blogId=${_id}&locale=${locale}&fields=title,html,url,tags`);
    }
  }
  return paths;
}

/** Returns a source of numbers from 0 to 1 that is the same each time (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns one of several things, each as likely as any other. */
export function chosenBy<T>(random: () => number, things: readonly T[]): T {
  const chosen = things[Math.floor(random() * things.length)];
  if (chosen === undefined) throw new Error("there is nothing to choose from");
  return chosen;
}

/**
 * Returns a function that draws one of the things: the second is drawn half as often as the first, the third a third as
 * often (Zipf's law with the exponent 1). Which one is the first is up to `random`.
 */
export function zipf<T>(things: readonly T[], random: () => number): () => T {
  const ranked = things.map((thing) => ({ thing, by: random() })).toSorted((a, b) => a.by - b.by);
  const sums: number[] = [];
  for (const [n] of ranked.entries()) sums.push((sums.at(-1) ?? 0) + 1 / (n + 1));
  const whole = sums.at(-1) ?? 0;
  return () => {
    const wanted = random() * whole;
    let low = 0;
    let high = sums.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    const drawn = ranked[low];
    if (drawn === undefined) throw new Error("there is nothing to draw");
    return drawn.thing;
  };
}
