import * as z from "zod";
import { LIMITS } from "../domain/limits.ts";
import { toFileName, MEDIA_TYPES, NO_SIZES, UploadedFile } from "../domain/pictures.ts";
import { isStale } from "../domain/preconditions.ts";
import { DomainError, invalidField } from "../domain/errors.ts";
import { newId } from "../lib/ids.ts";
import { isStorableWebUrl } from "../lib/web-url.ts";
import type { Versioned } from "../store/core/paging.ts";
import type { MediaItem } from "../store/media/library.ts";
import type { StoredPicture } from "../store/media/uploads.ts";
import { toListResult } from "./lists.ts";
import { defineOperation, type OrganizationContext } from "./define.ts";
import { deleted, identifier, line, output, toPageSize, paging, readOnlyMembers, text } from "./fields.ts";
import { parseSearchWords } from "./reader-search.ts";
import { requireSentBack } from "./unchanged.ts";

const mediaValue = z
  .object({
    _id: output.id,
    blogId: z.string().nullable().meta({
      description: "The blog of the credential that uploaded it, if that was pinned to one; null: it is for all blogs.",
      example: null,
    }),
    url: z.string().meta({
      description: "Its public URL. After a replacement, the same URL shows the new file.",
      example: "https://press.example.com/media/019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d",
    }),
    fileUrl: z.string().meta({
      description: "The URL of exactly this file, which caches may keep for a year. It changes with a replacement.",
      example: "https://press.example.com/media/019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d?v=9f86d081884c7d65",
    }),
    name: z.string().meta({ example: "harbour.jpg" }),
    alt: z.string().meta({
      description: "What it shows, for people who cannot see it.",
      example: "Boats in the harbour of Porto at dawn",
    }),
    mediaType: z.string().meta({ description: `One of ${MEDIA_TYPES.join(", ")}.`, example: "image/jpeg" }),
    bytes: z.int().meta({ description: "Of the stored file.", example: 483_112 }),
    width: z.int().meta({ description: "Pixels, as it is shown.", example: 2048 }),
    height: z.int().meta({ example: 1365 }),
    sizes: z.enum(["pending", "made", "none"]).meta({
      description: "Its smaller files, for `?w=`, which are made within seconds. `none`: readers get the file itself.",
      example: "made",
    }),
    sizesReason: z.enum(NO_SIZES).nullable().meta({
      description: "Why there are none: its `kind`, the `cost` of decoding it, `undecodable`, or too `small`.",
      example: null,
    }),
    blurHash: z.string().nullable().meta({
      description: "A blurred preview in about thirty characters (blurha.sh); null until it is made, with the sizes.",
      example: "LEHV6nWB2yk8pyo0adR*.7kCMdnj",
    }),
    articles: z.int().meta({ description: "How many articles that you can access show it, up to 1,000.", example: 2 }),
    creationTime: output.dateTime,
    lastEditTime: output.dateTime,
  })
  .meta({ id: "Media" });

const useValue = z
  .object({
    articleId: output.id,
    blogId: output.blogId,
    title: z.string().meta({ example: "Slow mornings in Porto" }),
    slug: z.string().meta({ example: "slow-mornings-in-porto" }),
    locale: z.string().meta({ example: "en" }),
    published: z.boolean(),
    places: z.array(z.enum(["article", "draft"])).meta({
      description: "Where: in the article itself, in its working copy, or in both.",
      example: ["article"],
    }),
  })
  .meta({ id: "MediaUse" });

/** Each surface makes an `UploadedFile` of what it receives. */
export const file = z
  .custom<UploadedFile>((value) => value instanceof UploadedFile, "must be an image file")
  .meta({ description: `An image: PNG, JPEG, GIF, WebP or AVIF, at most ${LIMITS.mediaBytes / 1024 / 1024} MiB.` });

const url = z.string().max(LIMITS.url).refine(isStorableWebUrl, "must be an absolute http or https URL").meta({
  description: "The URL of the image, which the service fetches once, instead of `file`.",
  example: "https://images.example.com/harbour.jpg",
});
const FILE_MISSING = "is required, unless you send a `url`";
const { name: _name, alt: _alt, ...madeByService } = mediaValue.shape;

const mediaId = identifier("an image");
const name = line(LIMITS.mediaName).trim().meta({ description: "A name to find it by.", example: "harbour.jpg" });
const alt = text(LIMITS.mediaAlt)
  .trim()
  .meta({ description: "What it shows, for people who cannot see it.", example: "Boats in the harbour at dawn" });

/** Returns what changes without a new version: uses, and whether the smaller files and the blur hash are made. */
const toState = ({ articles, sizes }: MediaItem): string => `${articles}.${sizes === "pending" ? 0 : 1}`;

export const PICTURE_ERRORS = ["unsupported_image", "image_invalid", "image_too_large", "quota_exceeded"] as const;

