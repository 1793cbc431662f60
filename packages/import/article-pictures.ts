/** Gives the pictures of an article new addresses, and notes those that keep their old ones. */
import type { Article, LocalFile } from "./article.ts";
import { UNCHOSEN } from "./choices.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import { findAddresses, findPictures, replaceAddresses } from "../markdown/picture-addresses.ts";
import { joinNames, type Remarks } from "./remarks.ts";

export type Wanted = { readonly address: string; readonly file?: LocalFile | undefined; readonly alt?: string };
/** The address in the library, or the reason why the picture keeps the old one. Both are null if it is left alone. */
export type Brought = { readonly url: string | null; readonly reason: string | null };

/** Returns the article with the addresses that `bring` finds for its pictures. Notes those that keep theirs. */
export async function replacePictures(
  article: Article,
  bring: (wanted: Wanted) => Promise<Brought>,
  remarks: Remarks,
): Promise<Article> {
  const { files = new Map<string, LocalFile>(), coverFile } = article;
  const places = (files.size === 0 ? findPictures(article.content) : findAddresses(article.content)).filter(
    ({ address, isPicture }) => isPicture || files.has(address),
  );
  const addresses = new Map<string, string | null>();
  const left = new Map<string, string>();
  const newAddress = async (wanted: Wanted) => {
    const { url, reason } = await bring(wanted);
    if (reason !== null) left.set(wanted.file?.path ?? shorten(wanted.address), reason);
    return url;
  };
  for (const { address, alt } of places) {
    // The reader of the folder has already named relative addresses that lead to no file.
    const isLost = article.files !== undefined && !files.has(address) && !/^[a-z][a-z\d+.-]*:/i.test(address);
    addresses.set(address, isLost ? null : await newAddress({ address, file: files.get(address), alt }));
  }
  const content = replaceAddresses(
    article.content,
    places,
    ({ address, from, to }) => addresses.get(address) ?? article.content.slice(from, to),
  );
  const { coverUrl, extras } = article;
  const single = async (address: string) =>
    address === "" ? "" : stripFragment((await newAddress({ address })) ?? address);
  const cover =
    coverFile === undefined
      ? await single(coverUrl)
      : stripFragment((await newAddress({ address: "", file: coverFile, ...coverFile })) ?? "");
  const seo = extras?.seo && { ...extras.seo, image: await single(extras.seo.image) };
  for (const reason of new Set(left.values())) {
    const addresses = [...left].filter((each) => each[1] === reason).map(([address]) => address);
    remarks.note(
      "articles with pictures that stay where they are",
      `pictures that stay where they are (${reason}): ${joinNames(addresses)}`,
    );
  }
  return { ...article, content, coverUrl: cover, ...(seo && { extras: { ...extras, seo } }) };
}

export const toAlt = (said: string): string => said.trim().slice(0, LIMITS.mediaAlt).toWellFormed();

export const explainUnfetchable = (address: string): string =>
  address.startsWith("data:")
    ? "it is in the text itself, which has no address"
    : `it is relative, and ${UNCHOSEN.siteUrl}`;

/** Removes the size from an address in the library: only texts use it. */
const stripFragment = (address: string): string =>
  /\/media\/[^#]+#\d+x\d+$/.test(address) ? address.replace(/#.*$/, "") : address;

/** Shortens an address: a picture in a `data:` address may have megabytes. */
export const shorten = (address: string): string => (address.length > 200 ? `${address.slice(0, 200)}…` : address);
