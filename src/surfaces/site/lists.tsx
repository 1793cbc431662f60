import type { Child, FC } from "hono/jsx";
import { getTextDirection } from "../../lib/direction.ts";
import { pickVisible } from "../../lib/text.ts";
import { fillPlaces } from "../../lib/words.ts";
import type { SiteEntry, SiteList, SiteTerm } from "../../store/articles/site-pages.ts";
import { SearchBox, type Other, type SitePage } from "./layout.tsx";
import { toUrl, getMainLocale, toPath, PLACES, withQuery, type Site } from "./place.ts";
import { getPictureAttributes } from "./pictures.ts";
import { formatDate, formatReadingTime, getSiteWords, formatYear } from "./words.ts";

const listTranslations = (locales: readonly string[], below: (locale: string) => string): Other[] =>
  locales.map((locale) => ({ locale, below: below(locale) }));

/** Returns the alternates for search engines: all translations, and the main one as `x-default`. */
function listAlternates(site: Site, others: readonly Other[], isFirst: boolean): { locale: string; href: string }[] {
  if (!isFirst || site.isElsewhere) return [];
  if (others.length < 2 || !others.some(({ locale }) => locale === site.locale)) return [];
  const all = others.map(({ locale, below }) => ({ locale, href: toUrl(site, below) }));
  const main = all.find(({ locale }) => locale === getMainLocale(site.blog));
  return main === undefined ? all : [...all, { locale: "x-default", href: main.href }];
}

/** Returns the path of a page of a list. The first page has the path of the list. */
function toListPath(below: string, isFirst: boolean, asked: string | undefined): string {
  const [name = "", value = ""] = (asked ?? "").split(/=(.*)/s);
  return isFirst ? below : withQuery(below, name, value);
}

/** Returns whether a page is past the end of its list: its articles are gone, or the URL is made up. */
const isPastEnd = ({ entries }: SiteList, asked: string | undefined): boolean =>
  asked !== undefined && entries.length === 0;

/** `asked` is the query of another page than the first, such as `before=…`. */
export function buildFrontPage(site: Site, list: SiteList, asked: string | undefined): SitePage {
  const { blog } = site;
  const { words, lang } = getSiteWords(site.locale);
  const below = PLACES.front(site, site.locale);
  const others = listTranslations(list.spoken, (locale) => PLACES.front(site, locale));
  const isFirst = asked === undefined;
  const canonical = isFirst && site.isElsewhere && below === "" ? blog.place : undefined;
  const main = (
    <>
      <div class="hero">
        <h1 dir="auto">{blog.name}</h1>
        {blog.description && <p dir="auto">{blog.description}</p>}
        {isFirst && blog.coverUrl && <img src={blog.coverUrl} alt="" {...getPictureAttributes(blog.coverUrl)} />}
      </div>
      {list.entries.length === 0 && <Note lang={lang}>{isPastEnd(list, asked) ? words.none : words.empty}</Note>}
      <Entries site={site} entries={list.entries} lead={isFirst && blog.coverUrl === ""} />
      <Pages site={site} list={list} below={below} />
    </>
  );
  return {
    site,
    title: blog.name,
    description: blog.description,
    below: toListPath(below, isFirst, asked),
    ...(canonical !== undefined && { canonical }),
    noindex: isPastEnd(list, asked) || (site.isElsewhere && canonical === undefined),
    image: blog.coverUrl || blog.logoUrl,
    others,
    alternates: listAlternates(site, others, isFirst),
    data: {
      "@context": "https://schema.org",
      "@type": "Blog",
      name: blog.name,
      url: canonical ?? toUrl(site, below),
      inLanguage: site.locale,
      ...(blog.description && { description: blog.description }),
    },
    main,
  };
}

export function buildTermPage(
  site: Site,
  list: SiteList & { readonly term: SiteTerm },
  { kind, asked }: { kind: "tag" | "author"; asked: string | undefined },
): SitePage {
  const { term } = list;
  const { names = {}, bio = "", pictureUrl = "" } = term.members;
  const name = names[site.locale] ?? term.name;
  const { words, lang } = getSiteWords(site.locale);
  const inLocale = (locale: string): string => PLACES.term(site, kind, term.slug, locale);
  const translated = listTranslations(term.locales, inLocale);
  const below = inLocale(site.locale);
  const isFirst = asked === undefined;
  const main = (
    <>
      <div class="hero">
        {pictureUrl && <img class="who" src={pictureUrl} alt="" />}
        <h1 dir="auto">{name}</h1>
        {bio && <p dir="auto">{bio}</p>}
      </div>
      {list.entries.length === 0 && <Note lang={lang}>{words.none}</Note>}
      <Entries site={site} entries={list.entries} />
      <Pages site={site} list={list} below={below} />
    </>
  );
  return {
    site,
    title: name,
    description: bio,
    below: toListPath(below, isFirst, asked),
    noindex: site.isElsewhere || list.entries.length === 0,
    image: pictureUrl,
    // Only locales with articles.
    others: translated,
    alternates: listAlternates(site, translated, isFirst),
    main,
  };
}

