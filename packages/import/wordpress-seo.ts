/** What SEO plugins keep in the custom fields of a post. */
import type { Seo } from "../../src/domain/seo.ts";
import { htmlToLine } from "./html.ts";
import type { Remarks } from "./remarks.ts";

/** The fields of Yoast, Rank Math, All in One SEO (4 and 3), SEOPress, The SEO Framework, and Jetpack. */
const FIELDS = {
  title:
    "_yoast_wpseo_title rank_math_title _aioseo_title _aioseop_title _seopress_titles_title _genesis_title jetpack_seo_html_title",
  description:
    "_yoast_wpseo_metadesc rank_math_description _aioseo_description _aioseop_description _seopress_titles_desc _genesis_description advanced_seo_description",
  canonicalUrl:
    "_yoast_wpseo_canonical rank_math_canonical_url _aioseop_custom_link _seopress_robots_canonical _genesis_canonical_uri",
  image: "_yoast_wpseo_opengraph-image rank_math_facebook_image _seopress_social_fb_img _social_image_url",
  noindex:
    "_yoast_wpseo_meta-robots-noindex rank_math_robots _aioseop_noindex _seopress_robots_index _genesis_noindex jetpack_seo_noindex",
} as const;

const listFields = (field: keyof typeof FIELDS): string[] => FIELDS[field].split(" ");

export const SEO_FIELDS: readonly string[] = (Object.keys(FIELDS) as (keyof typeof FIELDS)[]).flatMap(listFields);

export type Variables = { readonly title: string; readonly site: string; readonly excerpt: string };

/** Returns what the plugins say. A text with an unknown variable stays empty, with a remark. */
export function getSeo(meta: ReadonlyMap<string, string>, variables: Variables, remarks: Remarks): Partial<Seo> {
  const said = (field: keyof typeof FIELDS) => listFields(field).find((name) => (meta.get(name) ?? "") !== "") ?? "";
  const text = (field: "title" | "description") => {
    const name = said(field);
    const resolved = replaceVariables(meta.get(name) ?? "", getVariablePattern(name), variables);
    if (resolved === null) remarks.add(`SEO texts with variables left out (${name})`);
    return htmlToLine(resolved ?? "");
  };
  return {
    title: text("title"),
    description: text("description"),
    canonicalUrl: meta.get(said("canonicalUrl")) ?? "",
    image: meta.get(said("image")) ?? "",
    noindex: listFields("noindex").some((name) => NOINDEX.test(meta.get(name) ?? "")),
  };
}

/** Rank Math keeps a serialized list of words, the others one word. Yoast's 2 means the opposite. */
const NOINDEX = /^(?:1|on|yes)$|"noindex"/;

function getVariablePattern(name: string): RegExp {
  if (name.startsWith("_aioseo_")) return /#([a-z]+_[a-z_]+)/g;
  return name.startsWith("_yoast") || name.startsWith("_seopress") ? /%%([^%\s]+)%%/g : /%([a-z_]+(?:\([^)%]*\))?)%/g;
}

/** Fills in variables. Returns null if one is unknown or has no value. */
function replaceVariables(text: string, pattern: RegExp, { title, site, excerpt }: Variables): string | null {
  const values: Readonly<Record<string, string>> = {
    ...Object.fromEntries(["title", "post_title", "page_title"].map((name) => [name, title])),
    ...Object.fromEntries(["sitename", "sitetitle", "site_title", "blog_title"].map((name) => [name, site])),
    ...Object.fromEntries(["excerpt", "excerpt_only", "post_excerpt"].map((name) => [name, excerpt])),
    ...Object.fromEntries(["sep", "separator_sa"].map((name) => [name, "-"])),
    ...Object.fromEntries(["page", "pagenumber"].map((name) => [name, " "])),
  };
  let isKnown = true;
  const resolved = text.replaceAll(pattern, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? (values[name] ?? "") : "";
    isKnown &&= value !== "";
    return value;
  });
  return isKnown ? resolved : null;
}
