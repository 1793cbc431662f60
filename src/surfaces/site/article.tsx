/** The page of an article. Its stored HTML was sanitized when it was written (contract 20.3). */
import { raw } from "hono/html";
import { articleTag } from "../../domain/cache-tags.ts";
import { DISCLOSURES, toOrigin } from "../../domain/origin.ts";
import { toAbsoluteUrl, isElsewhere, rewriteSitePaths } from "../../domain/site.ts";
import { getTextDirection } from "../../lib/direction.ts";
import { pickVisible } from "../../lib/text.ts";
import { fillPlaces } from "../../lib/words.ts";
import type { Neighbor, SiteArticle } from "../../store/articles/site-pages.ts";
import type { SitePage } from "./layout.tsx";
import { findEmbeddedContent, withPlayers } from "./players.ts";
import { toUrl, getMainLocale, toPath, PLACES, type Site } from "./place.ts";
import { getPictureAttributes } from "./pictures.ts";
import { formatDate, formatReadingTime, getSiteWords, type Words } from "./words.ts";

const LEAST_HEADINGS = 4;

export function buildArticlePage(site: Site, article: SiteArticle): SitePage {
  const { seo, locale, translations } = article;
  const title = pickVisible(article.title, article.slug);
  const description = seo?.description || article.description || article.excerpt || "";
  const image = seo?.image || article.coverUrl;
  const below = PLACES.article(site, article);
  const html = article.html && withPlayers(rewriteSitePaths(article.html, site.prefix, site.locale));
  const address = (place: string): string => toAbsoluteUrl(place, () => site.baseUrl);
  const canonical = seo?.canonicalUrl || address(article.place);
  const others = translations.map((each) => ({ locale: each.locale, below: PLACES.article(site, each) }));
  const alternates = translations
    .filter(({ place, told }) => !told?.noindex && !isElsewhere(told?.canonicalUrl ?? "", address(place)))
    .map((each) => ({ locale: each.locale, href: address(each.place) }));
  const main = alternates.find((each) => each.locale === getMainLocale(site.blog));
  return {
    site,
    title: pickVisible(seo?.title, title),
    description,
    below,
    canonical,
    noindex: seo?.noindex ?? false,
    image,
    others,
    // An article whose canonical URL is elsewhere names no translations here.
    alternates:
      alternates.length < 2 || isElsewhere(canonical, address(article.place))
        ? []
        : [...alternates, ...(main === undefined ? [] : [{ locale: "x-default", href: main.href }])],
    disclosure: article.origin?.kind && DISCLOSURES[article.origin.kind].word,
    article: {
      published: article.publishTime,
      modified: article.lastEditTime,
      tags: article.tags.map(({ name }) => name),
    },
    data: buildBlogPosting(site, article, { title, description, image, canonical, locale }),
    tags: [articleTag(article._id)],
    ...(html !== null && { shows: findEmbeddedContent(html) }),
    main: <Article site={site} article={{ ...article, html }} title={title} />,
  };
}

type Said = { title: string; description: string; image: string; canonical: string; locale: string };

function buildBlogPosting(site: Site, article: SiteArticle, said: Said): object {
  const { blog } = site;
  const { kind, model } = toOrigin(article.origin);
  const disclosure = kind === "human" ? undefined : DISCLOSURES[kind];
  const address = (slug: string) => toUrl(site, PLACES.term(site, "author", slug, said.locale));
  return {
    "@context": "https://schema.org",
    "@type": "BlogPosting",
    headline: said.title,
    mainEntityOfPage: said.canonical,
    url: said.canonical,
    inLanguage: said.locale,
    datePublished: article.publishTime,
    dateModified: article.lastEditTime,
    ...(said.description && { description: said.description }),
    ...(said.image && { image: said.image }),
    ...(article.tags.length > 0 && { keywords: article.tags.map(({ name }) => name) }),
    ...(article.minutes !== null && { timeRequired: `PT${article.minutes}M` }),
    author:
      article.authors.length > 0
        ? article.authors.map(({ name, slug }) => ({ "@type": "Person", name, url: address(slug) }))
        : { "@type": "Organization", name: blog.name },
    publisher: { "@type": "Organization", name: blog.name, ...(blog.logoUrl && { logo: blog.logoUrl }) },
    ...(disclosure && { digitalSourceType: disclosure.sourceType, ...(model !== null && { creditText: model }) }),
  };
}

