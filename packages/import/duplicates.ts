/** Gives each post of an export its own slug. */
import { toPlaceKey } from "../../src/domain/slug.ts";
import type { Remarks } from "./remarks.ts";

type Named = { readonly name: string; slug: string; readonly locale: string };

export type Post = Named & { redirects: string[] };

/** Numbers slugs that an earlier post of the same locale has, with a note: the second `about` becomes `about-2`. */
export function renameDuplicates(posts: Iterable<Named>, remarks: Remarks): void {
  const all = [...posts];
  const said = new Set(all.map(toPlaceKey));
  const taken = new Map<string, number>();
  for (const post of all) {
    const { slug } = post;
    const place = toPlaceKey(post);
    let number = taken.get(place) ?? 1;
    while (number > 1 && (taken.has(toPlaceKey(post)) || said.has(toPlaceKey(post)))) post.slug = `${slug}-${number++}`;
    taken.set(place, Math.max(number, 2));
    taken.set(toPlaceKey(post), taken.get(toPlaceKey(post)) ?? 2);
    if (post.slug === slug) continue;
    const reason = `its slug is "${post.slug}", because another post has "${slug}"`;
    remarks
      .forArticle(post.name)
      .note("articles that got a number at the end of their slug, because it was taken", reason);
  }
}
