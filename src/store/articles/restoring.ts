/** Restores former states of articles. */
import { writtenIn } from "../../domain/article-fields.ts";
import { DomainError } from "../../domain/errors.ts";
import { storedSeo } from "../../domain/seo.ts";
import type { IfMatch } from "../../domain/preconditions.ts";
import type { Writer } from "../core/writer.ts";
import { findRevision } from "./states.ts";
import { updateArticle, type Updated } from "./updating.ts";

/**
 * Gives an article the texts, slug, locale, cover and `seo` of a former state, and returns it. It is an ordinary update: it
 * stores the state before it and fires `article.updated`. It leaves whether the article is published, and since when.
 * Throws `not_found` and the errors of {@link updateArticle}.
 */
export async function restoreRevision(
  writer: Writer,
  asked: { readonly articleId: string; readonly number: number; readonly ifMatch: IfMatch | undefined },
): Promise<Updated> {
  const state = await findRevision(writer, asked.articleId, asked.number);
  if (state === null) throw new DomainError("not_found", "There is no such article, or it has no such revision.");
  const written = writtenIn(state.value);
  return updateArticle(
    writer,
    {
      id: asked.articleId,
      fields: { ...written, seo: storedSeo(written.seo) },
      unchanged: {},
      ifMatch: asked.ifMatch,
    },
    { action: "articles.restore", isContentUnsent: true },
  );
}
