/** The page of a generation: how far it is, why it failed, or what came of it. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import type { z } from "zod";
import { DomainError, getErrorKind, type ErrorCode } from "../../../domain/errors.ts";
import { registry } from "../../../operations/registry.ts";
import { findArticle, type Article } from "../articles/found.ts";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { Form } from "../forms.tsx";
import { goTo, page } from "../layout.tsx";
import { readForm } from "../read-form.ts";
import { can, perform } from "../session.ts";
import { Time, Utc } from "../time.tsx";
import { formatNumber } from "../words.ts";
import { Result } from "./result.tsx";

/** How often the page of a running generation reloads. */
const RELOAD_SECONDS = 3;

type Generation = z.infer<typeof registry.getGeneration.output>;

const pathOf = (id: string): string => `/console/generations/${id}`;

export const generation = new Hono<ConsoleEnv>();

generation.get("/", async (c) => {
  const { value } = await perform(c, registry.getGeneration, { generationId: c.req.param("id") });
  const { state, articleId } = value;
  const mayWrite = can(c, "articles:draft");
  if (state === "running") c.header("Refresh", String(RELOAD_SECONDS));
  return page(
    c,
    isProposal(value) ? "Update proposed" : TITLES[state],
    <>
      {state === "running" && <Running of={value} />}
      {state === "failed" && <Failed of={value} mayResume={value.resumable && mayWrite} />}
      {state === "stored" && <Result of={value} article={articleId === null ? null : await findIfKept(c, articleId)} />}
      <p class="hint">
        Started <Time at={value.creationTime} />
        {value.finishTime !== null && (
          <>
            , ended <Time at={value.finishTime} />
          </>
        )}
        <Utc />
        {value.metadata === null &&
          value.outputTokens > 0 &&
          ` · ${formatNumber(value.inputTokens + value.outputTokens)} tokens`}
      </p>
      <p class="actions">
        {mayWrite && state !== "running" && (
          <a class="button quiet" href={`/console/articles/generate?blog=${value.blogId}`}>
            Generate another
          </a>
        )}
        <a href="/console/generations">All generations</a>
      </p>
    </>,
  );
});

// No notice: it would stay while the page reloads.
generation.post("/resume", async (c) => {
  const generationId = c.req.param("id") ?? "";
  await perform(c, registry.resumeGeneration, { generationId }, await readForm(c));
  return goTo(c, pathOf(generationId));
});

const TITLES: Readonly<Record<Generation["state"], string>> = {
  running: "Generating an article",
  stored: "Article generated",
  answered: "Help with a text",
  failed: "Generation failed",
};

/** Returns null for an article that has been deleted since. */
async function findIfKept(c: ConsoleContext, id: string): Promise<Article | null> {
  try {
    return (await findArticle(c, id)).article;
  } catch (error) {
    if (error instanceof DomainError && error.code === "not_found") return null;
    throw error;
  }
}

const STEPS: Readonly<Record<string, string>> = {
  outline: "Planning the article",
  section: "Writing the text",
  description: "Writing the description",
  image: "Making images",
  checks: "Checking the article",
};

const Running: FC<{ of: Generation }> = ({ of: { progress } }) => (
  <>
    <p class="alert" role="status">
      {(progress && STEPS[progress.step]) ?? "Waiting to begin"}. You can close this page: the generation goes on. It
      takes a minute or two.
    </p>
    <progress max={progress?.total ?? 1} value={progress?.done ?? 0} aria-label="Progress"></progress>
  </>
);

/** Whether it has changed an article, as its working copy, instead of writing one. */
const isProposal = ({ articleId, metadata }: Generation): boolean =>
  articleId !== null && metadata?.sourceArticleId === articleId;

const Failed: FC<{ of: Generation; mayResume: boolean }> = ({ of: { _id, code }, mayResume }) => (
  <>
    <p class="alert bad" role="status">
      {explain(code as ErrorCode | null)} Nothing was stored.
    </p>
    {mayResume && (
      <>
        <p>“Try again” goes on where it stopped. What AI has already written is kept, and not paid for again.</p>
        <Form action={`${pathOf(_id)}/resume`} submit="Try again" inline />
      </>
    )}
  </>
);

const explain = (code: ErrorCode | null): string =>
  REASONS[code ?? "internal"] ?? `${getErrorKind(code ?? "internal").title}.`;

const NO_RIGHTS = "Whoever started it may no longer write here.";

/** For codes whose title does not say enough. */
const REASONS: Partial<Record<ErrorCode, string>> = {
  ai_refused: "The model refused to write this. Ask for something else.",
  ai_unavailable: "The AI provider could not be reached, or failed.",
  ai_rate_limited: "The AI provider is busy. Wait a few minutes.",
  ai_timeout: "The model took too long.",
  ai_cut_off: "The model stopped before its answer was complete. Ask for fewer words.",
  ai_invalid_answer: "The model’s answer could not be used, even after several attempts.",
  internal: "Something went wrong in this service.",
  canceled: "Whoever waited for it closed the connection.",
  topic_used: "Somebody else generated an article from this topic idea meanwhile.",
  not_found: "Its blog, article or topic idea was deleted meanwhile.",
  slug_taken: "Another article in the blog got its slug meanwhile.",
  quota_exceeded: "The organization’s storage is full.",
  credentials_invalid: NO_RIGHTS,
  role_forbidden: NO_RIGHTS,
  scope_missing: NO_RIGHTS,
};
