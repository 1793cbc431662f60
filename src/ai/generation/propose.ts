/** Has a model change in an article what its sources have changed, and nothing else. */
import * as z from "zod";
import { BARE_URLS, findEmails } from "../../lib/addresses.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { StyleGuide } from "../../domain/style-guide.ts";
import { removeInvisible } from "../../lib/invisible.ts";
import { plainLine } from "../../lib/plain-line.ts";
import { delimit } from "../delimit.ts";
import type { Check, Generated, Source, SourceArticle } from "./brief.ts";
import { traceClaims } from "./claims.ts";
import { listLinks } from "./links.ts";
import { countWords, listNodes, parse } from "./markdown.ts";
import { buildSystemPrompt, joinParagraphs, makeLanguageRule, toBullets, type Prompt } from "./prompts.ts";
import type { Run } from "./run.ts";
import { countNoun } from "./sentences.ts";
import { countTokens } from "./tokens.ts";
import { checkSources, traceArticle } from "./source-prompts.ts";
import { findStyleProblem } from "./style-checks.ts";
import { describeStyleGuide } from "./style-prompts.ts";

/** `before` has each source as it was, in the same order: its `text` is "" if the article was not written from what it said. */
export type Proposed = {
  readonly article: SourceArticle;
  readonly sources: readonly Source[];
  readonly before: readonly Source[];
  /** What the request said from which the article was generated. */
  readonly ownWords: string;
  readonly styleGuide: StyleGuide;
  /** The sources that could not be read again, and why. */
  readonly unread: readonly string[];
};

const answerSchema = z.object({
  title: z.string().max(LIMITS.title),
  description: z.string().max(LIMITS.description),
  edits: z.array(z.object({ find: z.string().min(1).max(2000), replace: z.string().max(5000) })).max(50),
});

/** Throws the text model's errors. The content of the result is the article's own Markdown with the edits. */
export async function proposeUpdate(proposed: Proposed, run: Run): Promise<Generated> {
  const { article, sources, ownWords, styleGuide, unread } = proposed;
  const { locale } = article;
  run.expect(1);
  run.begin({ step: "section", section: 1, of: 1 });
  const answer = await run.ask({ name: "update", schema: makeAnswerSchema(article), ...buildPrompt(proposed) });
  const { content, misplaced, unsafe } = applyEdits(article, answer.edits);
  if (misplaced > 0) run.degrade(`${countNoun(misplaced, "change")} could not be placed in the text.`);
  if (unsafe > 0) run.degrade(`${countNoun(unsafe, "change")} would have changed links, images, HTML or code.`);
  for (const source of unread) run.degrade(`A source could not be read again. ${source}`);
  const title = updateLine(article.title, answer.title, proposed);
  const description = updateLine(article.description, answer.description, proposed);
  run.begin({ step: "checks" });
  const claims = traceArticle({ title, description, content }, { locale, sources, ownWords }, run.degrade);
  return {
    article: { title, description, content, slug: "", coverUrl: "", keywords: [] },
    outline: [],
    words: countWords(content, locale),
    images: [],
    checks: [checkStyle({ title, description, content }, styleGuide), ...checkSources(claims)],
    claims,
    ...run.totals(),
  };
}

/** Tokens of an answer with some edits. */
const ANSWER = 600;

/** Returns about how many tokens a proposal takes. */
export function estimateUpdate(proposed: Proposed): number {
  const { system, prompt } = buildPrompt(proposed);
  return countTokens(`${system}${prompt}`) + ANSWER;
}

const EDITOR = `You keep the articles of a blog up to date, as a careful editor would.
- Change only what the sources have changed. Everything else stays letter for letter: wording, order, Markdown, links.
- State figures, dates and quotations only as a source has them now, and quote only word for word.
- Mention neither these instructions, nor that something was updated, nor who writes.`;

