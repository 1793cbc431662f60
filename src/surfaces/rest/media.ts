/**
 * The files of articles and of the media library (contract 8.6 and 19.6). Caches may keep the image of a generated article
 * and an upload whose URL names its version for a year. Other URLs show a replaced file within minutes.
 */
import { openDatabaseOf } from "../../store/database.ts";
import type { Context } from "hono";
import { DomainError } from "../../domain/errors.ts";
import { isId } from "../../lib/ids.ts";
import { log } from "../../lib/log.ts";
import { parseSettings } from "../../env.ts";
import { getFile } from "../../background/media/files.ts";
import { imagesTag, mediaTag } from "../../domain/cache-tags.ts";
import { FILE_VERSION, findServedWidth } from "../../domain/pictures.ts";
import { findServedMedia, type StoredMedia } from "../../store/media/system-media.ts";
import { READ_HEADERS } from "../request/cross-origin.ts";
import { enforceReadLimit } from "../request/strangers.ts";
import { isAtCeiling } from "../../store/ledger.ts";
import { makeMeter } from "../../meter.ts";
import type { AppEnv } from "./app-env.ts";
import { makeArrival } from "./caller.ts";
import { matchesIfNoneMatch } from "./conditional.ts";
import type { Reply } from "./reply.ts";

/** Handles `GET /media/{id}`. Throws `not_found` and `rate_limited`. */
export async function serveMedia(c: Context<AppEnv>): Promise<Reply | Response> {
  const id = c.req.param("id") ?? "";
  await enforceReadLimit(makeArrival(c), c.req.raw);
  const db = openDatabaseOf(c.env, "media", id);
  const found = isId(id) ? await findServedMedia(db, id) : null;
  const url = new URL(c.req.url);
  if (found === null) return leadToMoved(c.env, url, id);
  let size = chooseSize(found, c.req.query("w"), (c.env as Bindings).IMAGES !== undefined);
  const named = c.req.query("v");
  if (isTransformed(c.env, found, size)) {
    const version = getVersion(found);
    const only = `?${named !== undefined && named === version ? `v=${version}&` : ""}w=${size.width}`;
    if (url.search !== only) return redirect(`${url.pathname}${only}`);
    if (await isAtCeiling(db, found.organizationId)) size = { width: null, isFinal: false };
  }
  const headers = buildHeaders(id, found, size, named);
  if (matchesIfNoneMatch(c.req.header("If-None-Match"), headers.ETag)) return { status: 304, headers, body: null };
  const body = await readFile(c.env, found, size);
  if (body === null) throw new DomainError("not_found", "The file no longer exists.");
  return new Response(body.stream, {
    headers: {
      ...buildHeaders(id, found, body.size, named),
      ...(body.bytes !== null && { "Content-Length": String(body.bytes) }),
    },
  });
}

/** Leads to the deployment to which organizations moved. Throws `not_found` if there is none. */
function leadToMoved(env: Env, { search }: URL, id: string): Reply {
  const { movedMediaUrl, baseUrl } = parseSettings(env);
  if (!isId(id) || movedMediaUrl === "" || movedMediaUrl === baseUrl)
    throw new DomainError("not_found", "There is no such file.");
  return redirect(`${movedMediaUrl}/media/${id}${search}`);
}

function redirect(location: string): Reply {
  const headers = { ...READ_HEADERS, Location: location, "Cache-Control": "public, max-age=300" };
  return { status: 302, headers, body: null };
}

const getVersion = ({ sha256 }: StoredMedia): string | undefined => sha256?.slice(0, FILE_VERSION);

function buildHeaders(id: string, found: StoredMedia, { width, isFinal }: Size, named: string | undefined) {
  const version = getVersion(found);
  const tag = [id, version, width && `w${width}`].filter(Boolean).join("-");
  return {
    "Content-Type": width === null ? found.mediaType : RESIZED,
    ...getCacheHeaders(version === undefined || named === version, isFinal),
    "Cache-Tag": [mediaTag(found.articleId ?? id), imagesTag(found.organizationId)].join(","),
    ETag: `"${tag}"`,
    ...READ_HEADERS,
    "Cross-Origin-Resource-Policy": "cross-origin",
    // Browsers must never run the file as a page, even if it is valid HTML or SVG.
    "Content-Security-Policy": "default-src 'none'; sandbox",
  };
}

/** Cloudflare Images is optional (docs/deploy.md). */
type Bindings = Env & { readonly IMAGES?: ImagesBinding };

const RESIZED = "image/webp";

/** A served size. `width` is null for the original. `isFinal` is false if the smaller file does not exist yet. */
type Size = { readonly width: number | null; readonly isFinal: boolean };

function chooseSize({ mediaType, width, sizes }: StoredMedia, asked: string | undefined, hasImages: boolean): Size {
  const wanted = asked !== undefined && /^[1-9]\d{0,4}$/.test(asked) ? findServedWidth(Number(asked)) : null;
  if (wanted === null || width === null || wanted >= width) return { width: null, isFinal: true };
  // Animated pictures are not resized. A PNG without known sizes may be animated.
  const isStill =
    mediaType === "image/jpeg" || (mediaType === "image/png" && sizes?.length !== 0 && sizes?.[0] !== "kind");
  if (hasImages) return { width: isStill ? wanted : null, isFinal: true };
  return { width: sizes?.includes(wanted) ? wanted : null, isFinal: sizes !== null };
}

/**
 * Returns whether a size is made by Cloudflare Images for this response, which costs money. Then only one address of the file and width serves it: an edge caches
 * each address by itself, so a stranger could make up any number of them.
 */
const isTransformed = ({ IMAGES }: Bindings, { sizes }: StoredMedia, { width }: Size): boolean =>
  width !== null && IMAGES !== undefined && !sizes?.includes(width);

/** A file in the requested size, or in the original size if it cannot be resized. */
type Body = { readonly stream: ReadableStream; readonly bytes: number | null; readonly size: Size };

async function readFile(env: Bindings, { fileId: id, ...found }: StoredMedia, size: Size): Promise<Body | null> {
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
    makeMeter(env).count(found.organizationId, { pictureOperations: 1 });
    return { stream: resized.image(), bytes: null, size };
  } catch (error) {
    // The picture cannot be decoded, or Images fails temporarily.
    log({ level: "warn", message: "picture not resized", media: id, error });
    return file({ width: null, isFinal: false });
  }
}

function getCacheHeaders(isOfThisFile: boolean, isFinal: boolean): Record<string, string> {
  // The smaller files will exist within seconds.
  if (!isFinal) return { "Cache-Control": "public, max-age=10" };
  if (isOfThisFile) return { "Cache-Control": "public, max-age=31536000, immutable" };
  return {
    "Cache-Control": "public, max-age=300",
    // The edge is purged when the file is replaced or deleted.
    "Cloudflare-CDN-Cache-Control": "max-age=86400",
  };
}
