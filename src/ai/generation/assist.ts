/** Helps with a text: reworks a passage, or proposes titles, descriptions and the like. */
import type { TextModel } from "../model.ts";
import { LIMITS } from "../../domain/limits.ts";
import { plainLine } from "../../lib/plain-line.ts";
import { listWarnings } from "./assist-checks.ts";
import {
  buildPicturesPrompt,
  buildPassagePrompt,
  buildDescriptionsPrompt,
  buildTagsPrompt,
  buildTitlesPrompt,
  type Wish,
} from "./assist-prompts.ts";
import type { PassageTask } from "./assist-tasks.ts";
import { makeAltTextsSchema, descriptionsSchema, sectionSchema, tagsSchema, titlesSchema } from "./answers.ts";
import type { Step } from "./brief.ts";
import { finishContent } from "./gate.ts";
import { distinctLines } from "./keyword-list.ts";
import { buildLinkRules } from "./links.ts";
import { listNodes, parse, print, inlineReferences } from "./markdown.ts";
import { openRun, type Run } from "./run.ts";
import { listPictures, type Picture } from "./pictures.ts";
import { describeRemoved, sumRemoved, type Removed, type Rules } from "./sanitize.ts";
import { describeAvoided, findAvoided } from "./style-checks.ts";
import { tidyPart } from "./tidy.ts";
import { listImageUrls } from "./translate.ts";

/** A proposal. `picture` is the URL of the picture that an alt text is for. */
export type Suggestion = { readonly value: string; readonly picture: string | null; readonly known: boolean };

export type Help = {
  /** The reworked passage; null for other tasks. */
  readonly text: string | null;
  readonly suggestions: readonly Suggestion[];
  /** What a person should look at before accepting, one sentence each. */
  readonly warnings: readonly string[];
  readonly repairs: number;
};

type Tools = { readonly text: TextModel; readonly tell: (step: Step) => void; readonly signal: AbortSignal };

/** Throws the model's errors (`ai_*`), and the reason of the signal if it is aborted. */
export async function assist(wish: Wish, tools: Tools): Promise<Help> {
  const run = openRun(tools);
  run.begin({ step: "writing" });
  const found = await helpWith(wish, run, tools.tell);
  return { ...NOTHING, ...found, repairs: run.totals().repairs };
}

const NOTHING: Omit<Help, "repairs"> = { text: null, suggestions: [], warnings: [] };

function helpWith(wish: Wish, run: Run, tell: Tools["tell"]): Promise<Partial<Help>> {
  switch (wish.task) {
    case "titles":
      return titles(wish, run);
    case "description":
      return descriptions(wish, run);
    case "alternatives":
      return suggestAltTexts(wish, run);
    case "tags":
      return tags(wish, run);
    case "shorten":
    case "rephrase":
    case "correct":
    case "translate":
      return rework({ ...wish, task: wish.task }, run, tell);
  }
}

/** Reworks a passage. Keeps the white space around it, so that it fits where it was. */
async function rework(
  wish: Wish & { readonly task: PassageTask },
  run: Run,
  tell: Tools["tell"],
): Promise<Partial<Help>> {
  const passage = wish.text.trim();
  const start = wish.text.indexOf(passage);
  const { content } = await run.ask({
    name: wish.task,
    schema: sectionSchema,
    ...buildPassagePrompt(wish, passage),
    wrote: makeTextReporter(tell),
  });
  run.begin({ step: "checks" });
  const { text, removed } = clean(content, passage);
  const target = wish.task === "translate" ? wish.targetLocale : wish.locale;
  return {
    text: wish.text.slice(0, start) + text + wish.text.slice(start + passage.length),
    warnings: [
      ...describeRemoved(removed),
      ...listWarnings({ task: wish.task, passage, locale: wish.locale }, { text, locale: target }),
      ...findAvoided(text, wish.styleGuide.avoid).map((found) => describeAvoided(found)),
    ],
  };
}

/** Returns a function that takes a growing text, and reports only what is new. */
function makeTextReporter(tell: Tools["tell"]): (text: string) => void {
  let told = "";
  return (text) => {
    const from = text.startsWith(told) ? told.length : 0;
    told = text;
    tell({ step: "text", from, text: text.slice(from) });
  };
}

