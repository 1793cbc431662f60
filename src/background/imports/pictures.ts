/** Stores the pictures of an import in the library, each once. */
import { Unusable, type Article, type LocalFile } from "../../../packages/import/article.ts";
import {
  toAlt,
  replacePictures,
  shorten,
  explainUnfetchable,
  type Brought,
  type Wanted,
} from "../../../packages/import/article-pictures.ts";
import type { Remarks } from "../../../packages/import/remarks.ts";
import { LIMITS } from "../../domain/limits.ts";
import { toFileName, toSizedUrl, UploadedFile } from "../../domain/pictures.ts";
import { DomainError } from "../../domain/errors.ts";
import { sha256 } from "../../lib/hash.ts";
import { createMedia } from "../../operations/media.ts";
import { findPicture, keepPicture } from "../../store/imports/system-imports.ts";
import { fromStoredArticle, type StoredArticle } from "./files.ts";
import { Pause, runOperation, requireRefusal, type Work } from "./work.ts";

/** How many queries a picture takes. */
const OF_PICTURE = 20;

/** Returns the article with the addresses of the library. Notes the pictures that keep their address. */
export const importPictures = (work: Work, stored: StoredArticle, remarks: Remarks): Promise<Article> =>
  replacePictures(
    fromStoredArticle(stored, async (path, most) => (await (await import("./zip.ts")).openZip(work)).bytes(path, most)),
    (wanted) => importPicture(work, wanted),
    remarks,
  );

async function importPicture(work: Work, wanted: Wanted): Promise<Brought> {
  const { db, of, now, budget, arrival } = work;
  const { address, file } = wanted;
  if (address.startsWith(`${arrival.origin}/media/`)) return { url: null, reason: null };
  const key = await sha256(file === undefined ? address : `file:${file.path}`);
  budget.spend(1);
  const known = await findPicture(db, of.id, key);
  if (known !== null) return { url: known.url, reason: known.problem || null };
  if (budget.isSpent) throw new Pause();
  budget.spend(OF_PICTURE);
  const picture = await stored(work, wanted).catch((error: unknown) => {
    if (error instanceof Unusable) return { url: null, mediaId: null, problem: `it ${error.message}` };
    return { url: null, mediaId: null, problem: requireRefusal(error).message };
  });
  await keepPicture(db, of, { key, ...picture }, now());
  return { url: picture.url, reason: picture.problem || null };
}

/** Stores or fetches a picture. `mediaId` is null if the library had it already, so that undoing leaves it alone. */
async function stored(work: Work, { address, file, alt: said = "" }: Wanted) {
  if (file === undefined && !/^https?:\/\//i.test(address))
    throw new DomainError("invalid_request", explainUnfetchable(shorten(address)));
  const alt = toAlt(said);
  const given =
    file === undefined ? { url: address } : { file: await readUploadedFile(file), name: toFileName(file.path) };
  const { value, uncommitted } = await runOperation(work, createMedia, { ...given, ...(alt !== "" && { alt }) });
  return { url: toSizedUrl(value), mediaId: uncommitted ? null : value._id, problem: "" };
}

const readUploadedFile = async (file: LocalFile): Promise<UploadedFile> =>
  UploadedFile.of(await file.read(LIMITS.mediaBytes));
