/** Translates an article part by part, and keeps its structure, links, images and code. */
import { plainLine } from "../../lib/plain-line.ts";
import { glossarySchema, sectionSchema, translatedDescriptionSchema, type Glossary } from "./answers.ts";
import type { Brief, Generated, GeneratedArticle, Outline, SourceArticle, Subject } from "./brief.ts";
import { checkArticle } from "./checks.ts";
import { splitIntoChunks, hasWords, joinChunks, type Chunk } from "./chunks.ts";
import { finishContent } from "./gate.ts";
import { toKeywords } from "./keyword-list.ts";
import { buildLinkRules } from "./links.ts";
import {
  countWords,
  listHeadings,
  toLine,
  listNodes,
  parse,
  print,
  type Content,
  type ContentByType,
} from "./markdown.ts";
import { buildGlossaryPrompt, buildTranslatedDescriptionPrompt, buildTranslationPrompt } from "./prompts.ts";
import type { Run } from "./run.ts";
import { describeRemoved, sumRemoved, type Removed, type Rules } from "./sanitize.ts";
import { countNoun } from "./sentences.ts";
import { tidyPart } from "./tidy.ts";

/** `chunks` are translated, `content` is compared with the result. */
type Source = { readonly chunks: readonly Chunk[]; readonly content: string; readonly removed: Removed };

type Translation = Extract<Subject, { kind: "translation" }>;

/** Translates into the locale of the brief. Returns "" for `slug` and `coverUrl`: a translation has its source's. */
export async function translateArticle(
  brief: Brief,
  { article, keepsImages }: Translation,
  run: Run,
): Promise<Generated> {
  if (brief.coverImage || brief.inlineImages) run.degrade("No images were made: a translation keeps its article's.");
  const rules: Rules = {
    links: buildLinkRules(brief),
    images: keepsImages ? listImageUrls(article.content) : new Set(),
  };
  const source = readSource(article, rules, keepsImages);
  const chunks = numberChunks(source.chunks);
  run.expect(2 + chunks.filter(({ number }) => number > 0).length);
  const glossary = await begin(brief, { ...article, content: source.content }, run);
  const notes = listFootnotes(source.content);
  const parts = await run.each(chunks, async (part) => {
    if (part.number === 0) return { ...part, blocks: part.chunk.blocks, removed: NOTHING };
    const stage = { step: "section", section: part.number, of: part.of } as const;
    run.begin(stage);
    const text = print(part.chunk.blocks);
    const moves = { stage, characters: text.length };
    const prompt = buildTranslationPrompt(brief, article, glossary, text);
    const { content } = await run.ask({ name: "translation", schema: sectionSchema, ...prompt, moves });
    return { ...part, ...tidyPart(content, notes, rules) };
  });
  for (const { blocks, chunk, number } of parts) {
    for (const sentence of restoreParts(blocks, chunk.blocks))
      run.degrade(`Part ${number} of the translation ${sentence}`);
  }
  const last = finishContent(joinChunks(parts), rules);
  const removed = sumRemoved([source.removed, ...parts.map((part) => part.removed), last.removed]);
  for (const sentence of describeRemoved(removed)) run.degrade(sentence);
  return finish(brief, article, run, { source, glossary, content: last.content, removedLinks: removed.links });
}

const NOTHING: Removed = { links: 0, images: 0, html: 0 };

async function begin(brief: Brief, article: SourceArticle, run: Run): Promise<Glossary> {
  run.begin({ step: "outline" });
  return run.ask({ name: "glossary", schema: glossarySchema, ...buildGlossaryPrompt(brief, article) });
}

type Translated = {
  readonly source: Source;
  readonly glossary: Glossary;
  readonly content: string;
  readonly removedLinks: number;
};

