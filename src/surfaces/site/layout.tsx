import type { Context } from "hono";
import type { Child } from "hono/jsx";
import { html, raw } from "hono/html";
import { blogTag } from "../../domain/cache-tags.ts";
import { DEFAULT_ACCENT } from "../../domain/accent.ts";
import { sha256 } from "../../lib/hash.ts";
import type { AppEnv } from "../rest/app-env.ts";
import type { Settings } from "../../env.ts";
import { getDirection } from "../../lib/direction.ts";
import type { SiteBlog } from "../../store/blogs/shown.ts";
import { matchesIfNoneMatch } from "../rest/conditional.ts";
import type { Reply } from "../rest/reply.ts";
import { toUrl, getCacheHeaders, getMainLocale, toPath, PLACES, type Site } from "./place.ts";
import type { EmbeddedContent } from "./players.ts";
import { buildPolicy } from "./policy.ts";
import { toPolicyHash, buildStyle } from "./style.ts";
import { getLanguageName, getSiteWords } from "./words.ts";

/** A page in another language. `below` is its path below the site's root. */
export type Other = { readonly locale: string; readonly below: string };

export type SitePage = {
  readonly site: Site;
  readonly status?: number;
  readonly title: string;
  readonly description: string;
  /** The path below the site's root. Null for a page without its own URL. */
  readonly below: string | null;
  /** The URL for search engines, if it differs. */
  readonly canonical?: string;
  readonly noindex?: boolean;
  /** The part that a model had in the text, as the meta element `ai-disclosure` says it; undefined if it had none. */
  readonly disclosure?: string | undefined;
  readonly image?: string;
  /** The page in all its languages: `others` for readers, `alternates` for search engines. */
  readonly others: readonly Other[];
  readonly alternates?: readonly { readonly locale: string; readonly href: string }[];
  /** For sites that show links to an article (Open Graph). */
  readonly article?: { readonly published: string; readonly modified: string; readonly tags: readonly string[] };
  readonly data?: object;
  readonly query?: string;
  readonly tags?: readonly string[];
  readonly shows?: EmbeddedContent;
  readonly main: Child;
};

export async function renderPage(c: Context<AppEnv>, page: SitePage): Promise<Reply> {
  const { site, status = 200 } = page;
  const style = buildStyle(site.blog);
  const mails = canSubscribe(c.get("settings"));
  const body = String(await html`<!doctype html>${<Document page={page} style={style} mails={mails} />}`);
  const ETag = `"${(await sha256(body)).slice(0, 40)}"`;
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": buildPolicy(await toPolicyHash(style), site.baseUrl, page),
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Content-Language": site.locale,
    ...getCacheHeaders(site),
    "Cache-Tag": [blogTag(site.blog._id), ...(page.tags ?? [])].join(","),
    ...(isUnlisted(page) && { "X-Robots-Tag": "noindex" }),
    ...(status === 200 && { ETag }),
  };
  if (status === 200 && matchesIfNoneMatch(c.req.header("If-None-Match"), ETag))
    return { status: 304, headers, body: null };
  return { status, headers, body };
}

/** Returns whether readers can subscribe: they must confirm by a mail. */
const canSubscribe = ({ production, mail }: Settings): boolean =>
  !production || mail.webhook !== null || mail.from !== "";

const isUnlisted = ({ noindex = false, status = 200 }: SitePage): boolean => noindex || status !== 200;

function Document({ page, style, mails }: { page: SitePage; style: string; mails: boolean }) {
  const { site, main } = page;
  const { words, lang } = getSiteWords(site.locale);
  return (
    <html lang={site.locale} dir={getDirection(site.locale)}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <Head page={page} />
        <style>{raw(style)}</style>
      </head>
      <body>
        <a class="skip" href="#main" lang={lang}>
          {words.skip}
        </a>
        <Top site={site} isFront={page.below === PLACES.front(site, site.locale)} />
        <main id="main" class="wrap" tabindex={-1}>
          {main}
        </main>
        <Foot page={page} mails={mails} />
      </body>
    </html>
  );
}

