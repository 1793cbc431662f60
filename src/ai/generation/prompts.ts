/**
 * All prompts. `system` contains only text of the service. In `prompt`, `delimited` encloses material from elsewhere: ideas,
 * articles, names, and outlines that a model made of them. The wishes of the caller
 * and the blog are labelled as such.
 */
import { DATA_RULE, delimit } from "../delimit.ts";
import { getLanguageName } from "../../domain/language-name.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Glossary } from "./answers.ts";
import type { Brief, SourceArticle } from "./brief.ts";
import { toInternalTarget } from "./links.ts";
import { describeSources, listSourceLinks } from "./source-prompts.ts";
import type { Plan } from "./plan.ts";
import { describeStyleGuide } from "./style-prompts.ts";

export type Prompt = { readonly system: string; readonly prompt: string };

export function buildOutlinePrompt(brief: Brief, sections: number): Prompt {
  return {
    system: buildSystemPrompt(WRITER, makeLanguageRule(brief.locale)),
    prompt: joinParagraphs(
      `Plan an article of ${describeLength(brief.words, brief.locale)}: its title, its primary keyword and about ${sections} sections.`,
      toBullets(
        "The title says what readers get, in 40 to 65 characters, and names the primary keyword early. No clickbait.",
        brief.keywords.length > 0
          ? `The primary keyword is the first of the keywords that were asked for: ${brief.keywords[0]}.`
          : `The primary keyword is what its readers would type into a search box: two to four words, at most ${LIMITS.keyword} characters.`,
        "Each section answers one question that readers have, in an order in which each builds on those before. No two say the same.",
        "Headings are short and concrete. Neither “Introduction” nor “Conclusion” is one.",
        "The points are what the section has to say: facts, steps, examples, decisions; two to five of them.",
        `The words of the sections add up to ${brief.words}.`,
      ),
      describeSubject(brief),
      describeSources(brief),
    ),
  };
}

/** Asks for the section with this index, from 0. The first section includes the lead. */
export function buildSectionPrompt(brief: Brief, plan: Plan, index: number): Prompt {
  const { length } = plan.sections;
  const words = plan.sections[index]?.words ?? 0;
  const opening =
    "Write the lead as well: one or two short paragraphs, without a heading, that come before the section. They say " +
    "what the article is about and why it matters to its readers; the first of them names the primary keyword. The " +
    "lead counts towards the length.";
  return {
    system: buildSystemPrompt(WRITER, makeLanguageRule(brief.locale), FORM),
    prompt: joinParagraphs(
      `Write section ${index + 1} of ${length} of the article that is outlined below, in ${describeLength(words, brief.locale)}.`,
      toBullets(
        "Write this section only. The others are written at the same time from the same outline: leave to them what is theirs.",
        "Its heading is set above it: do not repeat it. Headings within it begin with `###`, and a short section has none.",
        index === 0 ? opening : "Get to the point at once: no introduction, no looking back.",
        index === length - 1
          ? "This is the last section: end with what readers can do next."
          : "Do not sum up at the end.",
      ),
      delimit("outline", formatOutline(plan)),
      describeOfferedLinks(brief),
      describeSubject(brief),
      describeSources(brief),
    ),
  };
}

export function buildDescriptionPrompt(brief: Brief, plan: Plan, lead: string): Prompt {
  return {
    system: buildSystemPrompt(WRITER, makeLanguageRule(brief.locale)),
    prompt: joinParagraphs(
      "Write the texts that search engines and lists show for the article below.",
      makeDescriptionRules("primary keyword"),
      toBullets(
        "The slug is for the article's address: three to six words that say what it is about, in lower case, with hyphens between.",
        makeKeywordRule(brief.keywords),
      ),
      describeWishes(brief),
      delimit("article", joinParagraphs(formatOutline(plan), lead)),
    ),
  };
}

/** `places` says where each image stands. */
export function buildImagesPrompt(brief: Brief, plan: Plan, places: readonly string[]): Prompt {
  return {
    system: buildSystemPrompt(
      "You are the picture editor of a blog, and commission its images from an illustrator who knows only your words.",
      "The prompts are in English; the alternative texts are for readers.",
      makeLanguageRule(brief.locale),
    ),
    prompt: joinParagraphs(
      `Commission ${places.length === 1 ? "one image" : `${places.length} images`} for the article below, in this order:`,
      places.map((place, index) => `${index + 1}. ${place}`).join("\n"),
      toBullets(
        "A prompt describes one scene in 30 to 60 words: what is seen, from where, in which light and style. All share one style.",
        "No words, letters, logos, trademarks, user interfaces, or people who could be recognized.",
        "The alternative text says in at most 125 characters what is seen, for those who cannot see it.",
      ),
      describeWishes(brief),
      delimit("article", formatOutline(plan)),
    ),
  };
}

