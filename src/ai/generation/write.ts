import { DomainError } from "../../domain/errors.ts";
import { makeSlug } from "../../domain/derived-names.ts";
import { plainLine } from "../../lib/plain-line.ts";
import { descriptionSchema, openingSchema, makeOutlineSchema, sectionSchema } from "./answers.ts";
import type { Brief, Check, Generated, GeneratedArticle, Tools } from "./brief.ts";
import { checkArticle } from "./checks.ts";
import { finishContent } from "./gate.ts";
import { countImageCalls, generateImages, type Illustration } from "./images.ts";
import { toKeywords } from "./keyword-list.ts";
import { toInternalTarget, buildLinkRules } from "./links.ts";
import { type Content, countWords, print } from "./markdown.ts";
import { toOutline, toPlan, countSections, type Plan } from "./plan.ts";
import { buildDescriptionPrompt, buildOutlinePrompt, buildSectionPrompt } from "./prompts.ts";
import { openRun, type Run } from "./run.ts";
import { describeRemoved, sumRemoved, type Removed, type Rules } from "./sanitize.ts";
import { collectOwnWords } from "./own-words.ts";
import { checkSources, describeCutSources, traceArticle } from "./source-prompts.ts";
import { tidyLead, tidySection } from "./tidy.ts";
import { translateArticle } from "./translate.ts";

/**
 * Writes the article of a brief, or translates or rewrites one. Throws the text model's errors (`ai_*`), and the reason of
 * `tools.signal` if it is aborted.
 */
export async function writeArticle(brief: Brief, tools: Tools): Promise<Generated> {
  const run = openRun(tools);
  const { subject } = brief;
  return subject.kind === "translation" ? translateArticle(brief, subject, run) : composeArticle(brief, tools, run);
}

/** Returns the outline that a model makes of a brief, which is not for a translation. Throws as {@link writeArticle}. */
export const outlineArticle = (brief: Brief, tools: Pick<Tools, "text" | "tell" | "signal">): Promise<Plan> =>
  makePlan(brief, countSections(brief.words), openRun(tools));

async function composeArticle(brief: Brief, tools: Tools, run: Run): Promise<Generated> {
  const sections = brief.outline?.sections.length ?? countSections(brief.words);
  run.expect(countCalls(brief, tools, sections));
  const plan = await makePlan(brief, sections, run);
  run.expect(countCalls(brief, tools, plan.sections.length));
  const links = buildLinkRules(brief);
  const text = await writeText(brief, plan, { links, images: new Set() }, run);
  const { description, slug, keywords } = await writeDescription(brief, plan, print(text.lead), run);
  const illustrations = await generateImages(brief, plan, tools, run);
  const images = illustrations.map(({ role, url, alt }) => ({ role, url, alt }));
  const coverUrl = images.find(({ role }) => role === "cover")?.url ?? "";
  const rules: Rules = { links, images: new Set(images.map(({ url }) => url)) };
  const { content, removed } = finishContent(assemble(plan, text, illustrations), rules);
  const allRemoved = sumRemoved([text.removed, removed]);
  for (const sentence of describeRemoved(allRemoved)) run.degrade(sentence);
  const article = { title: plan.title, description, content, slug, coverUrl, keywords };

  for (const sentence of describeCutSources(brief)) run.degrade(sentence);

  run.begin({ step: "checks" });
  const { locale, sources = [] } = brief;
  const claims = traceArticle(article, { locale, sources, ownWords: collectOwnWords(brief) }, run.degrade);
  return {
    article,
    outline: toOutline(plan),
    words: countWords(content, brief.locale),
    images,
    checks: [...runChecks(brief, plan, article, allRemoved.links), ...checkSources(claims)],
    claims,
    ...run.totals(),
  };
}

/** The outline, the sections, the description and the images. */
const countCalls = (brief: Brief, tools: Tools, sections: number): number =>
  (brief.outline === undefined ? 2 : 1) + sections + countImageCalls(brief, tools, sections);

async function makePlan(brief: Brief, sections: number, run: Run): Promise<Plan> {
  if (brief.outline !== undefined) return toPlan(brief, brief.outline);
  run.begin({ step: "outline" });
  const answer = await run.ask({
    name: "outline",
    schema: makeOutlineSchema(sections),
    ...buildOutlinePrompt(brief, sections),
  });
  return toPlan(brief, { ...answer, keyword: answer.primaryKeyword });
}