function Head({ page }: { page: SitePage }) {
  const { site, title, description, below, article, others, alternates = [] } = page;
  const { blog, locale } = site;
  const image = page.image || blog.coverUrl;
  const tongues = new Set([locale, ...others.map((other) => other.locale)].map(toOpenGraphLocale));
  const canonical = page.canonical ?? (below === null ? undefined : toUrl(site, below));
  return (
    <>
      <title>{title === blog.name ? title : `${title} · ${blog.name}`}</title>
      {description && <meta name="description" content={description} />}
      {isUnlisted(page) && <meta name="robots" content="noindex" />}
      {page.disclosure && <meta name="ai-disclosure" content={page.disclosure} />}
      {canonical && !isUnlisted(page) && <link rel="canonical" href={canonical} />}
      {!isUnlisted(page) &&
        alternates.map(({ locale, href }) => <link rel="alternate" hreflang={locale} href={href} />)}
      <link rel="alternate" type="application/rss+xml" title={blog.name} href={toFeedUrl(site, "feed.xml")} />
      <link rel="alternate" type="application/atom+xml" title={blog.name} href={toFeedUrl(site, "atom.xml")} />
      <link rel="alternate" type="application/feed+json" title={blog.name} href={toFeedUrl(site, "feed.json")} />
      <link rel="icon" href={makeIcon(blog.name, blog.accentColor)} />
      <meta property="og:site_name" content={blog.name} />
      <meta property="og:type" content={article ? "article" : "website"} />
      <meta property="og:title" content={title} />
      {description && <meta property="og:description" content={description} />}
      {canonical && <meta property="og:url" content={canonical} />}
      {image && <meta property="og:image" content={image} />}
      {[...tongues].map((tongue, nth) => (
        <meta property={nth === 0 ? "og:locale" : "og:locale:alternate"} content={tongue} />
      ))}
      <meta name="twitter:card" content={image ? "summary_large_image" : "summary"} />
      {article && <meta property="article:published_time" content={article.published} />}
      {article && <meta property="article:modified_time" content={article.modified} />}
      {article?.tags.map((tag) => (
        <meta property="article:tag" content={tag} />
      ))}
      {page.data && <script type="application/ld+json">{raw(toSafeJson(page.data))}</script>}
    </>
  );
}

/** Returns a locale for Open Graph, with the likeliest territory: `en_US` for "en", `es_ES` for "es-419". */
function toOpenGraphLocale(locale: string): string {
  const { language } = new Intl.Locale(locale);
  const regions = [locale, language].map((tag) => new Intl.Locale(tag).maximize().region ?? "");
  const territory = regions.find((region) => /^[A-Z]{2}$/.test(region));
  return territory === undefined ? language : `${language}_${territory}`;
}

const toFeedUrl = ({ blog, baseUrl, locale }: Site, file: string): string =>
  `${baseUrl}/blogs/${blog._id}/${file}${blog.locales.length > 1 ? `?locale=${encodeURIComponent(locale)}` : ""}`;

/** Returns JSON for a script element: nothing in it can end the element or begin a comment. */
const toSafeJson = (data: object): string => JSON.stringify(data).replaceAll("<", String.raw`\u003c`);

