/** Compares the structures of translations with that of the article in the blog's default locale. */
import * as z from "zod";
import type { Structure } from "../../packages/markdown/structure.ts";
import { STRUCTURE_PARTS } from "../domain/structure-elements.ts";
import type { ComparedContent, SlugLocales } from "../store/articles/locales.ts";

export const structure = z
  .object({
    differences: z
      .array(
        z.object({
          part: z.enum(STRUCTURE_PARTS).meta({ example: "headings" }),
          original: z.string().meta({ description: "Counts; for headings, their levels in order.", example: "2 3 2" }),
          translation: z.string().meta({ example: "2 2" }),
        }),
      )
      .nullable()
      .meta({
        description: "null if a text is too long to be compared, or a slug has more than one response can compare.",
      }),
    lengthRatio: z.number().nullable().meta({
      description: "Its length divided by the original's, in characters; null if the original has none.",
      example: 1.12,
    }),
  })
  .meta({
    description:
      "Only with `structure`: how its content differs from that of the article in the blog's default locale; null for that article itself, and if there is none.",
  });

type Comparison = z.infer<typeof structure>;

type ComparedSlug = Omit<SlugLocales, "articles"> & {
  articles: (SlugLocales["articles"][number] & { structure: Comparison | null })[];
};

/**
 * Returns the slugs with a comparison of each translation. `original` is the blog's default locale. Ends before a slug
 * that would exceed the limits of a response; if the first one does, its differences are null.
 */
export async function compareStructures(
  slugs: readonly SlugLocales[],
  original: string,
  contents: readonly ComparedContent[],
): Promise<ComparedSlug[]> {
  const { getStructure } = await import("../../packages/markdown/structure.ts");
  const readStructure = ({ content, tooLong }: ComparedContent): Read =>
    content === null ? (tooLong ? null : "no room") : getStructure(content);
  const read = new Map(contents.map((content) => [content.id, content]));
  const compared: ComparedSlug[] = [];
  for (const slug of slugs) {
    const texts = listTexts(slug, original, read).map((text): ReadText => ({
      id: text.id,
      length: text.length,
      structure: readStructure(text),
    }));
    if (compared.length > 0 && texts.some((text) => text.structure === "no room")) break;
    const [first, ...others] = texts;
    const comparisons = new Map(first && others.map((other) => [other.id, compareTexts(first, other)]));
    const articles = slug.articles.map((article) =>
      Object.assign(article, { structure: comparisons.get(article._id) ?? null }),
    );
    compared.push({ ...slug, articles });
  }
  return compared;
}

/** Returns the articles to compare: those of slugs with a translation and an article in the default locale. */
export const listComparedIds = (slugs: readonly SlugLocales[], original: string): string[] =>
  slugs.flatMap(({ articles }) =>
    articles.length > 1 && articles.some(({ locale }) => locale === original) ? articles.map(({ _id }) => _id) : [],
  );

/** Returns the original, then the translations; [] if there is no original or one was not read. */
function listTexts({ articles }: SlugLocales, original: string, read: ReadonlyMap<string, ComparedContent>) {
  const source = articles.find(({ locale }) => locale === original);
  const ordered = source === undefined ? [] : [source, ...articles.filter((article) => article !== source)];
  const texts = ordered.flatMap(({ _id }) => read.get(_id) ?? []);
  return texts.length === ordered.length ? texts : [];
}

/** "no room": the limits of the response are used up. null: the text alone exceeds them. */
type Read = Structure | "no room" | null;

type ReadText = Pick<ComparedContent, "id" | "length"> & { readonly structure: Read };

function compareTexts(first: ReadText, own: ReadText): Comparison {
  const [original, translation] = [first.structure, own.structure];
  const lengthRatio = first.length === 0 ? null : Math.round((own.length / first.length) * 100) / 100;
  if (!isStructure(original) || !isStructure(translation)) return { differences: null, lengthRatio };
  const differing = STRUCTURE_PARTS.filter((part) => original[part] !== translation[part]);
  return {
    differences: differing.map((part) => ({ part, original: original[part], translation: translation[part] })),
    lengthRatio,
  };
}

const isStructure = (read: Read): read is Structure => typeof read === "object" && read !== null;
