/** The commands that generate articles: `articles generate` takes seconds to minutes and shows the steps. */
import { randomUUID } from "node:crypto";
import type { Command } from "commander";
import { isId } from "../../../src/lib/ids.ts";
import { LIMITS } from "../../../src/domain/limits.ts";
import { formatOutline, parseOutline } from "../../../src/domain/outline-text.ts";
import { DAY_MS } from "../../../src/lib/time.ts";
import type { GeneratedArticle, GenerationInput } from "../client.ts";
import type { Context } from "../context.ts";
import { CliError, EXIT, hasCode, isAbort, usageError } from "../failure.ts";
import type { Progress } from "../progress.ts";
import { isConnectTimeout } from "../refusal.ts";
import { toPrintable, toPrintableLine } from "../terminal.ts";
import { readEvents } from "../events.ts";
import { declare, getGroup, type Taken } from "./declare.ts";
import { findArticle, formatState } from "./find.ts";
import { BLOG, omitUndefined, readText, wholeNumber } from "./shared.ts";

type Options = {
  readonly blog?: string;
  readonly topic?: string;
  readonly topicId?: string;
  readonly article?: string;
  readonly outline?: string;
  readonly instructions?: string;
  readonly keyword?: string[];
  readonly source?: string[];
  readonly locale?: string;
  readonly slug?: string;
  readonly tone?: string;
  readonly words?: number;
  readonly images: boolean;
  readonly published?: boolean;
};

const collectTexts = (text: string, before: string[] | undefined): string[] => [...(before ?? []), text];

/** What an article is about, and how it is written. */
const WISHES = [
  ["--topic <text>", "what to write about"],
  ["--topic-id <id>", "a topic idea to write about (see topics list)"],
  ["--article <id-or-slug>", "an article to translate (with another --locale) or to rewrite"],
  BLOG,
  ["--instructions <file>", "a file with further instructions; - for standard input"],
  ["--keyword <text>", "what readers would search for; may be repeated", collectTexts],
  ["--source <url>", "a page, feed or text to write from; may be repeated", collectTexts],
  ["--locale <tag>", "the language to write in"],
  ["--tone <text>", "the tone, such as: calm, practical"],
  ["--words <n>", "the approximate number of words", wholeNumber(LIMITS.wordsLeast, LIMITS.wordsMost)],
] satisfies readonly Taken[];

const ORDER = [
  ...WISHES,
  ["--outline <file>", "a file with its outline (see articles outline); - for standard input"],
  ["--slug <slug>", "its slug (default: from the title)"],
  ["--no-images", "no cover and no images in the text"],
  ["--published", "publish it when it is complete"],
] satisfies readonly Taken[];

export function addGenerate(program: Command, context: Context): void {
  declare(
    getGroup(program, "articles"),
    "generate",
    "generate, translate or rewrite an article; a draft, unless --published",
    {
      takes: ORDER,
      help: EXAMPLES,
      run: (options: Options) => generate(context, options),
    },
  );
}

export function addStart(program: Command, context: Context): void {
  declare(
    getGroup(program, "generations"),
    "start",
    "generate an article in the background; a draft, unless --published",
    {
      takes: ORDER,
      example: 'generations start --blog field-notes --topic "The first ferry of the day"',
      async run(options: Options) {
        const body = await buildInput(context, options);
        const client = await context.client();
        const { value } = await client.request("POST /api/generations", { body, idempotencyKey: randomUUID() });
        context.output.result(value, () => `Started. To see how far it is: edgepress generations get ${value._id}`);
      },
    },
  );
}

export function addOutline(program: Command, context: Context): void {
  declare(
    getGroup(program, "articles"),
    "outline",
    "have an article planned, to change the plan before it is written",
    {
      takes: WISHES,
      example: 'articles outline --blog field-notes --topic "The first ferry of the day" > plan.md',
      async run(options: Options) {
        const { published: _, ...body } = await buildInput(context, { ...options, images: true });
        const client = await context.client({ patienceMs: LIMITS.assistTimeoutMs, timeoutMs: LIMITS.assistTimeoutMs });
        const { value } = await client.request("POST /api/articles/outline", { body });
        context.output.result(value, () => toPrintable(formatOutline(value.outline)));
      },
    },
  );
}

export function addEstimate(program: Command, context: Context): void {
  declare(
    getGroup(program, "generations"),
    "estimate",
    "tell what a generation would take, about, without starting it",
    {
      takes: ORDER,
      example: 'generations estimate --blog field-notes --topic "The first ferry of the day" --words 600',
      async run(options: Options) {
        const client = await context.client();
        const { value } = await client.request("POST /api/generations/estimate", {
          body: await buildInput(context, options),
        });
        const { calls, inputTokens, outputTokens, cost, tokensToday } = value;
        context.output.result(value, () => {
          const numbers = [tokensToday?.used, tokensToday?.limit].flatMap((each) => each?.toLocaleString("en") ?? []);
          const today = numbers.length === 0 ? "" : ` Tokens today: ${numbers.join(" of ")}.`;
          const price = cost === null ? "" : `, about US$ ${cost.toFixed(4)}`;
          const tokens = (inputTokens + outputTokens).toLocaleString("en");
          return `About ${tokens} tokens in ${calls} calls${price}.${today}`;
        });
      },
    },
  );
}