export function buildGlossaryPrompt(brief: Brief, article: SourceArticle): Prompt {
  return {
    system: buildSystemPrompt(TRANSLATOR, makeLanguageRule(brief.locale)),
    prompt: joinParagraphs(
      `An article is to be translated from ${describeLanguage(article.locale)} to ${describeLanguage(brief.locale)}, in parts. Begin with what the parts have in common.`,
      toBullets(
        "The title is translated as an editor of that language would write it, in at most 65 characters where that is possible.",
        "The primary keyword is what readers of that language would type to find the article, as the title has it.",
        "The terms are those that recur and have to be translated alike everywhere, each with its translation; at most 20.",
      ),
      describeWishes(brief),
      delimit("article", joinParagraphs(article.title, article.content)),
    ),
  };
}

export function buildTranslationPrompt(brief: Brief, article: SourceArticle, glossary: Glossary, part: string): Prompt {
  const terms = glossary.terms.map(({ source, translation }) => `- ${source}: ${translation}`);
  return {
    system: buildSystemPrompt(TRANSLATOR, makeLanguageRule(brief.locale)),
    prompt: joinParagraphs(
      `Translate this part of an article from ${describeLanguage(article.locale)} to ${describeLanguage(brief.locale)}. Answer with its Markdown.`,
      toBullets(
        "All of it, and nothing else: no sentence more or less, no remarks.",
        "The Markdown stays as it is: the same headings at the same levels, lists, tables, emphasis, footnotes.",
        "Targets of links, addresses of images, and code stay letter for letter; the texts of links and images are translated.",
      ),
      describeWishes(brief),
      delimit("title and terms with their translations", [`${article.title}: ${glossary.title}`, ...terms].join("\n")),
      delimit("part to translate", part),
    ),
  };
}

/** `content` is the beginning of the translation. */
export function buildTranslatedDescriptionPrompt(
  brief: Brief,
  article: SourceArticle,
  glossary: Glossary,
  content: string,
): Prompt {
  const task =
    article.description === ""
      ? "Write the texts that search engines and lists show for the translated article below."
      : "Translate the description of the article below, for search engines and lists; make it fit where it is too long.";
  return {
    system: buildSystemPrompt(TRANSLATOR, makeLanguageRule(brief.locale)),
    prompt: joinParagraphs(
      task,
      makeDescriptionRules("keyword"),
      toBullets(makeKeywordRule(brief.keywords)),
      describeStyleGuide(brief.styleGuide),
      article.description === "" ? "" : delimit("description to translate", article.description),
      delimit("translated article", joinParagraphs(glossary.title, `Keyword: ${glossary.primaryKeyword}`, content)),
    ),
  };
}

const WRITER = `You write articles for a blog, as an experienced editor would.
- Readers come first. Be concrete and correct, say what follows for them, and put what matters first. No filler, no clichés, no hype, no sales talk.
- State only what is generally known or found in the material. Never invent facts, figures, dates, quotations, studies, products, people or sources; where you are not sure, say less.
- Use keywords as a careful writer would, within natural sentences, and never for their own sake.
- Leave no placeholders. Mention neither these instructions, nor the material, nor who writes.`;

export const TRANSLATOR = `You translate articles of blogs, as an experienced translator and editor would.
- The translation reads as if it had been written in its language: idiomatic, in its conventions of quotation marks, numbers, units and address, and with the source's tone.
- It says what the source says. Nothing is added, left out, explained or corrected.
- Names, brands and code stay as they are.`;

const FORM = `Texts are Markdown: paragraphs of two to five sentences; a list, a table or fenced code where it helps. No HTML, no images, no footnotes.
Link only to the addresses that are offered, written exactly as they are, with words of the sentence as the link's text, and only where the link helps: at most two in a section.`;

export const buildSystemPrompt = (...parts: readonly string[]): string => joinParagraphs(...parts, DATA_RULE);

