/** The last check of an article's content. Removes forbidden content, whatever step let it through. */
import { DomainError } from "../../domain/errors.ts";
import { listNodes, parse, print, type Content } from "./markdown.ts";
import { sanitize, sumRemoved, type Removed, type Rules } from "./sanitize.ts";

/** The most characters of an article: several times 3,000 words, or the longest source article. */
const MOST_CHARACTERS = 100_000;

/** How often the content is sanitized. One round is enough as a rule. */
const MOST_ROUNDS = 5;

/**
 * Prints the blocks and parses the result again, as readers will, because printed text can parse differently. Removes what
 * `rules` do not allow until nothing is removed. Throws `ai_invalid_answer` if the content is longer than
 * `MOST_CHARACTERS` or still changes after `MOST_ROUNDS` rounds.
 */
export function finishContent(blocks: readonly Content[], rules: Rules): { content: string; removed: Removed } {
  let content = print(blocks);
  let total: Removed = { links: 0, images: 0, html: 0 };
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (content.length > MOST_CHARACTERS) throw makeUnusableError("is longer than an article can be");
    const tree = parse(content);
    const { blocks: kept, removed } = sanitize(tree, rules, (label) => label);
    // `removed` does not count a `<br>`, which became a space.
    const breaks = listNodes(tree.children, "break").filter(({ written }) => written === "html");
    const hasHtml = listNodes(tree.children, "html").length + breaks.length > 0;
    if (!hasHtml && removed.links + removed.images + removed.html === 0) return { content, removed: total };
    total = sumRemoved([total, removed]);
    content = print(kept);
  }
  throw makeUnusableError("has links or HTML that cannot be removed");
}

const makeUnusableError = (problem: string): DomainError =>
  new DomainError("ai_invalid_answer", `The model's text ${problem}.`);
