/** Translates an article part by part, and keeps its structure, links, images and code. */
import { plainLine } from "../../lib/plain-line.ts";
import { glossaryAnswer, sectionAnswer, translatedDescriptionAnswer, type Glossary } from "./answers.ts";
import type { Brief, Generated, GeneratedArticle, Outline, SourceArticle, Subject } from "./brief.ts";
import { checkArticle } from "./checks.ts";
import { chunksOf, isWordy, joined, type Chunk } from "./chunks.ts";
import { finished } from "./gate.ts";
import { keywordsOf } from "./keyword-list.ts";
import { linkRules } from "./links.ts";
import { countWords, headingsOf, lineOf, nodesOf, parse, print, type Content, type ContentOf } from "./markdown.ts";
import { glossaryPrompt, translatedDescriptionPrompt, translationPrompt } from "./prompts.ts";
import type { Run } from "./run.ts";
import { removalsOf, sumOf, type Removed, type Rules } from "./sanitize.ts";
import { count } from "./sentences.ts";
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
  const rules: Rules = { links: linkRules(brief), images: keepsImages ? imagesIn(article.content) : new Set() };
  const source = readSource(article, rules, keepsImages);
  const glossary = await begin(brief, { ...article, content: source.content }, run);
  const notes = notesIn(source.content);
  const parts = await run.each(numbered(source.chunks), async (part) => {
    if (part.number === 0) return { ...part, blocks: part.chunk.blocks, removed: NOTHING };
    run.begin({ step: "section", section: part.number, of: part.of });
    const prompt = translationPrompt(brief, article, glossary, print(part.chunk.blocks));
    const { content } = await run.ask({ name: "translation", schema: sectionAnswer, ...prompt });
    return { ...part, ...tidyPart(content, notes, rules) };
  });
  for (const { blocks, chunk, number } of parts) {
    for (const sentence of restored(blocks, chunk.blocks)) run.degrade(`Part ${number} of the translation ${sentence}`);
  }
  const last = finished(joined(parts), rules);
  const removed = sumOf([source.removed, ...parts.map((part) => part.removed), last.removed]);
  for (const sentence of removalsOf(removed)) run.degrade(sentence);
  return finish(brief, article, run, { source, glossary, content: last.content, removedLinks: removed.links });
}

const NOTHING: Removed = { links: 0, images: 0, html: 0 };

async function begin(brief: Brief, article: SourceArticle, run: Run): Promise<Glossary> {
  run.begin({ step: "outline" });
  return run.ask({ name: "glossary", schema: glossaryAnswer, ...glossaryPrompt(brief, article) });
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
    schema: translatedDescriptionAnswer,
    ...translatedDescriptionPrompt(brief, article, glossary, content.slice(0, BEGINNING).toWellFormed()),
  });
  const keyword = plainLine(brief.keywords[0] ?? glossary.primaryKeyword);
  const result: GeneratedArticle = {
    title: plainLine(glossary.title),
    description: plainLine(description),
    content,
    slug: "",
    coverUrl: "",
    keywords: keywordsOf([keyword, ...brief.keywords, ...keywords]),
  };
  run.begin({ step: "checks" });
  const wanted = countWords(source.content, article.locale);
  const checks = checkArticle({
    ...result,
    locale: brief.locale,
    keyword,
    links: { removed: removedLinks, offered: [] },
    words: { wanted, least: wanted / LANGUAGES_DIFFER, most: wanted * LANGUAGES_DIFFER },
    source: source.content,
  });
  const words = countWords(content, brief.locale);
  return { article: result, outline: outlineOf(parse(content).children), words, images: [], checks, ...run.totals() };
}

/** Characters of the translation from which its description is made. */
const BEGINNING = 3000;

/** The factor by which the number of words may differ. Japanese has nearly twice as many words as English. */
export const LANGUAGES_DIFFER = 2.2;

/** Resolves references, removes HTML and a heading that repeats the title, and moves level 1 headings to level 2. */
function readSource({ title, content }: SourceArticle, rules: Rules, keepsImages: boolean): Source {
  const { blocks, removed } = tidyPart(content, [], rules);
  const [first] = blocks;
  if (first?.type === "heading" && first.depth === 1 && lineOf(first) === plainLine(title)) blocks.shift();
  lowerTitles(blocks);
  // Images that the caller did not ask for do not count as removed.
  const missing = keepsImages ? removed : { ...removed, images: 0 };
  return { chunks: chunksOf(blocks), content: print(blocks), removed: missing };
}

/** Moves headings of level 1 to level 2: the title is a field of its own. */
function lowerTitles(blocks: readonly Content[]): void {
  for (const heading of headingsOf(blocks)) if (heading.depth === 1) heading.depth = 2;
}

/** Numbers the chunks with words, from 1. Others get 0: there is nothing to translate. */
function numbered(chunks: readonly Chunk[]) {
  const wordy = chunks.filter(isWordy);
  return chunks.map((chunk) => ({ chunk, number: wordy.indexOf(chunk) + 1, of: wordy.length }));
}

/**
 * Copies heading levels and code from the source chunk to the translated one. Returns what the translation lacks: sentences
 * without their subject, "Part n of the translation".
 */
function restored(translated: readonly Content[], source: readonly Content[]): string[] {
  for (const [own, wanted] of pairsOf(translated, source, "heading")) own.depth = wanted.depth;
  for (const [own, wanted] of pairsOf(translated, source, "code")) {
    own.value = wanted.value;
    own.lang = wanted.lang ?? null;
    own.meta = wanted.meta ?? null;
  }
  lowerTitles(translated);
  if (translated.length === 0) return ["came out empty and was left out."];
  return COUNTED.flatMap(([type, noun]) => {
    const [own, wanted] = [nodesOf(translated, type).length, nodesOf(source, type).length];
    return own === wanted ? [] : [`has ${count(own, noun)}; its source has ${wanted}.`];
  });
}

const COUNTED = [
  ["heading", "heading"],
  ["code", "code block"],
  ["image", "image"],
  ["table", "table"],
] as const;

/** Pairs the nodes of a type with those of the source, in order. Returns [] if their numbers differ. */
function pairsOf<T extends Content["type"]>(translated: readonly Content[], source: readonly Content[], type: T) {
  const [own, wanted] = [nodesOf(translated, type), nodesOf(source, type)];
  if (own.length !== wanted.length) return [];
  return own.flatMap((node, index): [ContentOf<T>, ContentOf<T>][] => {
    const other = wanted[index];
    return other === undefined ? [] : [[node, other]];
  });
}

export function imagesIn(markdown: string): ReadonlySet<string> {
  return new Set(nodesOf(parse(markdown).children, "image").map(({ url }) => url));
}

const notesIn = (markdown: string): string[] =>
  nodesOf(parse(markdown).children, "footnoteDefinition").map(({ label }) => label);

/** Returns the headings of level 2, each with the headings below it as its points. */
function outlineOf(blocks: readonly Content[]): Outline {
  const outline: { heading: string; points: string[] }[] = [];
  for (const heading of headingsOf(blocks)) {
    if (heading.depth === 2) outline.push({ heading: lineOf(heading), points: [] });
    else outline.at(-1)?.points.push(lineOf(heading));
  }
  return outline;
}
