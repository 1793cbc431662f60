/** Has a model change in an article what its sources have changed, and nothing else. */
import * as z from "zod";
import { BARE_URLS, findEmails } from "../../lib/addresses.ts";
import { LIMITS } from "../../domain/limits.ts";
import { removeInvisible } from "../../lib/invisible.ts";
import { plainLine } from "../../lib/plain-line.ts";
import { delimit } from "../delimit.ts";
import type { Generated, Source, SourceArticle } from "./brief.ts";
import { traceClaims } from "./claims.ts";
import { listLinks } from "./links.ts";
import { countWords, listNodes, parse } from "./markdown.ts";
import { buildSystemPrompt, joinParagraphs, makeLanguageRule, toBullets, type Prompt } from "./prompts.ts";
import type { Run } from "./run.ts";
import { countNoun } from "./sentences.ts";
import { countTokens } from "./tokens.ts";
import { checkSources } from "./source-prompts.ts";

/** `before` has each source as it was, in the same order: the same if it has not changed. */
export type Proposed = {
  readonly article: SourceArticle;
  readonly sources: readonly Source[];
  readonly before: readonly Source[];
  /** What the request said from which the article was generated. */
  readonly ownWords: string;
};

const answerSchema = z.object({
  title: z.string().max(LIMITS.title),
  description: z.string().max(LIMITS.description),
  edits: z.array(z.object({ find: z.string().min(1).max(2000), replace: z.string().max(5000) })).max(50),
});

/** Throws the text model's errors. The content of the result is the article's own Markdown with the edits. */
export async function proposeUpdate(proposed: Proposed, run: Run): Promise<Generated> {
  const { article, sources, ownWords } = proposed;
  const { locale } = article;
  run.expect(1);
  run.begin({ step: "section", section: 1, of: 1 });
  const answer = await run.ask({ name: "update", schema: answerSchema, ...buildPrompt(proposed) });
  const content = applyEdits(proposed, answer.edits, run);
  const title = plainLine(answer.title) || article.title;
  const description = plainLine(answer.description) || article.description;
  run.begin({ step: "checks" });
  const claims = traceClaims({ title, description, content, locale }, sources, ownWords);
  return {
    article: { title, description, content, slug: "", coverUrl: "", keywords: [] },
    outline: [],
    words: countWords(content, locale),
    images: [],
    checks: checkSources(claims),
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

function buildPrompt({ article, sources, before }: Proposed): Prompt {
  const changed = sources.flatMap((source, index) => {
    const former = before[index];
    if (former === undefined || former.text === source.text) return [];
    return [delimit(`source ${index + 1} before`, former.text), delimit(`source ${index + 1} now`, source.text)];
  });
  return {
    system: buildSystemPrompt(EDITOR, makeLanguageRule(article.locale)),
    prompt: joinParagraphs(
      "The sources of the article below have changed. Bring it up to date.",
      toBullets(
        "Each edit replaces a passage of the content. `find` is that passage letter for letter, with as much around it that it is there only once; `replace` is what takes its place, without HTML and new links.",
        "No edits, if nothing in the content depends on what has changed.",
        "Title and description stay as they are, unless what they say has changed.",
      ),
      delimit("title", article.title),
      delimit("description", article.description),
      delimit("content", article.content),
      ...changed,
    ),
  };
}

type Edit = z.infer<typeof answerSchema>["edits"][number];

/** An edit that cannot be placed, or adds what the article may not have, is left out. */
function applyEdits({ article }: Proposed, edits: readonly Edit[], run: Run): string {
  const allowed = new Set(listRisks(article.content));
  let [content, misplaced, unsafe] = [article.content, 0, 0];
  for (const { find, replace } of edits) {
    const start = content.indexOf(find);
    if (start < 0 || content.includes(find, start + 1)) {
      misplaced++;
      continue;
    }
    const next = `${content.slice(0, start)}${removeInvisible(replace)}${content.slice(start + find.length)}`;
    if (next.length <= LIMITS.assistArticle * 2 && listRisks(next).every((risk) => allowed.has(risk))) content = next;
    else unsafe++;
  }
  if (misplaced > 0) run.degrade(`${countNoun(misplaced, "change")} could not be placed in the text.`);
  if (unsafe > 0) run.degrade(`${countNoun(unsafe, "change")} would have added links, images or HTML.`);
  return content;
}

/** What an article may have only from its writers: links, addresses, images, HTML and definitions. */
function listRisks(markdown: string): string[] {
  const { children, html = [] } = parse(markdown);
  const { written, literal } = listLinks(markdown);
  return [
    ...[...written, ...literal].map((url) => `link ${url}`),
    ...(markdown.match(BARE_URLS) ?? []).map((url) => `address ${url}`),
    ...findEmails(markdown).map((mail) => `mail ${mail}`),
    ...listNodes(children, "image").map(({ url }) => `image ${url}`),
    ...html.map(({ value }) => `html ${value}`),
    ...listNodes(children, "definition").map(({ url, label }) => `definition ${label} ${url}`),
  ];
}