async function finish(brief: Brief, article: SourceArticle, run: Run, translated: Translated): Promise<Generated> {
  const { source, glossary, content, removedLinks } = translated;
  run.begin({ step: "description" });
  const { description, keywords } = await run.ask({
    name: "description",
    schema: translatedDescriptionSchema,
    ...buildTranslatedDescriptionPrompt(brief, article, glossary, content.slice(0, BEGINNING).toWellFormed()),
  });
  const keyword = plainLine(brief.keywords[0] ?? glossary.primaryKeyword);
  const result: GeneratedArticle = {
    title: plainLine(glossary.title),
    description: plainLine(description),
    content,
    slug: "",
    coverUrl: "",
    keywords: toKeywords([keyword, ...brief.keywords, ...keywords]),
  };
  run.begin({ step: "checks" });
  const wanted = countWords(source.content, article.locale);
  const checks = checkArticle({
    ...result,
    locale: brief.locale,
    keyword,
    links: { removed: removedLinks, offered: [] },
    words: { wanted, least: wanted / LANGUAGES_DIFFER, most: wanted * LANGUAGES_DIFFER },
    avoid: brief.styleGuide?.avoid ?? [],
    source: source.content,
  });
  const words = countWords(content, brief.locale);
  return { article: result, outline: readOutline(parse(content).children), words, images: [], checks, ...run.totals() };
}

/** Characters of the translation from which its description is made. */
export const BEGINNING = 3000;

/** The factor by which the number of words may differ. Japanese has nearly twice as many words as English. */
export const LANGUAGES_DIFFER = 2.2;

/** Resolves references, removes HTML and a heading that repeats the title, and moves level 1 headings to level 2. */
function readSource({ title, content }: SourceArticle, rules: Rules, keepsImages: boolean): Source {
  const { blocks, removed } = tidyPart(content, [], rules);
  const [first] = blocks;
  if (first?.type === "heading" && first.depth === 1 && toLine(first) === plainLine(title)) blocks.shift();
  lowerTitles(blocks);
  // Images that the caller did not ask for do not count as removed.
  const missing = keepsImages ? removed : { ...removed, images: 0 };
  return { chunks: splitIntoChunks(blocks), content: print(blocks), removed: missing };
}

/** Moves headings of level 1 to level 2: the title is a field of its own. */
function lowerTitles(blocks: readonly Content[]): void {
  for (const heading of listHeadings(blocks)) if (heading.depth === 1) heading.depth = 2;
}

/** Numbers the chunks with words, from 1. Others get 0: there is nothing to translate. */
function numberChunks(chunks: readonly Chunk[]) {
  const wordy = chunks.filter(hasWords);
  return chunks.map((chunk) => ({ chunk, number: wordy.indexOf(chunk) + 1, of: wordy.length }));
}

/**
 * Copies heading levels and code from the source chunk to the translated one. Returns what the translation lacks: sentences
 * without their subject, "Part n of the translation".
 */
function restoreParts(translated: readonly Content[], source: readonly Content[]): string[] {
  for (const [own, wanted] of pairNodes(translated, source, "heading")) own.depth = wanted.depth;
  for (const [own, wanted] of pairNodes(translated, source, "code")) {
    own.value = wanted.value;
    own.lang = wanted.lang ?? null;
    own.meta = wanted.meta ?? null;
  }
  lowerTitles(translated);
  if (translated.length === 0) return ["came out empty and was left out."];
  return COUNTED.flatMap(([type, noun]) => {
    const [own, wanted] = [listNodes(translated, type).length, listNodes(source, type).length];
    return own === wanted ? [] : [`has ${countNoun(own, noun)}; its source has ${wanted}.`];
  });
}

const COUNTED = [
  ["heading", "heading"],
  ["code", "code block"],
  ["image", "image"],
  ["table", "table"],
] as const;

/** Pairs the nodes of a type with those of the source, in order. Returns [] if their numbers differ. */
function pairNodes<T extends Content["type"]>(translated: readonly Content[], source: readonly Content[], type: T) {
  const [own, wanted] = [listNodes(translated, type), listNodes(source, type)];
  if (own.length !== wanted.length) return [];
  return own.flatMap((node, index): [ContentByType<T>, ContentByType<T>][] => {
    const other = wanted[index];
    return other === undefined ? [] : [[node, other]];
  });
}

export function listImageUrls(markdown: string): ReadonlySet<string> {
  return new Set(listNodes(parse(markdown).children, "image").map(({ url }) => url));
}

const listFootnotes = (markdown: string): string[] =>
  listNodes(parse(markdown).children, "footnoteDefinition").map(({ label }) => label);

/** Returns the headings of level 2, each with the headings below it as its points. */
function readOutline(blocks: readonly Content[]): Outline {
  const outline: { heading: string; points: string[] }[] = [];
  for (const heading of listHeadings(blocks)) {
    if (heading.depth === 2) outline.push({ heading: toLine(heading), points: [] });
    else outline.at(-1)?.points.push(toLine(heading));
  }
  return outline;
}
