/** Which articles can be translated or rewritten. */
import { DomainError } from "../errors.ts";
import { LIMITS } from "../domain/limits.ts";
import type { SourceArticle } from "./brief.ts";

/** Most characters of an article that a model has to read: about 10,000 words. */
const MOST_SOURCE = 60_000;

/** Throws `invalid_request` if the article is too long for a model, or if its Markdown is too slow to parse. */
export async function refuseUnreadable({ content }: SourceArticle): Promise<void> {
  if (content.length > MOST_SOURCE) {
    const most = MOST_SOURCE.toLocaleString("en");
    const message = `The article is too long to be translated or rewritten: the limit is ${most} characters.`;
    throw new DomainError("invalid_request", message);
  }
  const { parseMarkdown } = await import("../domain/markdown/parser.ts");
  if (parseMarkdown(content, LIMITS.sourceMarkdownSteps).tree !== null) return;
  throw new DomainError("invalid_request", "The article's Markdown is too complex to be translated or rewritten.");
}