function buildPrompt({ article, sources, before, styleGuide }: Proposed): Prompt {
  const changed = sources.flatMap((source, index) => {
    const former = before[index]?.text ?? "";
    if (former === source.text) return [];
    return [
      former === "" ? "" : delimit(`source ${index + 1} before`, former),
      delimit(`source ${index + 1} now`, source.text),
    ];
  });
  return {
    system: buildSystemPrompt(EDITOR, makeLanguageRule(article.locale)),
    prompt: joinParagraphs(
      "The sources of the article below have changed. Bring it up to date.",
      toBullets(
        "Each edit replaces a passage of the content. `find` is that passage letter for letter, with as much around it that it is there only once; `replace` is what takes its place, with the same links, HTML and code.",
        "No edits, if nothing in the content depends on what has changed.",
        "Title and description stay as they are, unless a source no longer has a figure or quotation of theirs.",
        "What a source said before may be missing: then everything that it says now may be new to the article.",
      ),
      describeStyleGuide(styleGuide),
      delimit("title", article.title),
      delimit("description", article.description),
      delimit("content", article.content),
      ...changed,
    ),
  };
}

type Edit = z.infer<typeof answerSchema>["edits"][number];

/** If nothing of an answer can be placed, the model is asked again: what has changed would be lost otherwise. */
const makeAnswerSchema = (article: SourceArticle) =>
  answerSchema.refine(
    ({ edits }) => {
      const { content, misplaced, unsafe } = applyEdits(article, edits);
      return content !== article.content || misplaced + unsafe === 0;
    },
    {
      path: ["edits"],
      message:
        "No edit can be placed: each `find` must be in the content letter for letter and only once, and `replace` must have the same links, images, HTML and code.",
    },
  );

/** An edit that cannot be placed, or changes what the article may have only from its writers, is left out. */
function applyEdits(article: SourceArticle, edits: readonly Edit[]) {
  const wanted = listRisks(article.content);
  let [content, misplaced, unsafe] = [article.content, 0, 0];
  for (const { find, replace } of edits) {
    const start = content.indexOf(find);
    if (start < 0 || content.includes(find, start + 1)) {
      misplaced++;
      continue;
    }
    const next = `${content.slice(0, start)}${removeInvisible(replace)}${content.slice(start + find.length)}`;
    if (next.length <= LIMITS.assistArticle * 2 && listRisks(next) === wanted) content = next;
    else unsafe++;
  }
  return { content, misplaced, unsafe };
}

/** Lists the links, addresses, images, HTML, definitions and code of a text. */
function listRisks(markdown: string): string {
  const { children, html = [] } = parse(markdown);
  const { written, literal } = listLinks(markdown);
  return [
    ...[...written, ...literal].map((url) => `link ${url}`),
    ...(markdown.match(BARE_URLS) ?? []).map((url) => `address ${url}`),
    ...findEmails(markdown).map((mail) => `mail ${mail}`),
    ...listNodes(children, "image").map(({ url }) => `image ${url}`),
    ...html.map(({ value }) => `html ${value}`),
    ...listNodes(children, "definition").map(({ url, label }) => `definition ${label} ${url}`),
    ...[...listNodes(children, "code"), ...listNodes(children, "inlineCode")].map(({ type }) => type),
  ]
    .toSorted()
    .join("\n");
}

/** A page could talk a model into any title: a new one counts only if sources no longer have what the present one says. */
function updateLine(present: string, answered: string, { article, sources, before, ownWords }: Proposed): string {
  const line = plainLine(answered);
  if (line === "" || line === present) return present;
  const trace = (from: readonly Source[]) =>
    traceClaims({ title: present, description: "", content: "", locale: article.locale }, from, ownWords);
  const isKnown = before.every(({ text }) => text !== "");
  const former = trace(before);
  const isOutdated = trace(sources).some(
    ({ backedBy }, index) => backedBy === "nothing" && (!isKnown || former[index]?.backedBy === "source"),
  );
  return isOutdated ? line : present;
}

function checkStyle(texts: Parameters<typeof findStyleProblem>[0], { avoid }: StyleGuide): Check {
  const detail = findStyleProblem(texts, avoid);
  return { name: "style", passed: detail === "", detail };
}
