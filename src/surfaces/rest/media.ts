/**
 * Serves the files of articles and of libraries (contract 8.6 and 19.6). The image of a generated article never changes, so
 * every cache may keep it for a year; so it is with an upload's address that names the version of its file. The address
 * without one shows a replacement within minutes: the edge is purged, browsers ask again.
 */
import { sharedDatabase } from "../../store/database.ts";
import type { Context } from "hono";
import { DomainError } from "../../domain/errors.ts";
import { isId } from "../../lib/ids.ts";
import { log } from "../../lib/log.ts";
import { getFile } from "../../background/media/files.ts";
import { mediaTag } from "../../domain/cache-tags.ts";
import { FILE_VERSION, servedWidth } from "../../domain/pictures.ts";
import { findServedMedia, type StoredMedia } from "../../store/media/system-media.ts";
import { READABLE } from "../request/cross-origin.ts";
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
  const size = sizeOf(found, c.req.query("w"), (c.env as Bindings).IMAGES !== undefined);
  const headersOf = (shown: Size) => headersFor(id, found, { ...shown, version: c.req.query("v") });
  const headers = headersOf(size);
  if (noneMatch(c.req.header("If-None-Match"), headers.ETag)) return { status: 304, headers, body: null };
  const body = await bodyOf(c.env, found, size);
  if (body === null) throw new DomainError("not_found", "The file no longer exists.");
  return new Response(body.stream, {
    headers: { ...headersOf(body.size), ...(body.bytes !== null && { "Content-Length": String(body.bytes) }) },
  });
}

/** Returns the headers of a file in a size, at an address that names this version. */
function headersFor(
  id: string,
  found: StoredMedia,
  { width, isFinal, version: named }: Size & { version?: string | undefined },
) {
  const version = found.sha256?.slice(0, FILE_VERSION);
  const tag = [id, version, width && `w${width}`].filter(Boolean).join("-");
  return {
    "Content-Type": width === null ? found.mediaType : RESIZED,
    ...cachingOf(version === undefined || named === version, isFinal),
    "Cache-Tag": mediaTag(found.articleId ?? id),
    ETag: `"${tag}"`,
    ...READABLE,
    "Cross-Origin-Resource-Policy": "cross-origin",
    // Browsers must never run the file as a page, even if its bytes are valid HTML or SVG.
    "Content-Security-Policy": "default-src 'none'; sandbox",
  };
}

/** Cloudflare Images, where a deployment has it (docs/deploy.md). */
type Bindings = Env & { readonly IMAGES?: ImagesBinding };

/** The format of smaller files: all browsers know it. */
const RESIZED = "image/webp";

/** What is served where a width is asked for. `width` is null for the original, and `isFinal` false if that may change. */
type Size = { readonly width: number | null; readonly isFinal: boolean };

function sizeOf({ mediaType, width, sizes }: StoredMedia, asked: string | undefined, hasImages: boolean): Size {
  const wanted = asked !== undefined && /^[1-9]\d{0,4}$/.test(asked) ? servedWidth(Number(asked)) : null;
  if (wanted === null || width === null || wanted >= width) return { width: null, isFinal: true };
  // What may move stays as it is. Of an earlier PNG without sizes, nothing says whether it does.
  const isStill =
    mediaType === "image/jpeg" || (mediaType === "image/png" && sizes?.length !== 0 && sizes?.[0] !== "kind");
  if (hasImages) return { width: isStill ? wanted : null, isFinal: true };
  return { width: sizes?.includes(wanted) ? wanted : null, isFinal: sizes !== null };
}

/** A file, and the size in which it is: the original, where the one that was asked for cannot be made. */
type Body = { readonly stream: ReadableStream; readonly bytes: number | null; readonly size: Size };

/** Returns the file in a size; null if R2 has none. */
async function bodyOf(env: Bindings, { fileId: id, ...found }: StoredMedia, size: Size): Promise<Body | null> {
  const { width } = size;
  const name = { id, organizationId: found.organizationId };
  const isMade = width !== null && found.sizes?.includes(width);
  const file = async (shown: Size): Promise<Body | null> => {
    const stored = await getFile(env.MEDIA, name, isMade ? width : undefined);
    return stored && { stream: stored.body, bytes: stored.size, size: shown };
  };
  if (width === null || isMade || env.IMAGES === undefined) return file(size);
  const original = await file(size);
  if (original === null) return null;
  try {
    const resized = await env.IMAGES.input(original.stream)
      .transform({ width, fit: "scale-down" })
      .output({ format: RESIZED, quality: 78 });
    return { stream: resized.image(), bytes: null, size };
  } catch (error) {
    // It cannot be decoded, or Images fails at the moment.
    log({ level: "warn", message: "picture not resized", media: id, error });
    return file({ width: null, isFinal: false });
  }
}

/** Returns the headers of caching: for a year if the address names this file and it is final, otherwise for minutes. */
function cachingOf(isOfThisFile: boolean, isFinal: boolean): Record<string, string> {
  // The smaller files are made within seconds.
  if (!isFinal) return { "Cache-Control": "public, max-age=10" };
  if (isOfThisFile) return { "Cache-Control": "public, max-age=31536000, immutable" };
  return {
    "Cache-Control": "public, max-age=300",
    // The edge is purged when the file is replaced or deleted.
    "Cloudflare-CDN-Cache-Control": "max-age=86400",
  };
}