const EXAMPLES = `
Examples:
  $ edgepress articles generate --blog field-notes --topic "The first ferry of the day" --words 600
  $ edgepress articles generate --article 019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d --locale de

Ctrl-C stops it. Nothing is stored before the article is complete, so only in the last seconds it may already be stored.`;

async function generate(context: Context, options: Options): Promise<void> {
  const { output } = context;
  const body = await buildInput(context, options);
  const progress = output.progress("Writing");
  try {
    const { article, metadata } = await follow(context, body, progress);
    progress.end();
    output.result({ article, metadata }, () => {
      const failed = metadata.checks.filter(({ passed }) => !passed);
      return [
        `Wrote ${toPrintableLine(`“${article.title}” (${article.slug}, ${article.locale}, ${article._id})`)}:`,
        `${formatState(article.published)}, ${metadata.wordCount} words by ${toPrintableLine(metadata.model)}.`,
        ...[...metadata.degradations, ...failed.map(({ detail }) => detail)].map((line) => `- ${toPrintable(line)}`),
      ].join("\n");
    });
  } catch (error) {
    progress.end();
    throw isAbort(error) ? makeStoppedError(options) : nameOption(error, options);
  }
}

function makeStoppedError({ blog, published }: Options): CliError {
  const list = `edgepress articles list${published === true ? "" : " --drafts"}${blog === undefined ? "" : ` --blog ${blog}`}`;
  const hint = `The article may already have been stored. To check: ${list}`;
  return new CliError("interrupted", "Interrupted.", EXIT.interrupted, { hint });
}

/** Makes a refusal of `blogId` name the option `--blog`: the idea or article belongs to another blog. */
function nameOption(error: unknown, { topic, blog }: Options): unknown {
  const isBlog = error instanceof CliError && error.details.errors?.some(({ path }) => path === "blogId") === true;
  if (!isBlog || topic !== undefined || blog === undefined) return error;
  return new CliError(error.code, "--blog names another blog than that of the idea or article.", error.exit, {
    ...error.details,
    errors: undefined,
    hint: "Leave out --blog, or name that blog.",
  });
}

async function buildInput(context: Context, options: Options): Promise<GenerationInput> {
  const { blog, topic, topicId, article, instructions: file, keyword: keywords, images, outline: plan } = options;
  const { source: sources } = options;
  const { locale, slug, tone, words, published = false } = options;
  const named = [topic, topicId, article].filter((each) => each !== undefined);
  if (named.length !== 1) throw usageError("Say what to write about: one of --topic, --topic-id, --article.");
  const instructions = file === undefined ? undefined : await readText(file, context);
  const outline = plan === undefined ? undefined : parseOutline(await readText(plan, context));
  if (typeof outline === "string") throw usageError(`--outline: ${outline}`);
  // Without a topic, the service takes the blog of the given idea or article.
  const blogId = topic !== undefined || blog !== undefined ? await context.blog(blog) : undefined;
  const articleId = article === undefined ? undefined : await findId(context, article, blogId);
  const wishes = { topic, topicId, articleId, instructions, keywords, sources, locale, slug, tone, words };
  const members = { blogId, ...wishes, outline, published };
  return { ...omitUndefined(members), ...(!images && { coverImage: false, inlineImages: false }) };
}

/** Here, `--locale` is the language to write in and does not select the article: the service chooses. */
async function findId(context: Context, named: string, blog: string | undefined): Promise<string> {
  if (isId(named)) return named;
  return (await findArticle(context, named, { blog }, { fields: ["_id"] })).value._id;
}

/**
 * Generates the article and shows the steps. If the connection breaks, sends the request once more with the same
 * Idempotency-Key: the service returns the stored article, or the client waits until it is complete.
 */
async function follow(context: Context, body: GenerationInput, progress: Progress): Promise<GeneratedArticle> {
  const { signal } = context;
  const server = await context.server();
  const tell = makeStepReporter(progress);
  // A day stands for no timeout: it may take long, and the service sends a heartbeat.
  const client = await context.client({ patienceMs: LIMITS.generationTimeoutMs, timeoutMs: DAY_MS });
  const input = { body, idempotencyKey: randomUUID(), accept: "text/event-stream" };
  for (let tried = 1; ; tried++) {
    try {
      const { response } = await client.request("POST /api/articles/generate", input);
      for await (const { event, data } of readEvents(response?.body ?? new Blob().stream(), { server, signal })) {
        if (event === "result") return data as GeneratedArticle;
        if (event === "step") tell(data as Step);
      }
    } catch (error) {
      if (tried > 1 || !isConnectionLost(error)) throw error;
      context.output.note("The connection was lost; requesting the same article once more.");
    }
  }
}

/**
 * Whether the connection broke while the service may be generating the article. An error with a status is a response of
 * another kind of server.
 */
const isConnectionLost = (error: unknown): boolean =>
  hasCode(error, "unreachable", "invalid_answer") && error.details.status === undefined && !isConnectTimeout(error);

type Step = {
  readonly step: string;
  readonly section?: number;
  readonly image?: number;
  readonly of?: number;
  readonly done?: number;
  readonly total?: number;
};

/** `done` moves within a section, and is shown in whole calls of the model. */
function makeStepReporter(progress: Progress): (step: Step) => void {
  let before = 0;
  return ({ step, section, image, of, done = 0, total }) => {
    const whole = Math.floor(done);
    progress.advance(Math.max(0, whole - before), total);
    before = Math.max(before, whole);
    const which = section ?? image;
    progress.say(which === undefined ? step : `${step} ${which} of ${of}`);
  };
}
