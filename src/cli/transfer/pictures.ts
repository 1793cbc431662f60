/**
 * Brings the pictures of articles along: the service fetches each from its address, by its own rules, and the article gets
 * the address in the library instead. What cannot be brought stays as it was, and the import goes on.
 */
import type { Media } from "../api.ts";
import type { Client } from "../client.ts";
import { CliError } from "../failure.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Article } from "./article.ts";
import type { Journal } from "./journal.ts";
import type { Pace } from "./pace.ts";
import { placesIn, replaced } from "./picture-addresses.ts";

/** What became of the pictures of an import. */
export type PicturesOutcome = {
  /** Fetched by this import; by a dry run, those that would be. */
  brought: number;
  /** Brought by an earlier run of the same import. */
  known: number;
  /** Those that stay where they are, each once. */
  readonly failed: { readonly address: string; readonly reason: string }[];
};

export type Pictures = {
  readonly outcome: PicturesOutcome;
  /** Returns an article with the addresses of the library. Throws `CliError` for what concerns the whole import. */
  withPictures(article: Article): Promise<Article>;
};

type Options = {
  readonly client: Client;
  readonly journal: Journal;
  readonly pace: Pace;
  /** `known`: only those that an earlier run has brought are replaced; `dry`: nothing is fetched. */
  readonly manner: "fetch" | "dry" | "known";
  readonly onFailed: (failed: PicturesOutcome["failed"][number]) => void;
};

/** The most pictures that one run has fetched. The next run of the same import brings the others. */
const MOST = 5000;
/** The codes of errors that concern one picture. */
const PICTURE_ERRORS = new Set([
  "picture_unreachable",
  "body_too_large",
  "unsupported_image",
  "image_invalid",
  "image_too_large",
  "invalid_request",
  "internal",
]);
/** The codes of errors after which no other picture has a chance, while articles still have. */
const FULL = new Set(["quota_exceeded", "media_limit"]);

/** Thrown for a picture that stays where it is. The message is the reason. */
class Left extends Error {}

export function openPictures(options: Options): Pictures {
  const { client, journal, manner, onFailed } = options;
  const outcome: PicturesOutcome = { brought: 0, known: 0, failed: [] };
  const asked = new Map<string, Promise<string | null>>();
  const state = { fetched: 0, full: "" };

  async function bring(address: string, alt: string): Promise<string | null> {
    const known = journal.pictureAt(address);
    if (known !== undefined) {
      outcome.known++;
      return known;
    }
    if (manner === "known" || address.startsWith(`${client.server}/media/`)) return null;
    try {
      const url = await fetched(options, state, address, alt);
      outcome.brought++;
      if (url !== null) await journal.keepPicture(address, url);
      return url;
    } catch (error) {
      if (!(error instanceof Left)) throw error;
      const failed = { address: shown(address), reason: error.message };
      outcome.failed.push(failed);
      onFailed(failed);
      return null;
    }
  }

  /** Asks for each address once, whatever article names it first. */
  const once = (address: string, alt = ""): Promise<string | null> => {
    const before = asked.get(address) ?? bring(address, alt);
    asked.set(address, before);
    return before;
  };

  return {
    outcome,
    withPictures: async (article) =>
      manner === "known" && !journal.hasPictures() ? article : rewritten(article, once),
  };
}

/** Returns an article with the addresses that `bring` knows of its pictures. */
async function rewritten(
  article: Article,
  bring: (address: string, alt?: string) => Promise<string | null>,
): Promise<Article> {
  const places = placesIn(article.content);
  const addresses = new Map<string, string | null>();
  for (const { address, alt } of places) addresses.set(address, await bring(address, alt));
  const content = replaced(
    article.content,
    places,
    ({ address, from, to }) => addresses.get(address) ?? article.content.slice(from, to),
  );
  const { coverUrl, extras } = article;
  const single = async (address: string) => (address === "" ? "" : plain((await bring(address)) ?? address));
  const seo = extras?.seo && { ...extras.seo, image: await single(extras.seo.image) };
  return { ...article, content, coverUrl: await single(coverUrl), ...(seo && { extras: { ...extras, seo } }) };
}

/** Has the service fetch a picture. Returns its address, with its size for renderers (contract 19.10); null in a dry run. */
async function fetched(
  { client, pace, manner }: Options,
  state: { fetched: number; full: string },
  address: string,
  alt: string,
): Promise<string | null> {
  if (!/^https?:\/\//i.test(address)) throw new Left(unfetchable(address));
  if (state.full !== "") throw new Left(state.full);
  if (state.fetched >= MOST) throw new Left(`a run brings at most ${MOST} pictures; run the same command again`);
  state.fetched++;
  if (manner === "dry") return null;
  await pace.turn();
  const body = { url: address, ...(alt !== "" && { alt: alt.trim().slice(0, LIMITS.mediaAlt).toWellFormed() }) };
  try {
    const request = {
      method: "POST",
      path: "/api/media",
      body,
      onWait: (seconds: number) => pace.paused(seconds),
    } as const;
    const { url, width, height } = (await client.request<Media>(request)).value;
    return `${url}#${width}x${height}`;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    if (FULL.has(error.code)) state.full = error.message;
    if (FULL.has(error.code) || PICTURE_ERRORS.has(error.code)) throw new Left(error.message);
    throw error;
  }
}

const unfetchable = (address: string): string =>
  address.startsWith("data:")
    ? "it is in the text itself, which has no address"
    : "its address is relative (--site-url gives the address of the old site of Ghost)";

/** An address without its fragment: covers are not part of a text. */
const plain = (address: string): string =>
  /\/media\/[^#]+#\d+x\d+$/.test(address) ? address.replace(/#.*$/, "") : address;

/** A picture in the text itself may have megabytes. */
const shown = (address: string): string => (address.length > 200 ? `${address.slice(0, 200)}…` : address);
