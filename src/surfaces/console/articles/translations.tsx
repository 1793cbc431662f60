/** Shows the translations of an article: the articles with the same slug in other locales. */
import { useContext, type FC } from "hono/jsx";
import type { z } from "zod";
import type { compareLocales } from "../../../operations/blogs.ts";
import type { Article } from "./found.ts";
import { VisitContext } from "../visit.ts";
import { toMissingTranslationsPath } from "./missing.tsx";
import { State } from "./shared.tsx";

/** A slug with its articles in all locales, and the blog's locales in which it has none. */
export type SlugLocales = z.infer<(typeof compareLocales)["output"]>[number];
type Translation = SlugLocales["articles"][number];

export const TranslationState: FC<{ of: Translation }> = ({ of }) => (
  <>
    <State published={of.published} />
    {of.stale && <span class="badge warn">Outdated</span>}
  </>
);

/** Returns the path of the editor for a missing translation. */
export const toNewTranslationPath = (blogId: string, slug: string, locale: string): string =>
  `/console/articles/new?${new URLSearchParams({ blog: blogId, slug, locale }).toString()}`;

/** Returns the path of the form that generates a translation, or a rewrite if `locale` is the article's own. */
const toGenerationPath = (articleId: string, locale: string): string =>
  `/console/articles/generate?${new URLSearchParams({ article: articleId, locale }).toString()}`;

/** Links to translate and to rewrite the article. Without a model, a link to the page that says how to set one up. */
export const GenerationLinks: FC<{ of: Article }> = ({ of }) => {
  const { hasModel } = useContext(VisitContext);
  if (!hasText(of)) return null;
  return hasModel ? (
    <>
      <a href={`/console/articles/generate?article=${of._id}`}>Translate</a>
      <a href={toGenerationPath(of._id, of.locale)}>Rewrite</a>
    </>
  ) : (
    <a href="/console/articles/generate">Set up AI to translate</a>
  );
};

const hasText = ({ content }: Article): boolean => content.trim() !== "";

export const Translations: FC<{ of: Article; slug: SlugLocales }> = ({ of, slug }) => {
  const { hasModel } = useContext(VisitContext);
  return (
    <section class="translations" aria-labelledby="translations">
      <h2 id="translations">Translations</h2>
      <ul>
        {slug.articles.map((each) => (
          <li>
            {each._id === of._id ? (
              <strong aria-current="true">{each.locale}</strong>
            ) : (
              <a href={`/console/articles/${each._id}`} title={each.title}>
                {each.locale}
              </a>
            )}
            <TranslationState of={each} />
          </li>
        ))}
        {slug.missing.map((locale) => (
          <li>
            <span>{locale}</span>
            <span class="badge">Missing</span>
            <a href={toNewTranslationPath(of.blogId, slug.slug, locale)}>
              {" "}
              Write<span class="unseen"> in {locale}</span>
            </a>
            {hasModel && hasText(of) && (
              <a href={toGenerationPath(of._id, locale)}>
                {" "}
                Translate<span class="unseen"> to {locale}</span>
              </a>
            )}
          </li>
        ))}
      </ul>
      {slug.missing.length > 1 && (
        <p>
          <a href={toMissingTranslationsPath(of._id)}>Translate into {slug.missing.length} languages…</a>
        </p>
      )}
      {slug.articles.some(({ stale }) => stale) && <p class="hint">{STALE}</p>}
    </section>
  );
};

/** Explains the badge "Outdated". */
export const STALE = "Outdated: the article in the blog's default language was edited later.";
