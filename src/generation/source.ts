/** Which articles can be the source of another. */
import { DomainError } from "../errors.ts";
import { LIMITS } from "../domain/limits.ts";
import type { SourceArticle } from "./brief.ts";

/** Characters of an article's content that a model is asked to read: some 10,000 words. */
const MOST_SOURCE = 60_000;

/** Refuses an article that is too long to be read by a model, or whose Markdown is made to be slow. */
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
