/** Has a model propose an update of an article whose sources have changed, as its working copy. */
import * as z from "zod";
import type { Source } from "../../ai/generation/brief.ts";
import type { Proposed } from "../../ai/generation/propose.ts";
import { requireReadable } from "../../ai/generation/source.ts";
import { toActor } from "../../domain/background-actor.ts";
import { DomainError } from "../../domain/errors.ts";
import { LIMITS } from "../../domain/limits.ts";
import { utf8Length } from "../../lib/text.ts";
import type { FoundSource, StoredSource } from "../../store/articles/sources.ts";
import { defineOperation, type OrganizationContext, type Result, type Services } from "../define.ts";
import { identifier } from "../fields.ts";
import { generation } from "./generations.ts";
import { generationInput } from "./input.ts";
import { makeMetadata, type Order } from "./metadata.ts";
import { queueGeneration } from "./queueing.ts";
import { remember } from "./remembering.ts";
import { readLimited } from "./sources.ts";
import { makeSignal, requireModels, type Entry } from "./spending.ts";
import type { Answer, Kept } from "./writing.ts";

/** What is kept of a proposal beside the order. `version` is that of the article. */
export type KeptProposal = Proposed & { readonly sources: readonly StoredSource[]; readonly version: string };

export const proposeUpdate = defineOperation({
  name: "sources.propose",
  summary: "Propose an update of an article from its sources",
  description:
    "Reads the sources of a published article again. If they have changed, a model changes in the article what they have changed, in the background and in the name of the caller: see the generation. The result becomes the working copy of the article, which must have none; readers see nothing of it.",
  scope: "articles:draft",
  effect: "write",
  input: z.strictObject({ articleId: identifier("an article with sources") }),
  output: generation,
  refuses: [
    "not_found",
    "article_not_published",
    "working_copy_exists",
    "sources_unchanged",
    "quota_exceeded",
    "generation_limit",
    "ai_not_configured",
  ],
  audit: { "sources.renew": "renewed the sources of *" },
  sample: { command: "articles propose {articleId}" },
  async run(context, { articleId }) {
    const { principal, service } = context;
    const services = await context.services();
    const { text: model } = await requireModels(services);
    const { proposal, blogId } = await prepareProposal(context, services, articleId);
    const kept: Kept = {
      asked: generationInput.parse({ articleId, published: false }),
      brief: toBrief(proposal),
      blogId,
      topicId: undefined,
      actor: toActor(principal, service.baseUrl()),
      proposal,
    };
    const { estimateUpdate } = await import("../../ai/generation/propose.ts");
    return queueGeneration(context, services, { kept, model, estimatedTokens: estimateUpdate(proposal) });
  },
});

/** Throws every error that storing the proposal could throw later, before anything is paid for. */
async function prepareProposal(context: OrganizationContext, services: Services, articleId: string) {
  const { texts, sources: stored } = await context.store.findSources(articleId);
  const { title, description, content, locale, blogId, version } = texts;
  const former = stored.filter(({ url }) => url !== "");
  if (former.length === 0) throw new DomainError("not_found", "The article has no sources.");
  if (texts.published === 0) throw new DomainError("article_not_published");
  if (texts.hasCopy === 1) throw new DomainError("working_copy_exists");
  const article = { title, description, content, locale };
  await requireReadable(article, false);
  const { styleGuide, isUnused } = await context.store.findProposable(articleId, utf8Length(content));
  const before = former.map((source) => (isUnused(source.readTime) ? { ...source, text: "" } : source));
  const { sources, failures } = await readAgain(context, services, former);
  if (sources.every(({ text }, index) => text === before[index]?.text)) {
    const told = ["The sources say what they said when they were read.", ...failures];
    throw new DomainError("sources_unchanged", told.join(" "));
  }
  const own = stored.filter(({ url }) => url === "").map(({ text }) => text);
  const ownWords = own.join("\n");
  const proposal: KeptProposal = { article, sources, before, styleGuide, version, ownWords, unread: failures };
  return { proposal, blogId };
}

/** Returns the sources as they are now; one that cannot be read as it was, with the time of that reading. */
async function readAgain(
  context: OrganizationContext,
  services: Services,
  before: readonly FoundSource[],
): Promise<{ sources: StoredSource[]; failures: string[] }> {
  const urls = before.map(({ url }) => url);
  const readings = await readLimited(context, services, urls);
  const failures: string[] = [];
  const sources = before.map((former, index): StoredSource => {
    const reading = readings[index];
    if (reading?.kind === "failed") failures.push(`${former.url}: ${reading.detail}`);
    if (reading?.kind !== "read") return former;
    const { title, text, isCut } = reading;
    const source = { url: former.url, title, text, isCut };
    return isSame(former, source) ? { ...former, readTime: undefined } : source;
  });
  return { sources, failures };
}

/** Where a long text was cut depends on how long the other sources are. */
const isSame = (one: Source, other: Source): boolean =>
  one.text === other.text || isBeginning(one, other) || isBeginning(other, one);

const isBeginning = ({ text, isCut }: Source, whole: Source): boolean => isCut && whole.text.startsWith(text);

/** The order of a proposal, for the record. */
const toBrief = ({ article, sources }: KeptProposal): Kept["brief"] => ({
  subject: { kind: "rewrite", article },
  sources,
  blog: { name: "", articles: [] },
  locale: article.locale,
  instructions: "",
  keywords: [],
  tone: "",
  words: LIMITS.wordsLeast,
  coverImage: false,
  inlineImages: false,
});

type Proposing = Order & { readonly proposal: KeptProposal; readonly entry: Entry };

/** Asks for the proposal and stores it. Throws if it takes too long. */
export async function propose(context: OrganizationContext, proposing: Proposing): Promise<Result<Answer>> {
  const { proposal, entry, asked, model } = proposing;
  const { store, progress } = context;
  const { openRun } = await import("../../ai/generation/run.ts");
  const { proposeUpdate: ask } = await import("../../ai/generation/propose.ts");
  const signal = makeSignal(progress.signal, LIMITS.generationTimeoutMs);
  const generated = await ask(proposal, openRun({ text: remember(entry), tell: entry.tell, signal }));
  signal.throwIfAborted();
  const { article, sources, ownWords, version } = proposal;
  const articleId = asked.articleId ?? "";
  const changed = (["title", "description", "content"] as const).filter(
    (name) => generated.article[name] !== article[name],
  );
  const metadata = makeMetadata(proposing, generated, entry.tokens);
  await store.storeProposal({
    articleId,
    version,
    fields: Object.fromEntries(changed.map((name) => [name, generated.article[name]])),
    sources: [{ url: "", title: "", text: ownWords, isCut: false }, ...sources],
    model: model.model,
    generation: entry,
    spent: entry.cost(),
    metadata,
  });
  const stored = await store.findOwnArticle(articleId);
  if (stored === null) throw new DomainError("not_found", "There is no such article.");
  return { value: { article: stored, metadata } };
}