export function buildArchivePage(site: Site, list: SiteList, asked: string | undefined): SitePage {
  const { words, lang } = getSiteWords(site.locale);
  const below = PLACES.archive(site, site.locale);
  const others = listTranslations(list.spoken, (locale) => PLACES.archive(site, locale));
  const years = Map.groupBy(list.entries, ({ publishTime }) => formatYear(publishTime, site.locale));
  const main = (
    <>
      <div class="hero">
        <h1 lang={lang}>{words.archive}</h1>
      </div>
      <SearchBox site={site} />
      {list.entries.length === 0 && <Note lang={lang}>{isPastEnd(list, asked) ? words.none : words.empty}</Note>}
      {[...years].map(([year, entries]) => (
        <section>
          <h2 class="year">{year}</h2>
          <ul class="arch">
            {entries.map((entry) => (
              <li>
                <time datetime={entry.publishTime}>{formatDate(entry.publishTime, site.locale)}</time>
                <a href={toPath(site, PLACES.article(site, entry))} dir={getTextDirection(entry.locale)}>
                  {pickVisible(entry.title, entry.slug)}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <Pages site={site} list={list} below={below} />
    </>
  );
  return {
    site,
    title: words.archive,
    description: "",
    below: toListPath(below, asked === undefined, asked),
    noindex: isPastEnd(list, asked) || site.isElsewhere,
    others,
    alternates: listAlternates(site, others, asked === undefined),
    query: "",
    main,
  };
}

/** A search result. In `snippet`, matches are between `**`. */
export type Found = Pick<SiteEntry, "title" | "slug" | "locale"> & { readonly snippet: string };

/** `found` is null before a search. */
export function buildSearchPage(site: Site, query: string, found: readonly Found[] | null): SitePage {
  const { words, lang } = getSiteWords(site.locale);
  const title = found === null ? words.search : fillPlaces(words.found, { q: query });
  const main = (
    <>
      <div class="hero">
        <h1 lang={lang} dir="auto">
          {title}
        </h1>
      </div>
      <SearchBox site={site} query={query} />
      {found?.length === 0 && <Note lang={lang}>{words.none}</Note>}
      <ol class="list">
        {found?.map(({ title, slug, locale, snippet }) => (
          <li lang={locale === site.locale ? undefined : locale}>
            <div>
              <h2 dir={getTextDirection(locale)}>
                <a href={toPath(site, PLACES.article(site, { slug, locale }))}>{pickVisible(title, slug)}</a>
              </h2>
              <p dir={getTextDirection(locale)}>{markMatches(snippet)}</p>
            </div>
          </li>
        ))}
      </ol>
    </>
  );
  return { site, title, description: "", below: null, noindex: true, others: [], query, main };
}

const markMatches = (snippet: string): Child[] =>
  snippet.split("**").map((part, n) => (n % 2 === 1 ? <mark>{part}</mark> : <>{part}</>));

export function buildMissingPage(site: Site, list: SiteList): SitePage {
  const { words, lang } = getSiteWords(site.locale);
  const main = (
    <>
      <div class="hero" lang={lang}>
        <h1 dir="auto">{words.missing}</h1>
        {list.entries.length > 0 && <p dir="auto">{words.missingHelp}</p>}
      </div>
      <Entries site={site} entries={list.entries} />
    </>
  );
  return { site, status: 404, title: words.missing, description: "", below: null, others: [], main };
}

const Note: FC<{ lang: string | undefined; children: string }> = ({ lang, children }) => (
  <p lang={lang} dir="auto">
    {children}
  </p>
);

function Entries({ site, entries, lead = false }: { site: Site; entries: readonly SiteEntry[]; lead?: boolean }) {
  if (entries.length === 0) return null;
  return (
    <ol class={lead ? "list lead" : "list"}>
      {entries.map((entry, n) => (
        <Entry site={site} entry={entry} isLarge={lead && n === 0} />
      ))}
    </ol>
  );
}

function Entry({ site, entry, isLarge }: { site: Site; entry: SiteEntry; isLarge: boolean }) {
  const { locale, title, slug, coverUrl, minutes, publishTime } = entry;
  const href = toPath(site, PLACES.article(site, entry));
  const about = entry.description || entry.excerpt || "";
  const { lang } = getSiteWords(site.locale);
  return (
    <li lang={locale === site.locale ? undefined : locale}>
      <div>
        <h2 dir={getTextDirection(locale)}>
          <a href={href}>{pickVisible(title, slug)}</a>
        </h2>
        {about && <p dir={getTextDirection(locale)}>{about}</p>}
        <div class="meta">
          <time datetime={publishTime}>{formatDate(publishTime, site.locale)}</time>
          {minutes !== null && (
            <span lang={lang} dir="auto">
              {formatReadingTime(minutes, site.locale)}
            </span>
          )}
        </div>
      </div>
      {coverUrl && (
        <a class="thumb" href={href} tabindex={-1} aria-hidden="true">
          <img
            src={coverUrl}
            alt=""
            {...getPictureAttributes(coverUrl, isLarge ? undefined : "15rem")}
            {...(!isLarge && { loading: "lazy" as const })}
          />
        </a>
      )}
    </li>
  );
}

function Pages({ site, list, below }: { site: Site; list: SiteList; below: string }) {
  const { words, lang } = getSiteWords(site.locale);
  const [first, last] = [list.entries[0], list.entries.at(-1)];
  const at = (name: string, entry: SiteEntry | undefined): string =>
    entry === undefined ? below : withQuery(below, name, `${entry.publishTime}_${entry._id}`);
  if (!list.older && !list.newer) return null;
  return (
    <nav class="pages" aria-label={words.pages} lang={lang}>
      {list.newer && (
        <a rel="prev" href={toPath(site, at("after", first))}>
          {words.newer}
        </a>
      )}
      {list.older && last !== undefined && (
        <a rel="next" href={toPath(site, at("before", last))}>
          {words.older}
        </a>
      )}
    </nav>
  );
}