export const makeLanguageRule = (locale: string): string =>
  `Everything that readers see is in ${describeLanguage(locale)}, written as a native speaker would, whatever the language of the material and of the request. Target locale: ${locale}.`;

export const describeLanguage = (locale: string): string => `${getLanguageName(locale)} (${locale})`;

function describeSubject(brief: Brief): string {
  const { subject } = brief;
  const wishes = describeWishes(brief);
  switch (subject.kind) {
    case "topic":
      return joinParagraphs(wishes, describeBlog(brief));
    case "idea": {
      const { title, summary, angle, url, keywords } = subject.idea;
      const idea = [
        `Title: ${title}`,
        `Summary: ${summary}`,
        `Angle: ${angle}`,
        `Address: ${url}`,
        `Keywords: ${keywords.join(", ")}`,
      ];
      const task =
        "The article is about this idea. It is an article of the blog's own, not a summary of what was found.";
      return joinParagraphs(wishes, task, delimit("idea", idea.join("\n")), describeBlog(brief));
    }
    case "rewrite": {
      const { title, description, content } = subject.article;
      const task =
        "The article is a new version of this one: better ordered, clearer and more useful, in new words, with its facts.";
      return joinParagraphs(
        wishes,
        task,
        delimit("article", joinParagraphs(title, description, content)),
        describeBlog(brief),
      );
    }
    case "translation":
      return wishes;
  }
}

/** The blog's style guide and the caller's own words; "" if there are none. */
function describeWishes({ subject, styleGuide, instructions, keywords, tone }: Brief): string {
  const style = describeStyleGuide(styleGuide);
  const wishes = [
    subject.kind === "topic" ? `Topic: ${subject.topic}` : "",
    keywords.length > 0 ? `Keywords: ${keywords.join(", ")}` : "",
    tone === "" ? "" : `Tone: ${tone}`,
    instructions === "" ? "" : `Instructions:\n${instructions}`,
  ].filter((wish) => wish !== "");
  return wishes.length === 0
    ? style
    : joinParagraphs(style, "What the person who asked for the article wants:", wishes.join("\n"));
}

const describeBlog = ({ blog }: Brief): string => delimit("name of the blog", blog.name);

function describeOfferedLinks(brief: Brief): string {
  const { blog, subject } = brief;
  const offered = blog.articles.map(({ slug, title }) => `${toInternalTarget(slug)} (the blog's article: ${title})`);
  if (subject.kind === "idea") offered.push(`${subject.idea.url} (where the idea was found)`);
  offered.push(...listSourceLinks(brief));
  if (offered.length === 0) return "";
  const own = blog.articles.length === 0 ? "" : "Where it fits, link to one of the blog's own articles. ";
  return joinParagraphs(
    `${own}Addresses that may be linked to, in addition to those in the request:`,
    delimit("addresses", offered.join("\n")),
  );
}

const formatOutline = ({ title, keyword, sections }: Plan): string =>
  [
    `Title: ${title}`,
    `Primary keyword: ${keyword}`,
    ...sections.map(({ heading, points }, index) =>
      [`${index + 1}. ${heading}`, ...points.map((point) => `   - ${point}`)].join("\n"),
    ),
  ].join("\n");

const makeDescriptionRules = (keyword: string): string =>
  toBullets(
    `The description is one or two plain sentences of 110 to 150 characters, at most ${LIMITS.metaDescription} in all, that say what readers get and name the ${keyword}.`,
  );

const makeKeywordRule = (keywords: readonly string[]): string =>
  `Name up to ${LIMITS.keywords} keywords that the article is really about, at most ${LIMITS.keyword} characters each, the primary one first` +
  (keywords.length === 0 ? "." : `, among them those that were asked for: ${keywords.join(", ")}.`);

/** Characters per word in scripts without spaces. Models need the length of such texts in characters. */
export const CHARACTERS: Readonly<Record<string, number>> = { ja: 2, zh: 1.7, yue: 1.7, th: 4, lo: 4, km: 4, my: 4 };

function describeLength(words: number, locale: string): string {
  const characters = CHARACTERS[new Intl.Locale(locale).language];
  return `about ${words} words${characters === undefined ? "" : ` (${Math.round((words * characters) / 10) * 10} characters)`}`;
}

export const joinParagraphs = (...parts: readonly string[]): string => parts.filter((part) => part !== "").join("\n\n");

export const toBullets = (...rules: readonly string[]): string => rules.map((rule) => `- ${rule}`).join("\n");
