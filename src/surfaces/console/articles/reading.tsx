/** Shows an article as its readers see it. */
import type { FC, PropsWithChildren } from "hono/jsx";
import { getLanguageAttributes, renderPreview } from "../../../../packages/markdown/reading.ts";
import { isWebUrl } from "../../../lib/web-url.ts";
import { Time } from "../time.tsx";
import type { Article, Found } from "./found.ts";
import { useGrant } from "../visit.ts";
import { State } from "./shared.tsx";
import { raw } from "hono/html";

type AboutProps = {
  readonly found: Found;
  /** Leaves out the last edit: it is another one once the editor has saved, and its state tells when that was. */
  readonly editing?: boolean;
};

export const About: FC<AboutProps> = ({ found: { article, blog }, editing = false }) => (
  <p class="about">
    <State published={article.published} />
    <span>
      <a href={`/console/articles?blog=${blog._id}`}>{blog.name}</a> · {article.locale} · {article.slug}
    </span>
    {!editing && (
      <span>
        Last edited <Time at={article.lastEditTime} />
      </span>
    )}
    {article.publishTime !== null && (
      <span>
        First published <Time at={article.publishTime} />
      </span>
    )}
    <Origin of={article} />
  </p>
);

/** An application that wrote in people's text has edited it, unless a model wrote that first. */
const tellWriter = ({ kind, model, application }: Article["origin"]): string =>
  model === null && kind === "edited"
    ? `Edited by ${application ?? "a model"}`
    : `Written by ${model ?? application ?? "a model"}${kind === "edited" ? ", edited since" : ""}`;

const Origin: FC<{ of: Pick<Article, "_id" | "origin" | "published"> }> = ({ of: { _id, origin, published } }) => {
  const mayPublish = useGrant("articles:write");
  if (origin.kind === "human") return null;
  return (
    <span>
      {tellWriter(origin)}
      {origin.reviewTime !== null && (
        <>
          , reviewed <Time at={origin.reviewTime} />
        </>
      )}
      {origin.reviewTime === null &&
        !published &&
        mayPublish &&
        ". By publishing or scheduling it here, you confirm that you have reviewed it."}
      {origin.reviewTime === null && published && (
        <>
          , not reviewed{mayPublish && " · "}
          {mayPublish && <a href={`/console/articles/${_id}/publish`}>Confirm the review</a>}
        </>
      )}
    </span>
  );
};

type Readable = Pick<Article, "description" | "content" | "coverUrl" | "locale">;

/** Shows the children, then the cover image, the description and the rendered text. `origin` is the service's own. */
export const Reading: FC<PropsWithChildren<{ article: Readable; origin: string | null; title?: string }>> = ({
  article,
  origin,
  title = "Text",
  children,
}) => (
  <section class="reading" id="preview" aria-labelledby="reading">
    <h2 id="reading">{title}</h2>
    {children}
    {isWebUrl(article.coverUrl) && <img class="cover" src={article.coverUrl} alt="" referrerpolicy="no-referrer" />}
    {article.description !== "" && (
      <p class="lead" {...getLanguageAttributes(article.locale)}>
        {article.description}
      </p>
    )}
    {article.content.trim() === "" ? (
      <p class="hint">Nothing to preview yet.</p>
    ) : (
      <Markdown text={article.content} locale={article.locale} origin={origin} />
    )}
  </section>
);

const Markdown: FC<{ text: string; locale: string; origin: string | null }> = ({ text, locale, origin }) => (
  <div class="prose" {...getLanguageAttributes(locale)}>
    {raw(renderPreview(text, origin))}
  </div>
);