export const listMedia = defineOperation({
  name: "media.list",
  summary: "List the images in the library",
  description: "Newest first. A credential pinned to a blog sees those that were uploaded for that blog.",
  scope: "articles:read",
  effect: "read",
  input: z.strictObject({
    query: line(LIMITS.searchQuery)
      .optional()
      .meta({ description: `Up to ${LIMITS.mediaSearchWords} words in the name or alt text.`, example: "harbour" }),
    ...paging,
  }),
  output: z.array(mediaValue),
  hasEtag: true,
  async run({ store, service, limit: count, principal }, { query = "", ...page }) {
    const words = parseSearchWords("query", query, LIMITS.mediaSearchWords);
    if (words.length > 0) await count("searches", principal.organizationId);
    return toListResult(
      await store.listMedia({ ...page, words, limit: toPageSize(page.limit) }, service.baseUrl()),
      toState,
    );
  },
});

export const getMedia = defineOperation({
  name: "media.get",
  summary: "Get an image in the library",
  description: "Its details. The file is at `url`, for everybody.",
  scope: "articles:read",
  effect: "read",
  input: z.strictObject({ mediaId }),
  output: mediaValue,
  refuses: ["not_found"],
  hasEtag: true,
  async run({ store, service }, { mediaId }) {
    const found = await store.findMedia(mediaId, service.baseUrl());
    if (found === null) throw noSuchPicture();
    return { ...toResult(found), state: toState(found.value) };
  },
});

export const listMediaUses = defineOperation({
  name: "media.usage",
  summary: "List the articles that show an image",
  description:
    "Newest first, of the articles that you can access: in the content, as cover or as social image, of the article or its working copy.",
  scope: "articles:read",
  effect: "read",
  input: z.strictObject({ mediaId, ...paging }),
  output: z.array(useValue),
  refuses: ["not_found"],
  async run({ store, service }, { mediaId, ...page }) {
    if ((await store.findMedia(mediaId, service.baseUrl())) === null) throw noSuchPicture();
    const { items, next } = await store.listMediaUses(mediaId, { ...page, limit: toPageSize(page.limit) });
    return { value: [...items], next };
  },
});

export const createMedia = defineOperation({
  name: "media.create",
  summary: "Upload an image",
  description: `The format is read from its bytes. Location and other metadata are removed before it is stored. Instead of the file, a JSON body can name a URL from which the service fetches it. An image that is already in the library is not stored again: the response is the existing item. At most ${LIMITS.mediaPixels / 1e6} million pixels.`,
  scope: "articles:draft",
  effect: "write",
  input: z
    .strictObject({ file: file.optional(), url: url.optional(), name: name.optional(), alt: alt.optional() })
    .refine(({ file, url }) => file !== undefined || url !== undefined, { path: ["file"], message: FILE_MISSING })
    .refine(({ file, url }) => file === undefined || url === undefined, {
      path: ["url"],
      message: "cannot be combined with a file",
    })
    .meta({ id: "MediaUpload" }),
  output: mediaValue,
  refuses: [...PICTURE_ERRORS, "picture_unreachable", "media_limit", "event_limit"],
  hasEtag: true,
  audit: "uploaded the image *",
  async run(context, { file, url, alt = "", ...about }) {
    const { store, service } = context;
    const { name = url === undefined ? "" : parseFileName(url) } = about;
    const { picture, known, keep, giveUp } = await receiveFile(context, file ?? (await fetchFile(context, url)));
    if (known !== null) return { ...toResult(known), uncommitted: true };
    const id = await keep();
    const added = await store.addMedia({ id, name, alt, picture }, service.baseUrl()).catch(giveUp(id));
    if (added !== null) return requestSizes(context, added);
    // The same image was uploaded at the same time.
    await store.releaseMedia(id);
    const twin = await store.findMediaByHash(picture.sha256, service.baseUrl());
    if (twin === null) throw new DomainError("not_ready", "This image was deleted just now. Send it again.");
    return { ...toResult(twin), uncommitted: true };
  },
});

export const replaceMedia = defineOperation({
  name: "media.replace",
  summary: "Replace the file of an image",
  description:
    "Its URL stays the same and shows the new file; `fileUrl` changes. Caches show the old file for five minutes at most.",
  scope: "articles:write",
  effect: "write",
  versioned: true,
  input: z.strictObject({ mediaId, file }).meta({ id: "MediaReplacement" }),
  output: mediaValue,
  refuses: [...PICTURE_ERRORS, "not_found", "media_exists", "event_limit"],
  hasEtag: true,
  audit: "replaced the file of the image *",
  async run(context, { mediaId, file }) {
    const { store, service, ifMatch } = context;
    const current = await store.findMedia(mediaId, service.baseUrl());
    if (current === null) throw noSuchPicture();
    // Before storing the file; the commit checks it again.
    if (isStale(ifMatch, current.version)) throw new DomainError("precondition_failed");
    const { picture, known, keep, giveUp } = await receiveFile(context, file);
    if (known?.value._id === mediaId) {
      if (isStale(ifMatch, known.version)) throw new DomainError("precondition_failed");
      return { ...toResult(known), uncommitted: true };
    }
    if (known !== null) throw new DomainError("media_exists", `The image ${known.value._id} already has this file.`);
    const change = { id: mediaId, fileId: await keep(current.value.bytes), picture, ifMatch };
    const replaced = await store.replaceMedia(change, service.baseUrl()).catch(giveUp(change.fileId));
    context.later("purge", {});
    return requestSizes(context, replaced);
  },
});