/** The blocks before the first heading, and those of each section without its heading. */
type Text = {
  readonly lead: readonly Content[];
  readonly sections: readonly (readonly Content[])[];
  readonly removed: Removed;
};

/** Throws `ai_invalid_answer` if no section has text. An empty section is a degradation. */
async function writeText(brief: Brief, plan: Plan, rules: Rules, run: Run): Promise<Text> {
  const written = await run.each(plan.sections, async (_, index) => writeSection({ brief, plan, rules, run }, index));
  const sections = written.map(({ section }) => section.blocks);
  if (sections.every((blocks) => blocks.length === 0)) {
    throw new DomainError("ai_invalid_answer", "The model's sections contain no usable text.");
  }
  for (const [index, blocks] of sections.entries()) {
    if (blocks.length === 0) run.degrade(`Section ${index + 1} came out empty and was left out.`);
  }
  const removed = sumRemoved(written.flatMap(({ lead, section }) => [lead.removed, section.removed]));
  return { lead: written.flatMap(({ lead }) => lead.blocks), sections, removed };
}

type Writing = { readonly brief: Brief; readonly plan: Plan; readonly rules: Rules; readonly run: Run };

/** Writes the section with this index, from 0. The first one comes with the lead. */
async function writeSection({ brief, plan, rules, run }: Writing, index: number) {
  const stage = { step: "section", section: index + 1, of: plan.sections.length } as const;
  run.begin(stage);
  const moves = { stage, characters: (plan.sections[index]?.words ?? 1) * CHARACTERS_OF_WORD };
  const prompt = { ...buildSectionPrompt(brief, plan, index), moves };
  const { lead, content } =
    index === 0
      ? await run.ask({ name: "opening", schema: openingSchema, ...prompt })
      : { lead: "", ...(await run.ask({ name: "section", schema: sectionSchema, ...prompt })) };
  const heading = plan.sections[index]?.heading ?? "";
  return { lead: tidyLead(lead, rules), section: tidySection(content, heading, String(index + 1), rules) };
}

/** With the space after it. Only for the progress. */
const CHARACTERS_OF_WORD = 6;

type Description = Pick<GeneratedArticle, "description" | "slug" | "keywords">;

async function writeDescription(brief: Brief, plan: Plan, lead: string, run: Run): Promise<Description> {
  run.begin({ step: "description" });
  const answer = await run.ask({
    name: "description",
    schema: descriptionSchema,
    ...buildDescriptionPrompt(brief, plan, lead),
  });
  return {
    description: plainLine(answer.description),
    slug: makeSlug(/[\p{L}\p{N}]/u.test(answer.slug) ? answer.slug : plan.title),
    keywords: toKeywords([plan.keyword, ...brief.keywords, ...answer.keywords]),
  };
}

function assemble(plan: Plan, { lead, sections }: Text, illustrations: readonly Illustration[]): Content[] {
  const blocks = sections.map((section, index): Content[] => {
    const heading = plan.sections[index]?.heading ?? "";
    const images = illustrations.filter(({ after }) => after === index).map(makeImageBlock);
    return section.length === 0 ? images : [makeHeading(heading), ...section, ...images];
  });
  return [...lead, ...blocks.flat()];
}

const makeHeading = (text: string): Content => ({
  type: "heading",
  depth: 2,
  children: [{ type: "text", value: text }],
});

const makeImageBlock = ({ url, alt }: Illustration): Content => ({
  type: "paragraph",
  children: [{ type: "image", url, alt }],
});

/** How far the number of words may differ from the wanted one, as a fraction of it. */
const TOLERANCE = 0.25;

function runChecks(brief: Brief, plan: Plan, article: GeneratedArticle, removedLinks: number): readonly Check[] {
  const { words: wanted, locale, blog } = brief;
  return checkArticle({
    ...article,
    locale,
    keyword: plan.keyword,
    links: { removed: removedLinks, offered: blog.articles.map(({ slug }) => toInternalTarget(slug)) },
    words: { wanted, least: wanted * (1 - TOLERANCE), most: wanted * (1 + TOLERANCE) },
    avoid: brief.styleGuide?.avoid ?? [],
    source: null,
  });
}