function Article({ site, article, title }: { site: Site; article: SiteArticle; title: string }) {
  const { description, coverUrl, html, text, origin } = article;
  const { words, lang } = getSiteWords(site.locale);
  const dir = getTextDirection(site.locale);
  return (
    <article>
      <header class="head">
        {article.tags.length > 0 && (
          <p class="kicker">
            {article.tags.map(({ slug, name }) => (
              <a rel="tag" href={toPath(site, PLACES.term(site, "tag", slug, site.locale))} dir="auto">
                {name}
              </a>
            ))}
          </p>
        )}
        <h1 dir={dir}>{title}</h1>
        {description && (
          <p class="stand" dir={dir}>
            {description}
          </p>
        )}
        <Byline site={site} article={article} />
      </header>
      {coverUrl && (
        <figure class="cover">
          <img src={coverUrl} alt="" {...getPictureAttributes(coverUrl)} fetchpriority="high" />
        </figure>
      )}
      <Contents site={site} article={article} />
      {html === null ? (
        <div class="prose">
          <div class="plain" dir={dir}>
            {text}
          </div>
        </div>
      ) : (
        <div class="prose">{raw(html)}</div>
      )}
      <OriginLine of={origin} words={words} lang={lang} />
      <Neighbours site={site} article={article} />
    </article>
  );
}

/** Says which model wrote the text, and that nobody has reviewed it. What people answer for needs no word of an unnamed model. */
function OriginLine({ of, words, lang }: { of: SiteArticle["origin"]; words: Words; lang: string | undefined }) {
  const { kind, model, reviewed } = toOrigin(of);
  if (kind === "human" || (model === null && reviewed)) return null;
  const written = model === null ? words.assisted : fillPlaces(words[kind], { model });
  return (
    <p class="origin" lang={lang}>
      {reviewed ? written : `${written} ${words.unreviewed}`}
    </p>
  );
}

function Byline({ site, article }: { site: Site; article: SiteArticle }) {
  const { authors, publishTime, creationTime, lastEditTime, minutes } = article;
  const { words, lang } = getSiteWords(site.locale);
  const [published, created, edited = ""] = [publishTime, creationTime, lastEditTime].map((time) =>
    formatDate(time, site.locale),
  );
  // Imported articles were published long before they were created here, which is not an update.
  const isUpdated = lastEditTime > publishTime && edited !== published && edited !== created;
  return (
    <div class="meta">
      {authors.map(({ slug, name }) => (
        <b>
          <a rel="author" href={toPath(site, PLACES.term(site, "author", slug, site.locale))} dir="auto">
            {name}
          </a>
        </b>
      ))}
      <time datetime={publishTime}>{published}</time>
      {isUpdated && <time datetime={lastEditTime}>{fillPlaces(words.updated, { date: edited })}</time>}
      {minutes !== null && (
        <span lang={lang} dir="auto">
          {formatReadingTime(minutes, site.locale)}
        </span>
      )}
    </div>
  );
}

function Contents({ site, article: { headings } }: { site: Site; article: SiteArticle }) {
  const shown = (headings ?? []).filter(({ level }) => level <= 3);
  const { words, lang } = getSiteWords(site.locale);
  if (shown.length < LEAST_HEADINGS) return null;
  return (
    <details class="toc">
      <summary lang={lang}>{words.contents}</summary>
      <ol>
        {shown.map(({ level, id, text }) => (
          <li class={`l${level}`}>
            <a href={`#${encodeURIComponent(id)}`} dir={getTextDirection(site.locale)}>
              {text}
            </a>
          </li>
        ))}
      </ol>
    </details>
  );
}

function Neighbours({ site, article: { older, newer } }: { site: Site; article: SiteArticle }) {
  const { words, lang } = getSiteWords(site.locale);
  if (older === null && newer === null) return null;
  const link = (to: Neighbor, word: string) => (
    <div>
      <span lang={lang}>{word}</span>
      <a href={toPath(site, PLACES.article(site, to))} dir={getTextDirection(to.locale)}>
        {pickVisible(to.title, to.slug)}
      </a>
    </div>
  );
  return (
    <nav class="next" aria-label={words.pages}>
      {older === null ? <div /> : link(older, words.older)}
      {newer !== null && link(newer, words.newer)}
    </nav>
  );
}
