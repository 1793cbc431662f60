/** Tags and authors that an article shares with its published translations. Readers of those would see a change. */
import type * as z from "zod";
import type { ArticlePart } from "./article-members.ts";
import type { registry } from "./registry.ts";

const KINDS = ["tags", "authors"] as const;
type Kind = (typeof KINDS)[number];

export type GivenTerms = Partial<Pick<z.output<typeof registry.saveArticle.input>, Kind>>;

type List = (query: z.input<typeof registry.listArticles.input>) => Promise<readonly Pick<ArticlePart, "_id" | Kind>[]>;

/** Returns which kind differs from that of a published article with this slug, and that article; null if none does. */
export async function findDifferingTerms(
  list: List,
  { blogId, slug }: { readonly blogId: string; readonly slug: string },
  given: GivenTerms,
): Promise<{ readonly kind: Kind; readonly articleId: string | undefined } | null> {
  if (KINDS.every((kind) => given[kind] === undefined)) return null;
  const [published] = await list({ blogId, slug, published: true, fields: ["_id", ...KINDS], limit: 1 });
  if (published === undefined) return null;
  const kind = KINDS.find((each) => differs(given[each], published[each] ?? []));
  return kind === undefined ? null : { kind, articleId: published._id };
}

function differs(given: GivenTerms[Kind], has: readonly { readonly slug: string; readonly name: string }[]): boolean {
  const names = given?.map((each) => (typeof each === "string" ? each : each.slug).toLowerCase());
  const isSame = names?.every((name, at) => [has[at]?.slug, has[at]?.name.toLowerCase()].includes(name));
  return names !== undefined && !(isSame && names.length === has.length);
}