/** Removes HTML, links and images that the passage does not have. A clean answer stays as the model wrote it. */
function clean(answer: string, passage: string): { text: string; removed: Removed } {
  const source = { title: "", description: "", content: passage, locale: "" };
  const rules: Rules = {
    links: buildLinkRules({
      blog: { name: "", articles: [] },
      instructions: "",
      subject: { kind: "translation", article: source, keepsImages: true },
    }),
    images: listImageUrls(passage),
  };
  const notes = [...new Set(Array.from(passage.matchAll(/\[\^([^\]\s]+)\]/g), ([, label = ""]) => label))];
  const tidied = tidyPart(answer, notes, rules);
  const { content, removed: last } = finishContent(tidied.blocks, rules);
  const written = answer.trim();
  // Printing chooses its own marks for lists and emphasis, so it is used only if something had to be removed. Allowed HTML
  // may have attributes that no reader sees.
  const isPlain = parse(written).html === undefined || parse(passage).html !== undefined;
  const isClean =
    isPlain && definesOnly(written, passage) && normalizeMarkdown(written, notes) === normalizeMarkdown(content, notes);
  return { text: isClean ? written : content, removed: sumRemoved([tidied.removed, last]) };
}

/** Prints a text, so that different marks compare as equal. `notes` are footnotes that are defined elsewhere. */
const normalizeMarkdown = (markdown: string, notes: readonly string[]): string =>
  print(inlineReferences(parse([markdown, ...notes.map((label) => `[^${label}]: elsewhere`)].join("\n\n"))));

/**
 * Returns true if the passage already has every link definition of the text: the rest of the article may use them. Titles
 * may differ if they are plain text.
 */
function definesOnly(text: string, passage: string): boolean {
  const known = listNodes(parse(passage).children, "definition");
  return listNodes(parse(text).children, "definition").every(({ identifier, url, title }) => {
    const same = known.filter((own) => own.identifier === identifier && own.url === url);
    const isPlain = (title ?? "") === plainLine(title ?? "");
    return same.length > 0 && (isPlain || same.some((own) => own.title === title));
  });
}

async function titles(wish: Wish, run: Run): Promise<Partial<Help>> {
  const { titles } = await run.ask({ name: "titles", schema: titlesSchema, ...buildTitlesPrompt(wish) });
  return { suggestions: distinctLines(titles, wish.title).map((title) => makeSuggestion(title)) };
}

async function descriptions(wish: Wish, run: Run): Promise<Partial<Help>> {
  const answer = await run.ask({ name: "descriptions", schema: descriptionsSchema, ...buildDescriptionsPrompt(wish) });
  return { suggestions: distinctLines(answer.descriptions).map((description) => makeSuggestion(description)) };
}

async function tags(wish: Wish, run: Run): Promise<Partial<Help>> {
  const { tags } = await run.ask({ name: "tags", schema: tagsSchema, ...buildTagsPrompt(wish) });
  const own = new Map(wish.tags.map((name) => [name.toLowerCase(), name]));
  const named = distinctLines(tags).map((tag) => own.get(tag.toLowerCase()) ?? tag.replaceAll(",", " "));
  const suggestions = distinctLines(named).map((value) => makeSuggestion(value, own.has(value.toLowerCase())));
  return { suggestions: suggestions.toSorted((a, b) => Number(b.known) - Number(a.known)) };
}

async function suggestAltTexts(wish: Wish, run: Run): Promise<Partial<Help>> {
  const pictures = listPictures(wish.text).slice(0, LIMITS.assistPictures);
  if (pictures.length === 0) return { warnings: ["The text has no images."] };
  const { texts } = await run.ask({
    name: "alternatives",
    schema: makeAltTextsSchema(pictures.length),
    ...buildPicturesPrompt(wish, pictures),
  });
  const suggestions = pictures.flatMap(({ url }: Picture, index): Suggestion[] => {
    const value = plainLine(texts[index] ?? "");
    return value === "" ? [] : [{ value, picture: url, known: false }];
  });
  return { suggestions, warnings: [UNSEEN] };
}

const UNSEEN =
  "The model has not seen the images, only their URLs and the text around them. Compare each alt text with its image.";

const makeSuggestion = (value: string, known = false): Suggestion => ({ value, picture: null, known });
