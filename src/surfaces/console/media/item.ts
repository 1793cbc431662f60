/** What the pages of the media library share. */
import type { z } from "zod";
import { LIMITS } from "../../../domain/limits.ts";
import { invalidField } from "../../../domain/errors.ts";
import { registry } from "../../../operations/registry.ts";
import type { ConsoleContext } from "../env.ts";
import type { Submission } from "../submission.ts";
import { perform } from "../session.ts";
import { formatCount, formatNumber } from "../words.ts";

export type Item = z.infer<typeof registry.getMedia.output>;

/** Returns a picture and its version. Throws `not_found`. */
export async function findItem(c: ConsoleContext, id: string): Promise<{ item: Item; version: string }> {
  const { value, version = "" } = await perform(c, registry.getMedia, { mediaId: id });
  return { item: value, version };
}

/** Returns the path of a picture's current file in this width. The console loads it from its own origin. */
export function getSourcePath({ fileUrl }: Pick<Item, "fileUrl">, width?: number): string {
  const { pathname, search } = new URL(fileUrl);
  return `${pathname}${search}${width === undefined ? "" : `&w=${width}`}`;
}

export async function uploaded(c: ConsoleContext, form: Submission): Promise<Item> {
  const { file, fileName = "" } = form.picture ?? {};
  const url = form.text("url");
  if (file === undefined && url === "") throw invalidField("file", "is required: choose an image first");
  const name = form.text("name").trim() || fileName;
  const input = { ...(file === undefined ? { url } : { file }), alt: form.text("alt"), ...(name !== "" && { name }) };
  return (await perform(c, registry.createMedia, input, form)).value;
}

export const formatSize = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

/** Returns how many articles show a picture: "3 articles", or "1,000 or more articles" beyond what is counted. */
export const formatUseCount = ({ articles }: Pick<Item, "articles">): string =>
  articles < LIMITS.mediaUsesCounted ? formatCount(articles, "article") : `${formatNumber(articles)} or more articles`;

/** Returns the name of a picture, its alt text, or a placeholder. */
export const getPictureName = ({ name, alt }: Pick<Item, "name" | "alt">): string => name || alt || "Untitled image";
