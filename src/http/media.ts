/**
 * Serves the files of articles and of libraries (contract 8.6 and 19.6). The image of a generated article never changes, so
 * every cache may keep it for a year; so it is with an upload's address that names the version of its file. The address
 * without one shows a replacement within minutes: the edge is purged, browsers ask again.
 */
import { sharedDatabase } from "../store/database.ts";
import type { Context } from "hono";
import { DomainError } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { getFile } from "../media/files.ts";
import { mediaTag } from "../domain/cache-tags.ts";
import { FILE_VERSION } from "../domain/media.ts";
import { findServedMedia, type StoredMedia } from "../store/media/system-media.ts";
import { limitReaders } from "../request/strangers.ts";
import type { AppEnv } from "./app-env.ts";
import { arrivalOf } from "./caller.ts";
import { noneMatch } from "./conditional.ts";
import type { Reply } from "./reply.ts";

/** Handles `GET /media/{id}`. Throws `not_found` if neither an article nor a library has the file, and `rate_limited`. */
export async function media(c: Context<AppEnv>): Promise<Reply | Response> {
  const id = c.req.param("id") ?? "";
  await limitReaders(arrivalOf(c), c.req.raw);
  const found = isId(id) ? await findServedMedia(sharedDatabase(c.env), id) : null;
  if (found === null) throw new DomainError("not_found", "There is no such file.");
  const version = found.sha256?.slice(0, FILE_VERSION);
  const headers = {
    "Content-Type": found.mediaType,
    ...cachingOf(found, version === undefined || c.req.query("v") === version),
    "Cache-Tag": mediaTag(found.articleId ?? id),
    ETag: `"${version === undefined ? id : `${id}-${version}`}"`,
    "Access-Control-Allow-Origin": "*",
    "Cross-Origin-Resource-Policy": "cross-origin",
    // Browsers must never run the file as a page, even if its bytes are valid HTML or SVG.
    "Content-Security-Policy": "default-src 'none'; sandbox",
  };
  if (noneMatch(c.req.header("If-None-Match"), headers.ETag)) return { status: 304, headers, body: null };
  const { fileId, organizationId } = found;
  const file = await getFile(c.env.MEDIA, { id: fileId, organizationId });
  if (file === null) throw new DomainError("not_found", "The file is gone.");
  return new Response(file.body, { headers: { ...headers, "Content-Length": String(file.size) } });
}

/** Returns the headers of caching: for a year if the address names this file, otherwise for five minutes. */
function cachingOf(_file: StoredMedia, isOfThisFile: boolean): Record<string, string> {
  if (isOfThisFile) return { "Cache-Control": "public, max-age=31536000, immutable" };
  return {
    "Cache-Control": "public, max-age=300",
    // The edge is purged when the file is replaced or deleted.
    "Cloudflare-CDN-Cache-Control": "max-age=86400",
  };
}