export const updateMedia = defineOperation({
  name: "media.update",
  summary: "Update the name or alt text of an image",
  description: "Only the fields that are sent change. Articles keep the alt texts that they have.",
  scope: "articles:write",
  effect: "write",
  versioned: true,
  input: z
    .strictObject({ mediaId, name: name.optional(), alt: alt.optional(), ...readOnlyMembers(madeByService) })
    .meta({ id: "MediaChange" }),
  output: mediaValue,
  refuses: ["not_found", "event_limit"],
  hasEtag: true,
  audit: "changed the name or alt text of the image *",
  async run({ store, service, ifMatch }, { mediaId, name, alt, ...shown }) {
    await requireSentBack(shown, ifMatch, () => store.findMedia(mediaId, service.baseUrl()));
    return toResult(await store.updateMedia({ id: mediaId, ifMatch, name, alt }, service.baseUrl()));
  },
});

export const deleteMedia = defineOperation({
  name: "media.delete",
  summary: "Delete an image",
  description: "Refused while articles show it, unless `force` is true: they then show nothing in its place.",
  scope: "articles:write",
  effect: "delete",
  versioned: true,
  input: z.strictObject({
    mediaId,
    force: z.boolean().default(false).meta({ description: "Delete it even if articles show it.", example: false }),
  }),
  output: deleted,
  refuses: ["not_found", "media_in_use", "event_limit"],
  audit: "deleted an image",
  async run({ store, service, ifMatch, later }, { mediaId, force }) {
    await store.deleteMedia({ id: mediaId, force, ifMatch }, service.baseUrl());
    later("purge", {});
    return { value: { _id: mediaId } };
  },
});

const noSuchPicture = () => new DomainError("not_found", "There is no such image.");

const toResult = ({ value, version }: Versioned<MediaItem>) => ({ value, version });

/** Returns the file at a URL. Throws `invalid_request` without one, `rate_limited`, and the errors of the fetch. */
async function fetchFile(
  { services, limit, principal }: OrganizationContext,
  url: string | undefined,
): Promise<UploadedFile> {
  if (url === undefined) throw invalidField("file", FILE_MISSING);
  const { fetchPicture } = await services();
  await limit("pictureFetches", principal.organizationId);
  return fetchPicture(url);
}

/** Returns the file name in a URL; "" if it has none. */
function parseFileName(url: string): string {
  const { pathname } = new URL(url);
  try {
    return toFileName(decodeURIComponent(pathname));
  } catch {
    return toFileName(pathname);
  }
}

/** Returns the result of a write that stored a file, and requests its smaller files. */
function requestSizes({ later, principal }: OrganizationContext, { value, version }: Versioned<MediaItem>) {
  if (value.sizes === "pending") later("sizes", { mediaId: value._id, organizationId: principal.organizationId });
  return { value, version };
}

/**
 * Reads an upload. Returns what to store, and the item that already has this file, if any. `keep` reserves the
 * additional bytes and puts the file into R2; it throws `quota_exceeded`. `giveUp` undoes that. Throws the errors of
 * the image reader.
 */
async function receiveFile({ services, store, service, principal }: OrganizationContext, file: UploadedFile) {
  const { readPicture, putFile } = await services();
  const { bytes, ...about } = await readPicture(file);
  const picture: StoredPicture = { ...about, bytes: bytes.byteLength };
  const giveUp =
    (id: string) =>
    async (error: unknown): Promise<never> => {
      // The caller must see the error of the upload. If this fails, the sweep cleans up within half an hour.
      await store.releaseMedia(id).catch(() => undefined);
      throw error;
    };
  return {
    picture,
    known: await store.findMediaByHash(picture.sha256, service.baseUrl()),
    giveUp,
    keep: async (before = 0): Promise<string> => {
      const id = newId();
      await store.reserveMedia({ id, mediaType: picture.mediaType, bytes: Math.max(0, picture.bytes - before) });
      await putFile({ id, organizationId: principal.organizationId }, { bytes, mediaType: picture.mediaType }).catch(
        giveUp(id),
      );
      return id;
    },
  };
}
