/**
 * The prompts for help with a text. As in prompts.ts, `system` contains only text of the service, and `delimited` encloses
 * everything that somebody has written, so that it is never an instruction. Only the blog's style guide is a wish.
 */
import { delimit } from "../delimit.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { ArticleTask, PassageTask } from "./assist-tasks.ts";
import type { Picture } from "./pictures.ts";
import { hasStyleGuide, type StyleGuide } from "../../domain/style-guide.ts";
import { describeStyleGuide } from "./style-prompts.ts";
import {
  toBullets,
  makeLanguageRule,
  describeLanguage,
  joinParagraphs,
  buildSystemPrompt,
  TRANSLATOR,
  type Prompt,
} from "./prompts.ts";

export function buildPassagePrompt(wish: Wish & { readonly task: PassageTask }, passage: string): Prompt {
  const { task, title, context, locale, targetLocale } = wish;
  const isTranslation = task === "translate";
  return {
    system: buildSystemPrompt(
      isTranslation ? TRANSLATOR : EDITOR,
      makeLanguageRule(isTranslation ? targetLocale : locale),
    ),
    prompt: joinParagraphs(
      isTranslation
        ? `Translate the passage below from ${describeLanguage(locale)} to ${describeLanguage(targetLocale)}.`
        : TASKS[task],
      toBullets(
        "Answer with the passage's Markdown, and nothing else: no remarks, no quotation marks around it, nothing of the text around it.",
        "The Markdown stays as it is: headings at their levels, lists, tables, emphasis, footnotes. A part of a sentence stays a part of a sentence.",
        "Targets of links, addresses of images, and code stay letter for letter. No links, images or HTML are added.",
      ),
      describeStyleGuide(wish.styleGuide),
      task === "correct" && hasStyleGuide(wish.styleGuide) ? CORRECTED : "",
      delimitText("title of the article", title),
      delimitText("text around the passage, only to understand it", context),
      delimit("passage", passage),
    ),
  };
}

const EDITOR = `You edit texts of a blog, as an experienced editor would, and change no more than you are asked to.
- The text says what it said. No facts, opinions or examples are added, and its tone stays its author's.
- Names, brands, figures, quotations and code stay as they are.`;

const TASKS: Readonly<Record<Exclude<PassageTask, "translate">, string>> = {
  shorten:
    "Shorten the passage below to about two thirds of its length: leave out what readers do not miss, and keep what matters.",
  rephrase: "Say the passage below in other words: clearer and easier to read, at about the same length.",
  correct:
    "Correct the passage below: spelling, grammar and punctuation, and nothing else. What is right stays letter for letter.",
};

export const buildTitlesPrompt = (wish: Wish): Prompt => ({
  system: buildSystemPrompt(EDITOR, makeLanguageRule(wish.locale)),
  prompt: joinParagraphs(
    "Propose five titles for the article below.",
    toBullets(
      "Each says what readers get, in 40 to 65 characters, with what it is about early in it. No clickbait.",
      "They differ in what they stress, and say nothing that the article does not.",
    ),
    describeStyleGuide(wish.styleGuide),
    delimitArticle(wish),
  ),
});

export const buildDescriptionsPrompt = (wish: Wish): Prompt => ({
  system: buildSystemPrompt(EDITOR, makeLanguageRule(wish.locale)),
  prompt: joinParagraphs(
    "Propose three descriptions of the article below, for lists and search engines.",
    toBullets(
      `Each is one or two plain sentences of 110 to 150 characters, at most ${LIMITS.metaDescription} in all, that say what readers get.`,
      "They say nothing that the article does not.",
    ),
    describeStyleGuide(wish.styleGuide),
    delimitArticle(wish),
  ),
});

export const buildTagsPrompt = (wish: Wish): Prompt => ({
  system: buildSystemPrompt(EDITOR, makeLanguageRule(wish.locale)),
  prompt: joinParagraphs(
    "Choose tags for the article below: three to six of what it is really about, the most important first.",
    toBullets(
      wish.tags.length === 0
        ? "A tag is one to three words that other articles could have, too."
        : "Take those that the blog has, written exactly as they are, wherever one fits. Add at most two of your own, of one to three words, and only for what the article is mostly about.",
    ),
    wish.tags.length === 0 ? "" : delimit("tags that the blog has", wish.tags.join("\n")),
    describeStyleGuide(wish.styleGuide),
    delimitArticle(wish),
  ),
});

export const buildPicturesPrompt = (wish: Wish, pictures: readonly Picture[]): Prompt => ({
  system: buildSystemPrompt(EDITOR, makeLanguageRule(wish.locale)),
  prompt: joinParagraphs(
    `Propose an alternative text for each of these ${pictures.length} pictures of an article, in this order, for those who cannot see them.`,
    toBullets(
      "It says in at most 125 characters what the picture shows as far as its address and the text around it tell; it does not begin with “Picture of”.",
      "Where they tell little, it says little: nothing is invented.",
    ),
    describeStyleGuide(wish.styleGuide),
    delimitText("title of the article", wish.title),
    ...pictures.map(({ url, alt, around }, index) =>
      delimit(`picture ${index + 1}`, [`Address: ${url}`, `Text so far: ${alt}`, `Around it: ${around}`].join("\n")),
    ),
  ),
});

const CORRECTED = "Of the style guide, only its spelling and punctuation count here.";

const delimitText = (label: string, text: string): string => (text.trim() === "" ? "" : delimit(label, text));

const delimitArticle = ({ title, text }: Wish): string => delimit("article", joinParagraphs(title, text));

/** A request for help. Its texts are data for the model and never instructions, except the style guide. */
export type Wish = {
  readonly task: PassageTask | ArticleTask;
  /** Markdown: the passage, or the content of the article. */
  readonly text: string;
  /** "" if it has none yet. */
  readonly title: string;
  /** The text around the passage; "" for none. */
  readonly context: string;
  readonly locale: string;
  readonly targetLocale: string;
  readonly tags: readonly string[];
  readonly styleGuide: StyleGuide;
};
