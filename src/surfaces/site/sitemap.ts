/** The site map of a blog, with translations as alternates (contract 20.5). Loaded on first use. */
import type { Context } from "hono";
import { toAbsoluteUrl, isElsewhere } from "../../domain/site.ts";
import { invalidField, makeBlogNotFoundError } from "../../domain/errors.ts";
import { hold } from "../../memory.ts";
import type { Located, Sitemap } from "../../store/articles/sitemaps.ts";
import type { AppEnv } from "../rest/app-env.ts";
import type { Reply } from "../rest/reply.ts";
import { enforceLimit } from "../request/limits.ts";
import { makeArrival } from "../rest/caller.ts";
import { getBlogName, openReader, toPublicReply, readQuery } from "./replies.ts";
import { escapeXml } from "./xml.ts";

/** Bytes: about a KiB for each URL that a file may have (store/articles/sitemaps.ts). */
const LARGEST = 32 * 1024 * 1024;

/** Handles `GET /blogs/{blogId}/sitemap.xml`. Throws `not_found`, `invalid_request` and `rate_limited`. */
export async function serveSitemap(c: Context<AppEnv>): Promise<Reply> {
  const page = parsePage(readQuery(c, ["page"]).page);
  const { published, baseUrl } = await openReader(c);
  // In lower case, so that other spellings of an id have no limit of their own.
  await enforceLimit(makeArrival(c), "sitemaps", getBlogName(c).toLowerCase());
  const held = await hold(LARGEST);
  try {
    const found = await published.readSitemap({ blog: getBlogName(c), page });
    if (found === null) throw makeBlogNotFoundError();
    const address = (place: string): string => toAbsoluteUrl(place, baseUrl);
    const own = `${baseUrl()}${new URL(c.req.url).pathname}`;
    const isIndex = page === undefined && found.pages > 1;
    const body = isIndex ? renderIndex(found, own) : renderMap(found, address, page ?? 0);
    return await toPublicReply(c, { blogId: found.blog._id, type: "application/xml", body });
  } finally {
    held.end();
  }
}

function parsePage(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^(?:0|[1-9]\d{0,5})$/.test(text)) throw invalidField("page", "must be a whole number");
  return Number(text);
}

const HEAD = '<?xml version="1.0" encoding="utf-8"?>\n';
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

const renderIndex = ({ pages }: Sitemap, own: string): string => {
  const files = Array.from(
    { length: pages },
    (_, n) => `<sitemap><loc>${escapeXml(`${own}?page=${n}`)}</loc></sitemap>\n`,
  );
  return `${HEAD}<sitemapindex ${NAMESPACE}>\n${files.join("")}</sitemapindex>\n`;
};

function renderMap(
  { blog, articles, nameEachOther }: Sitemap,
  address: (place: string) => string,
  page: number,
): string {
  const front = page > 0 ? "" : `<url><loc>${escapeXml(address(blog.place))}</loc></url>\n`;
  const parts: string[] = [];
  for (let from = 0; from < articles.length;) {
    let end = from + 1;
    while (articles[end]?.slug === articles[from]?.slug) end++;
    // Articles whose canonical URL is elsewhere are left out.
    const placed = articles
      .slice(from, end)
      .filter(({ canonicalUrl, place }) => !isElsewhere(canonicalUrl, address(place)));
    const areNamed = nameEachOther(articles[from]?.slug ?? "", end - from);
    parts.push(renderUrls(placed, { main: blog.locales[0], areNamed }, address));
    from = end;
  }
  return `${HEAD}<urlset ${NAMESPACE} xmlns:xhtml="http://www.w3.org/1999/xhtml">\n${front}${parts.join("")}</urlset>\n`;
}

/** Returns the entries of the translations of one article. If `areNamed`, each lists all of them as alternates. */
function renderUrls(
  translations: readonly Located[],
  { main, areNamed }: { readonly main: string | undefined; readonly areNamed: boolean },
  address: (place: string) => string,
): string {
  const placed = translations.map(({ locale, place, lastEditTime }) => ({
    locale,
    lastEditTime,
    url: escapeXml(address(place)),
  }));
  const first = placed.find(({ locale }) => locale === main);
  const alternates =
    placed.length === 1 || !areNamed
      ? ""
      : placed.map(({ locale, url }) => renderLink(locale, url)).join("") +
        (first ? renderLink("x-default", first.url) : "");
  return placed
    .map(({ url, lastEditTime }) => `<url><loc>${url}</loc><lastmod>${lastEditTime}</lastmod>${alternates}</url>\n`)
    .join("");
}

const renderLink = (locale: string, url: string): string =>
  `<xhtml:link rel="alternate" hreflang="${escapeXml(locale)}" href="${url}"/>`;
