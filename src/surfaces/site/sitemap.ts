/** The site map of a blog, with translations as alternates (contract 20.5). Loaded on first use. */
import type { Context } from "hono";
import { addressOf, isElsewhere } from "../../domain/site.ts";
import { invalidField } from "../../domain/errors.ts";
import { hold } from "../../memory.ts";
import type { Located, Sitemap } from "../../store/articles/sitemaps.ts";
import type { AppEnv } from "../rest/app-env.ts";
import type { Reply } from "../rest/reply.ts";
import { withinLimit } from "../request/limits.ts";
import { arrivalOf } from "../rest/caller.ts";
import { blogOf, openReader, publicReply, queryOf, unknownBlog } from "./replies.ts";
import { escaped } from "./xml.ts";

const LARGEST = 48 * 1024 * 1024;

/** Handles `GET /blogs/{blogId}/sitemap.xml`. Throws `not_found`, `invalid_request` and `rate_limited`. */
export async function sitemap(c: Context<AppEnv>): Promise<Reply> {
  const page = pageOf(queryOf(c, ["page"]).page);
  const { published, baseUrl } = await openReader(c);
  // In lower case, so that other spellings of an id have no limit of their own.
  await withinLimit(arrivalOf(c), "sitemaps", blogOf(c).toLowerCase());
  const held = await hold(LARGEST);
  try {
    const found = await published.readSitemap({ blog: blogOf(c), page });
    if (found === null) throw unknownBlog();
    const address = (place: string): string => addressOf(place, baseUrl);
    const own = `${baseUrl()}${new URL(c.req.url).pathname}`;
    const isIndex = page === undefined && found.pages > 1;
    const body = isIndex ? indexOf(found, own) : mapOf(found, address, page ?? 0);
    return await publicReply(c, { blogId: found.blog._id, type: "application/xml", body });
  } finally {
    held.end();
  }
}

function pageOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^(?:0|[1-9]\d{0,5})$/.test(text)) throw invalidField("page", "must be a whole number");
  return Number(text);
}

const HEAD = '<?xml version="1.0" encoding="utf-8"?>\n';
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

const indexOf = ({ pages }: Sitemap, own: string): string => {
  const files = Array.from(
    { length: pages },
    (_, n) => `<sitemap><loc>${escaped(`${own}?page=${n}`)}</loc></sitemap>\n`,
  );
  return `${HEAD}<sitemapindex ${NAMESPACE}>\n${files.join("")}</sitemapindex>\n`;
};

function mapOf({ blog, articles, nameEachOther }: Sitemap, address: (place: string) => string, page: number): string {
  const front = page > 0 ? "" : `<url><loc>${escaped(address(blog.place))}</loc></url>\n`;
  const parts: string[] = [];
  for (let from = 0; from < articles.length;) {
    let end = from + 1;
    while (articles[end]?.slug === articles[from]?.slug) end++;
    // Articles whose canonical URL is elsewhere are left out.
    const placed = articles
      .slice(from, end)
      .filter(({ canonicalUrl, place }) => !isElsewhere(canonicalUrl, address(place)));
    const areNamed = nameEachOther(articles[from]?.slug ?? "", end - from);
    parts.push(urlsOf(placed, { main: blog.locales[0], areNamed }, address));
    from = end;
  }
  return `${HEAD}<urlset ${NAMESPACE} xmlns:xhtml="http://www.w3.org/1999/xhtml">\n${front}${parts.join("")}</urlset>\n`;
}

/** Returns the entries of the translations of one article. If `areNamed`, each lists all of them as alternates. */
function urlsOf(
  translations: readonly Located[],
  { main, areNamed }: { readonly main: string | undefined; readonly areNamed: boolean },
  address: (place: string) => string,
): string {
  const placed = translations.map(({ locale, place, lastEditTime }) => ({
    locale,
    lastEditTime,
    url: escaped(address(place)),
  }));
  const first = placed.find(({ locale }) => locale === main);
  const alternates =
    placed.length === 1 || !areNamed
      ? ""
      : placed.map(({ locale, url }) => link(locale, url)).join("") + (first ? link("x-default", first.url) : "");
  return placed
    .map(({ url, lastEditTime }) => `<url><loc>${url}</loc><lastmod>${lastEditTime}</lastmod>${alternates}</url>\n`)
    .join("");
}

const link = (locale: string, url: string): string =>
  `<xhtml:link rel="alternate" hreflang="${escaped(locale)}" href="${url}"/>`;
