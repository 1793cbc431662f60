/** The last look at an article's content: however something forbidden got in, it does not get out. */
import { DomainError } from "../errors.ts";
import { nodesOf, parseWhole, print, type Content } from "./markdown.ts";
import { sanitize, sumOf, type Removed, type Rules } from "./sanitize.ts";

/** Characters of an article: several times what 3,000 words, or a source that may be translated, come to. */
const MOST_CHARACTERS = 100_000;

/** Rounds in which content comes to rest; one is the rule. */
const MOST_ROUNDS = 5;

/**
 * Prints blocks, and parses what is printed as its readers will: other Markdown may come of it than was meant.
 * Throws `ai_invalid_answer` where it is longer than any article, cannot be parsed, or does not come to rest.
 */
export function finished(blocks: readonly Content[], rules: Rules): { content: string; removed: Removed } {
  let content = print(blocks);
  let total: Removed = { links: 0, images: 0, html: 0 };
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (content.length > MOST_CHARACTERS) throw unusable("is longer than any article");
    const tree = parseWhole(content);
    if (tree === null) throw unusable("is too complex to be rendered");
    const { blocks: kept, removed } = sanitize(tree, rules, (label) => label);
    // A line break in HTML is none of what is counted: it became a space.
    const hasHtml = nodesOf(tree.children, "html").length > 0;
    if (!hasHtml && removed.links + removed.images + removed.html === 0) return { content, removed: total };
    total = sumOf([total, removed]);
    content = print(kept);
  }
  throw unusable("has links or HTML that cannot be removed");
}

const unusable = (problem: string): DomainError => new DomainError("ai_invalid_answer", `The model's text ${problem}.`);
