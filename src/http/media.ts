/** Serves the files of articles. The file of a URL never changes, so every cache may keep it for a year. */
import { sharedDatabase } from "../store/database.ts";
import type { Context } from "hono";
import { DomainError } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { getFile } from "../media.ts";
import { mediaTag } from "../domain/cache-tags.ts";
import { findMedia } from "../store/generation/system-media.ts";
import { limitReaders } from "../request/strangers.ts";
import type { AppEnv } from "./app-env.ts";
import { arrivalOf } from "./caller.ts";
import { noneMatch } from "./conditional.ts";
import type { Reply } from "./reply.ts";

/** Handles `GET /media/{id}`. Throws `not_found` if no article has the file, and `rate_limited`. */
export async function media(c: Context<AppEnv>): Promise<Reply | Response> {
  const id = c.req.param("id") ?? "";
  await limitReaders(arrivalOf(c), c.req.raw);
  const found = isId(id) ? await findMedia(sharedDatabase(c.env), id) : null;
  if (found === null) throw new DomainError("not_found", "There is no such file.");
  const headers = {
    "Content-Type": found.mediaType,
    "Cache-Control": "public, max-age=31536000, immutable",
    "Cache-Tag": mediaTag(found.articleId),
    ETag: `"${id}"`,
    "Access-Control-Allow-Origin": "*",
    "Cross-Origin-Resource-Policy": "cross-origin",
    // Browsers must never run the file as a page, even if its bytes are valid HTML or SVG.
    "Content-Security-Policy": "default-src 'none'; sandbox",
  };
  if (noneMatch(c.req.header("If-None-Match"), headers.ETag)) return { status: 304, headers, body: null };
  const file = await getFile(c.env.MEDIA, { id, organizationId: found.organizationId });
  if (file === null) throw new DomainError("not_found", "The file is gone.");
  return new Response(file.body, { headers: { ...headers, "Content-Length": String(file.size) } });
}
