import { DomainError } from "../../domain/errors.ts";
import type { SourceArticle } from "./brief.ts";

/** The most characters of an article that a model has to read: about 10,000 words. */
const MOST_SOURCE = 60_000;

/**
 * Throws `invalid_request` if the article is too long for a model, or if it is to be translated and has a long block that
 * cannot be split.
 */
export async function requireReadable({ content }: SourceArticle, translates: boolean): Promise<void> {
  if (content.length > MOST_SOURCE) {
    const most = MOST_SOURCE.toLocaleString("en");
    const message = `The article is too long to be translated or rewritten: the limit is ${most} characters.`;
    throw new DomainError("invalid_request", message);
  }
  if (translates) await requireShortBlocks(content);
}

async function requireShortBlocks(content: string): Promise<void> {
  const { splitIntoChunks, hasWords, MOST_OF_CHUNK } = await import("./chunks.ts");
  const { parse, print } = await import("./markdown.ts");
  const isTooLong = splitIntoChunks(parse(content).children).some(
    (chunk) => print(chunk.blocks).length > MOST_OF_CHUNK && hasWords(chunk),
  );
  if (!isTooLong) return;
  const most = MOST_OF_CHUNK.toLocaleString("en");
  const message = `A paragraph, list item or table row is too long to be translated: the limit is ${most} characters.`;
  throw new DomainError("invalid_request", message);
}
