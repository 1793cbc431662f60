/** The part of a preview below the text: search result, shared link and advice. It works without scripts. */
import type { FC } from "hono/jsx";
import { toSocialCard, toSearchResult } from "../../../domain/appearance.ts";
import type { Advised, Place } from "../../../ai/generation/advice.ts";
import { getValue, type FormState } from "../forms.tsx";
import type { Blog } from "./found.ts";

type Props = { readonly state: FormState; readonly locale: string; readonly blog: Pick<Blog, "name" | "styleGuide"> };

export const Elsewhere: FC<Props> = async ({ state, locale, blog: { name: site, styleGuide } }) => {
  const text = (name: string) => getValue(state, name);
  const article: Advised = {
    title: text("title"),
    description: text("description"),
    content: text("content"),
    locale: locale || "en",
    coverUrl: text("coverUrl").trim(),
    seoTitle: text("seoTitle"),
    seoDescription: text("seoDescription"),
    seoImage: text("seoImage").trim(),
    avoid: styleGuide.avoid,
  };
  const more = { slug: text("slug"), canonicalUrl: text("canonicalUrl").trim(), noindex: text("noindex") === "true" };
  const [result, card] = [toSearchResult({ ...article, ...more, site }), toSocialCard({ ...article, ...more, site })];
  return (
    <section class="reading" aria-labelledby="elsewhere">
      <h2 id="elsewhere">Search and social preview</h2>
      <dl>
        <dt>Search result{!result.isListed && " (hidden from search engines)"}</dt>
        <dd>
          {result.address}
          <br />
          <strong>{result.title}</strong>
          <br />
          {result.description || "Search engines choose a passage of the text."}
        </dd>
        <dt>Shared link</dt>
        <dd>
          {card.image === "" ? "No image" : <img class="cover" src={card.image} alt="" referrerpolicy="no-referrer" />}
          <strong>{card.title}</strong>
          <br />
          {card.description}
        </dd>
      </dl>
      <Advice on={article} />
    </section>
  );
};

const Advice: FC<{ on: Advised }> = async ({ on }) => {
  // The trigrams of languages are large, and only this needs them.
  const [{ giveAdvice }, { judgeLanguage }] = await Promise.all([
    import("../../../ai/generation/advice.ts"),
    import("../../../ai/generation/language.ts"),
  ]);
  const advice = giveAdvice(on, judgeLanguage);
  return (
    <>
      <h2>Advice</h2>
      {advice.length === 0 ? (
        <p class="hint">No advice.</p>
      ) : (
        <ul>
          {advice.map(({ text, why, at }) => (
            <li>
              <strong>{text}</strong> {why} <a href={`#${at.field}`}>{describePlace(at, on.content)}</a>
            </li>
          ))}
        </ul>
      )}
    </>
  );
};

function describePlace({ field, from }: Place, content: string): string {
  if (field !== "content") return "Go to field";
  return from === undefined ? "Go to text" : `Line ${content.slice(0, from).split("\n").length}`;
}
