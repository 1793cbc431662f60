/** The options of articles for what search engines and social networks are told. */
import type { Command } from "commander";
import type { SeoInput } from "../api.ts";
import { given } from "./shared.ts";

export type SeoOptions = {
  readonly seoTitle?: string;
  readonly seoDescription?: string;
  readonly canonicalUrl?: string;
  readonly noindex?: boolean;
  readonly seoImage?: string;
};

export const withSeo = (command: Command): Command =>
  command
    .option("--seo-title <text>", 'its meta title; "" for its own title, here and below')
    .option("--seo-description <text>", "its meta description")
    .option("--canonical-url <url>", "its canonical URL")
    .option("--seo-image <url>", "its social image")
    .option("--noindex", "ask search engines not to list it")
    .option("--no-noindex", "let search engines list it again");

/** Returns what the options say; undefined if they say nothing. */
export function seoOf(options: SeoOptions): SeoInput | undefined {
  const { seoTitle: title, seoDescription: description, canonicalUrl, noindex, seoImage: image } = options;
  const said = given({ title, description, canonicalUrl, noindex, image });
  return Object.keys(said).length === 0 ? undefined : said;
}

/** Completes `seo` by what is stored, because the service replaces it as a whole. */
export async function withWholeSeo<Members extends { readonly seo?: SeoInput }>(
  members: Members,
  stored: () => Promise<SeoInput | undefined>,
): Promise<Members> {
  return members.seo === undefined ? members : { ...members, seo: { ...(await stored()), ...members.seo } };
}
