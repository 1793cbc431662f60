/** Estimates what a generation takes, from the prompts that it will send. Repairs and repetitions are not in it. */
import type { Usage } from "../model.ts";
import type { Brief, SourceArticle } from "./brief.ts";
import { splitIntoChunks, hasWords } from "./chunks.ts";
import { namePlace, planPlaces } from "./images.ts";
import { parse, print } from "./markdown.ts";
import { countSections, toPlan, type Plan } from "./plan.ts";
import {
  buildDescriptionPrompt,
  buildGlossaryPrompt,
  buildImagesPrompt,
  buildOutlinePrompt,
  buildSectionPrompt,
  buildTranslatedDescriptionPrompt,
  buildTranslationPrompt,
  CHARACTERS,
  type Prompt,
} from "./prompts.ts";
import { countTokens } from "./tokens.ts";
import { BEGINNING } from "./translate.ts";

/** The calls of models, with those that draw, and the tokens of those that write. */
export type Estimate = Usage & { readonly calls: number };

type Call = { readonly prompt: Prompt; readonly answer: number };

/** Returns what it takes to write the article of a brief. `draws` tells whether there is an image model. */
export function estimateArticle(brief: Brief, draws: boolean): Estimate {
  const { subject } = brief;
  if (subject.kind === "translation") return sum(listTranslationCalls(brief, subject.article));
  const plan = brief.outline === undefined ? makeStandIn(brief) : toPlan(brief, brief.outline);
  const places = draws ? planPlaces(brief, plan.sections.length) : [];
  const calls = [
    ...(brief.outline === undefined ? [planOutline(brief, plan)] : []),
    ...plan.sections.map((section, index) => ({
      prompt: buildSectionPrompt(brief, plan, index),
      answer: countTokens(makeText(brief.locale, section.words)),
    })),
    { prompt: buildDescriptionPrompt(brief, plan, makeText(brief.locale, LEAD)), answer: DESCRIPTION },
    ...(places.length === 0
      ? []
      : [{ prompt: buildImagesPrompt(brief, plan, places.map(namePlace)), answer: places.length * IMAGE }]),
  ];
  const { calls: asked, ...tokens } = sum(calls);
  return { ...tokens, calls: asked + places.length };
}

/** Returns what the outline of a brief takes, which is not for a translation. */
export const estimateOutline = (brief: Brief): Estimate => sum([planOutline(brief, makeStandIn(brief))]);

/** Words of a lead, and tokens of an answer with a description, of one image, and of a glossary. */
const LEAD = 60;
const DESCRIPTION = 120;
const IMAGE = 120;
const GLOSSARY = 300;

/** What surrounds a prompt and an answer: the schema, the roles, and the names in a JSON text. */
const AROUND_PROMPT = 120;
const AROUND_ANSWER = 15;

function planOutline(brief: Brief, plan: Plan): Call {
  const texts = plan.sections.flatMap(({ heading, points }) => [heading, ...points]);
  const answer = countTokens(texts.join("\n")) + AROUND_ANSWER * plan.sections.length;
  return { prompt: buildOutlinePrompt(brief, plan.sections.length), answer };
}

/** Returns a plan like those that models make. */
function makeStandIn(brief: Brief): Plan {
  const sections = countSections(brief.words);
  const line = (words: number) => makeText(brief.locale, words).trim();
  const section = { heading: line(6), points: [line(12), line(12), line(12)], words: 0 };
  return toPlan(brief, {
    title: line(9),
    keyword: line(3),
    sections: Array.from({ length: sections }, () => section),
  });
}

function listTranslationCalls(brief: Brief, article: SourceArticle): Call[] {
  const title = makeText(brief.locale, 9);
  const terms = Array.from({ length: 10 }, () => ({ source: "x".repeat(12), translation: makeText(brief.locale, 2) }));
  const glossary = { title, primaryKeyword: makeText(brief.locale, 3), terms };
  const ratio = countTokens(makeText(brief.locale, 100)) / countTokens(makeText(article.locale, 100));
  const parts = splitIntoChunks(parse(article.content).children)
    .filter(hasWords)
    .map(({ blocks }) => print(blocks));
  const beginning = makeText(brief.locale, BEGINNING).slice(0, BEGINNING);
  return [
    { prompt: buildGlossaryPrompt(brief, article), answer: GLOSSARY },
    ...parts.map((part) => ({
      prompt: buildTranslationPrompt(brief, article, glossary, part),
      answer: Math.round(countTokens(part) * ratio),
    })),
    { prompt: buildTranslatedDescriptionPrompt(brief, article, glossary, beginning), answer: DESCRIPTION },
  ];
}

const sum = (calls: readonly Call[]): Estimate => ({
  calls: calls.length,
  inputTokens: calls.reduce((all, { prompt }) => all + countTokens(prompt.system + prompt.prompt) + AROUND_PROMPT, 0),
  outputTokens: calls.reduce((all, { answer }) => all + answer + AROUND_ANSWER, 0),
});

/** A word of a script, with the space after it. */
const WORDS: Readonly<Record<string, string>> = { Latn: "words ", Kore: "낱말은 " };

/** Returns a text of about this many words, which stands for one that nobody has written yet. */
function makeText(locale: string, words: number): string {
  const { language, script = "Latn" } = new Intl.Locale(locale).maximize();
  const characters = CHARACTERS[language];
  if (characters !== undefined) return "文".repeat(Math.round(words * characters));
  return (WORDS[script] ?? "слово ").repeat(words);
}
