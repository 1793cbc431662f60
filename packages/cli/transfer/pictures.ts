/**
 * Brings the pictures of articles into the library: files of an imported folder are uploaded, and other pictures are
 * fetched by the service. If that fails, the article keeps the old address, and the import goes on.
 */
import type { Client } from "../client.ts";
import { toBlob, UPLOAD_MS } from "../commands/media.ts";
import { hasCode } from "../failure.ts";
import { LIMITS } from "../../../src/domain/limits.ts";
import { toFileName, toSizedUrl } from "../../../src/domain/pictures.ts";
import { sha256 } from "../../../src/lib/hash.ts";
import { Unusable, type Article, type LocalFile } from "../../import/article.ts";
import type { Journal } from "./journal.ts";
import type { Pace } from "./pace.ts";
import {
  toAlt,
  replacePictures,
  shorten,
  explainUnfetchable,
  type Brought,
  type Wanted,
} from "../../import/article-pictures.ts";
import type { Remarks } from "../../import/remarks.ts";

export type PicturesOutcome = {
  /** In a dry run, those that would be brought. */
  brought: number;
  known: number;
  /** Each picture once. */
  readonly failed: { readonly address: string; readonly reason: string }[];
};

type Options = {
  readonly client: Client;
  readonly server: string;
  readonly journal: Journal;
  readonly pace: Pace;
  /** `known`: replaces only those that an earlier run has brought. `dry`: fetches nothing. */
  readonly manner: "fetch" | "dry" | "known";
};

/** For one run. The next run of the same import brings the others. */
const MOST = 5000;
/** Codes that concern one picture. */
const PICTURE_ERRORS = [
  "picture_unreachable",
  "body_too_large",
  "unsupported_image",
  "image_invalid",
  "image_too_large",
  "invalid_request",
  "internal",
];
/** Codes after which no other picture will be taken, but articles still are. */
const FULL = ["quota_exceeded", "media_limit"];

/** Thrown for a picture that stays where it is. The message is the reason. */
class Left extends Error {}

export function openPictures(options: Options) {
  const { server, journal, manner } = options;
  const outcome: PicturesOutcome = { brought: 0, known: 0, failed: [] };
  const asked = new Map<string, Promise<Brought>>();
  const state = { fetched: 0, full: "" };

  async function bring(wanted: Wanted): Promise<Brought> {
    const { address, file } = wanted;
    try {
      const bytes = file === undefined ? null : await readPicture(file);
      // By its bytes: a file that has changed is another picture, and two copies are one.
      const key = bytes === null ? address : `sha256:${await sha256(bytes)}`;
      const known = journal.findPicture(key);
      if (known !== undefined) outcome.known++;
      if (known !== undefined) return { url: known, reason: null };
      if (manner === "known" || address.startsWith(`${server}/media/`)) return { url: null, reason: null };
      const url = await askOnce(uploads, key, () => storePicture(options, state, wanted, bytes));
      if (url.isNew) outcome.brought++;
      else outcome.known++;
      if (url.value !== null) await journal.add({ picture: key, url: url.value });
      return { url: url.value, reason: null };
    } catch (error) {
      if (!(error instanceof Left)) throw error;
      outcome.failed.push({ address: file?.path ?? shorten(address), reason: error.message });
      return { url: null, reason: error.message };
    }
  }

  const uploads = new Map<string, Promise<string | null>>();
  /** Brings each picture once, however many articles have it. */
  const bringOnce = (wanted: Wanted): Promise<Brought> => {
    const key = wanted.file === undefined ? wanted.address : `file:${wanted.file.path}`;
    const before = asked.get(key) ?? bring(wanted);
    asked.set(key, before);
    return before;
  };

  return {
    outcome,
    /** Returns an article with addresses in the library. Throws `CliError` for what concerns the whole import. */
    withPictures: async (article: Article, remarks: Remarks): Promise<Article> =>
      manner === "known" && !journal.hasPictures() ? article : replacePictures(article, bringOnce, remarks),
  };
}

async function readPicture(file: LocalFile): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const bytes = await file.read(LIMITS.mediaBytes);
    if (bytes.length > 0) return bytes;
  } catch (error) {
    if (error instanceof Unusable) throw new Left(`it ${error.message}`);
    throw error;
  }
  throw new Left("it is empty");
}

/** Asks once for what several want at the same time. `isNew` is true for the first of them. */
async function askOnce<T>(
  asked: Map<string, Promise<T>>,
  key: string,
  ask: () => Promise<T>,
): Promise<{ value: T; isNew: boolean }> {
  const before = asked.get(key);
  const now = before ?? ask();
  asked.set(key, now);
  return { value: await now, isNew: before === undefined };
}

/** Returns the address in the library, with its size for renderers (contract 19.10); null in a dry run. */
async function storePicture(
  { client, pace, manner }: Options,
  state: { fetched: number; full: string },
  { address, file, alt: said = "" }: Wanted,
  bytes: Uint8Array<ArrayBuffer> | null,
): Promise<string | null> {
  if (bytes === null && !/^https?:\/\//i.test(address)) throw new Left(explainUnfetchable(address));
  if (state.full !== "") throw new Left(state.full);
  if (state.fetched >= MOST) throw new Left(`a run brings at most ${MOST} pictures; run the same command again`);
  state.fetched++;
  if (manner === "dry" && bytes !== null && !IS_PICTURE.test(String.fromCharCode(...bytes.subarray(0, 64)))) {
    throw new Left("it is no PNG, JPEG, GIF, WebP or AVIF");
  }
  if (manner === "dry") return null;
  await pace.waitForTurn();
  const alt = toAlt(said);
  const about = { ...(alt !== "" && { alt }) };
  const name = file && toFileName(file.path);
  const sent =
    bytes === null
      ? { body: { url: address, ...about } }
      : { body: toBlob(bytes), query: { ...about, ...(name && { name }) }, timeoutMs: UPLOAD_MS };
  try {
    return toSizedUrl((await client.request("POST /api/media", sent)).value);
  } catch (error) {
    if (!hasCode(error, ...PICTURE_ERRORS, ...FULL)) throw error;
    if (FULL.includes(error.code)) state.full = error.message;
    throw new Left(error.message);
  }
}

/** The first bytes of the formats that the service takes: a dry run does not ask it. */
const IS_PICTURE = /^(?:\x89PNG|\xff\xd8\xff|GIF8|RIFF[^]{4}WEBP|[^]{4}ftyp[^]*avif)/;