export function makeIcon(name: string, accent: string): string {
  const letter = (/[\p{L}\p{N}]/u.exec(name)?.[0] ?? "•").toUpperCase();
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${accent || DEFAULT_ACCENT}"/><text x="16" y="23" font-family="Georgia,serif" font-size="20" font-weight="700" text-anchor="middle" fill="#fff">${letter}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** Returns the link of a menu entry. A slug alone leads to the article in the page's language. */
function toMenuHref(site: Site, url: string): string {
  if (url === "/") return toPath(site, PLACES.front(site, site.locale));
  if (!url.startsWith("/")) return url;
  const isMain = site.locale === getMainLocale(site.blog);
  return site.prefix + (isMain ? url : url.replace(/^\/[^/?#]+(?=#|$)/, (path) => `${path}?locale=${site.locale}`));
}

export function Name({ blog, href, isCurrent = false }: { blog: SiteBlog; href: string; isCurrent?: boolean }) {
  return (
    <a class="name" href={href} dir="auto" {...(isCurrent && { "aria-current": "page" as const })}>
      {blog.logoUrl ? <img src={blog.logoUrl} alt={blog.name} height="38" /> : blog.name}
    </a>
  );
}

function Top({ site, isFront }: { site: Site; isFront: boolean }) {
  const { blog } = site;
  const { words, lang } = getSiteWords(site.locale);
  return (
    <header class="top">
      <div class={isFront && !blog.logoUrl ? "wrap bare" : "wrap"}>
        <Name blog={blog} href={toPath(site, PLACES.front(site, site.locale))} isCurrent={isFront} />
        <nav aria-label={words.menu}>
          <ul class="row">
            {blog.menu.map(({ label, url }) => (
              <li>
                <a href={toMenuHref(site, url)} dir="auto">
                  {label}
                </a>
              </li>
            ))}
            <li lang={lang}>
              <a href={toPath(site, PLACES.archive(site, site.locale))}>{words.archive}</a>
            </li>
          </ul>
        </nav>
      </div>
    </header>
  );
}

function Foot({ page: { site, others, query }, mails }: { page: SitePage; mails: boolean }) {
  const { locales } = site.blog;
  // Locales that the blog does not list come last.
  const rank = ({ locale }: Other) => (locales.includes(locale) ? locales.indexOf(locale) : locales.length);
  const inOrder = others.toSorted((one, other) => rank(one) - rank(other));
  const { words, lang } = getSiteWords(site.locale);
  return (
    <footer class="foot">
      <div class="wrap">
        {query === undefined && <SearchBox site={site} />}
        {mails && site.blog.newsletter !== "" && <SubscribeBox site={site} />}
        {others.some(({ locale }) => locale !== site.locale) && (
          <nav class="langs" aria-label={words.languages}>
            <ul class="row">
              {inOrder.map(({ locale, below }) => (
                <li>
                  <a
                    href={toPath(site, below)}
                    lang={locale}
                    hreflang={locale}
                    {...(locale === site.locale && { "aria-current": "true" as const })}
                  >
                    {getLanguageName(locale)}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        )}
        <ul class="row" lang={lang}>
          <li>
            <a href={toPath(site, PLACES.archive(site, site.locale))}>{words.archive}</a>
          </li>
          <li>
            <a href={toFeedUrl(site, "feed.xml")}>{words.feed}</a>
          </li>
        </ul>
      </div>
    </footer>
  );
}

/** Readers subscribe with this form (contract 20.9). */
function SubscribeBox({ site }: { site: Site }) {
  const { words, lang } = getSiteWords(site.locale);
  return (
    <form class="sub" method="post" action={`${site.baseUrl}/blogs/${site.blog._id}/subscribe`}>
      <p id="gets" dir="auto">
        {site.blog.newsletter}
      </p>
      <div class="q" lang={lang}>
        <input
          type="email"
          name="email"
          aria-label={words.email}
          aria-describedby="gets"
          placeholder={words.email}
          maxlength={254}
          required
        />
        <button>{words.subscribe}</button>
      </div>
      <input type="hidden" name="locale" value={site.locale} />
    </form>
  );
}

export function SearchBox({ site, query = "" }: { site: Site; query?: string }) {
  const { words, lang } = getSiteWords(site.locale);
  return (
    <form class="q" role="search" action={toPath(site, PLACES.search())} lang={lang}>
      <input type="search" name="q" value={query} aria-label={words.search} maxlength={300} required dir="auto" />
      {site.locale !== site.blog.locales[0] && <input type="hidden" name="locale" value={site.locale} />}
      <button>{words.search}</button>
    </form>
  );
}
