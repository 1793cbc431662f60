/** Lets a model word ideas: a title, an angle and keywords in the locale of the blog. */
import * as z from "zod";
import { DATA_RULE, delimit } from "../../ai/delimit.ts";
import type { TextModel } from "../../ai/model.ts";
import { getLanguageName } from "../../domain/language-name.ts";
import { LIMITS } from "../../domain/limits.ts";
import { plainLine } from "../../lib/plain-line.ts";
import type { NewIdea } from "../../store/topics/system-ideas.ts";
import { toParagraph } from "./plain-text.ts";

/** Ideas in one request to the model, and milliseconds for all requests of one source. */
const PER_QUESTION = 10;
const PATIENCE_MS = 100_000;
const ANGLE = 500;

const answer = z.object({
  ideas: z.array(
    z.object({
      number: z.int(),
      title: z.string().max(LIMITS.title),
      angle: z.string().max(ANGLE),
      keywords: z.array(z.string().max(LIMITS.keyword)).max(LIMITS.keywords),
    }),
  ),
});

type Shape = z.infer<typeof answer>["ideas"][number];

/**
 * Returns the ideas with the model's title, angle and keywords. Without a usable answer, an idea keeps the words of its
 * item. URLs and sources never come from the model.
 */
export async function shapeIdeas(
  text: TextModel,
  ideas: readonly NewIdea[],
  blog: { readonly blogName: string; readonly locale: string },
  log: (entry: Readonly<Record<string, unknown>>) => void,
): Promise<NewIdea[]> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const shaped: NewIdea[] = [];
  for (let start = 0; start < ideas.length; start += PER_QUESTION) {
    const some = ideas.slice(start, start + PER_QUESTION);
    try {
      const { value } = await text.object({ name: "ideas", schema: answer, ...makeQuestion(some, blog), signal });
      const byNumber = new Map(value.ideas.map((shape) => [shape.number, shape]));
      shaped.push(...some.map((idea, index) => applyShape(idea, byNumber.get(index + 1), blog.locale)));
    } catch (error) {
      log({ level: "warn", message: "ideas keep their own words", ideas: ideas.length - start, error });
      return [...shaped, ...ideas.slice(start)];
    }
  }
  return shaped;
}

function makeQuestion(ideas: readonly NewIdea[], { blogName, locale }: { blogName: string; locale: string }) {
  const language = getLanguageName(locale);
  const items = ideas.map(({ itemTitle, summary }, index) =>
    delimit(`item ${index + 1}`, `${itemTitle}\n\n${summary}`),
  );
  return {
    system: `You are the editor of a blog and turn items from feeds and forums into ideas for articles. ${DATA_RULE}`,
    prompt: `The blog's name:
${delimit("blog", blogName)}

For each item below, write in ${language} (${locale}), without links or markup:
- title: the working title of an article that the blog could publish about it,
- angle: one or two sentences on what that article would say that the item does not,
- keywords: up to five search terms in lower case.
Give each the number of its item.

${items.join("\n\n")}`,
  };
}

function applyShape(idea: NewIdea, shape: Shape | undefined, locale: string): NewIdea {
  const title = toPlainLine(shape?.title ?? "");
  if (shape === undefined || title === "") return idea;
  const keywords = shape.keywords
    .map((word) => toPlainLine(word).toLowerCase())
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  return {
    ...idea,
    title,
    angle: toPlainLine(shape.angle),
    keywords: keywords.length > 0 ? [...new Set(keywords)] : idea.keywords,
    locale,
  };
}

/** Removes HTML, links and Markdown from the model's text, because an item could have planted them there. */
const toPlainLine = (text: string): string => plainLine(toParagraph({ kind: "html", value: text }));
