import type { FC } from "hono/jsx";
import type { z } from "zod";
import type { registry } from "../../../operations/registry.ts";
import { getTitle, type Article } from "../articles/found.ts";
import { State } from "../articles/shared.tsx";
import { formatNumber } from "../words.ts";

type Generation = z.infer<typeof registry.getGeneration.output>;
type Metadata = NonNullable<Generation["metadata"]>;

type ResultProps = { readonly of: Generation; readonly article: Article | null };

/** What came of a generation, and for some days the checks and the cost. */
export const Result: FC<ResultProps> = ({ of: { metadata }, article }) => (
  <>
    {article !== null ? (
      <Made article={article} metadata={metadata} />
    ) : (
      <p class="empty">The article has been deleted since.</p>
    )}
    {metadata !== null && <Report of={metadata} />}
  </>
);

const Made: FC<{ article: Article; metadata: Metadata | null }> = ({ article, metadata }) => (
  <>
    <p class="title" lang={article.locale}>
      <a href={`/console/articles/${article._id}`}>{getTitle(article)}</a>
    </p>
    <p class="about">
      <State published={article.published} />
      <span>
        {article.locale} · {article.slug}
      </span>
    </p>
    <p class="actions">
      <a class="button" href={`/console/articles/${article._id}`}>
        {metadata?.sourceArticleId === article._id
          ? "Review the changes"
          : article.published
            ? "View article"
            : "Review draft"}
      </a>
      {metadata?.checks.some(({ name }) => name === "sources") && (
        <a href={`/console/articles/${article._id}/sources`}>Sources</a>
      )}
    </p>
  </>
);

const Report: FC<{ of: Metadata }> = ({ of: metadata }) => (
  <>
    {metadata.degradations.length > 0 && (
      <div class="alert warn">
        <strong>Partly completed</strong>
        <ul>
          {metadata.degradations.map((sentence) => (
            <li>{sentence}</li>
          ))}
        </ul>
      </div>
    )}
    <Checks checks={metadata.checks} />
    <section aria-labelledby="cost">
      <h2 id="cost">Cost</h2>
      <Cost of={metadata} />
    </section>
  </>
);

const Checks: FC<{ checks: Metadata["checks"] }> = ({ checks }) => (
  <section aria-labelledby="checks">
    <h2 id="checks">Checks</h2>
    <p class="hint">Checks for search engines and the style guide. Fix what they found in the editor.</p>
    <ul class="rows">
      {checks.map(({ name, passed, detail }) => (
        <li>
          <span>{CHECKS[name] ?? name}</span>
          <span class={passed ? "badge good" : "badge warn"}>{passed ? "Passed" : "Needs attention"}</span>
          {detail !== "" && <p class="url">{detail}</p>}
        </li>
      ))}
    </ul>
  </section>
);

const CHECKS: Readonly<Record<string, string>> = {
  title: "Title",
  headings: "Headings",
  description: "Description",
  keyword_in_title: "Keyword in title",
  keyword_in_first_paragraph: "Keyword in first paragraph",
  placeholders: "Placeholders",
  locale: "Language",
  length: "Length",
  links: "Links",
  style: "Style guide",
  sources: "Sources",
};

const Cost: FC<{ of: Metadata }> = ({ of: metadata }) => {
  const { model, provider, imageModel, inputTokens, outputTokens, durationMs, repairs, images } = metadata;
  const facts: [string, string][] = [
    ["Model", `${model} (${provider})`],
    ...(imageModel === null ? [] : ([["Images", `${images.length} from ${imageModel}`]] as [string, string][])),
    ["Tokens", `${formatNumber(inputTokens)} input, ${formatNumber(outputTokens)} output`],
    ["Duration", `${Math.max(1, Math.round(durationMs / 1000))} s`],
    ["Words", formatNumber(metadata.wordCount)],
    ...(repairs === 0 ? [] : ([["Retries", String(repairs)]] as [string, string][])),
    ["Keywords", metadata.keywords.join(", ")],
  ];
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd class="url">{value}</dd>
        </div>
      ))}
    </dl>
  );
};
