/** Finds topic ideas without storing them. Reads, merges and scores sources as a refresh does. */
import { LIMITS } from "../../domain/limits.ts";
import type { TopicOrigin, TopicSource } from "../../domain/topic-source.ts";
import type { NewIdea } from "../../store/topics/system-ideas.ts";
import type { Reading } from "./item.ts";
import { addCounts, planItems, sumCounts } from "./plan.ts";
import { readSource, type ReadOptions } from "./read.ts";
import { isNearDuplicate, toWordSet } from "./words.ts";

/** The ideas and article titles of a blog, with which new ideas are compared. */
export type ResearchBoard = {
  readonly blogName: string;
  /** The blog's default locale. */
  readonly locale: string;
  readonly ideas: readonly { readonly id: string; readonly itemTitle: string }[];
  readonly articleTitles: readonly string[];
};

/** An idea. `topicId` is the blog's stored idea with a similar title, or null. */
export type ResearchedIdea = { readonly idea: NewIdea; readonly topicId: string | null };

export type ResearchedSource = {
  readonly source: TopicOrigin;
  readonly state: "read" | "failed";
  /** How many items the source has, with those that were left out. */
  readonly found: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly reason: string | null;
  readonly detail: string | null;
};

export type Research = { readonly sources: readonly ResearchedSource[]; readonly ideas: readonly ResearchedIdea[] };

type Options = Pick<ReadOptions, "rules" | "baseUrls" | "now">;

/** Reads all sources at the same time. A source that fails is reported. Returns the ideas by score, best first. */
export async function researchSources(
  sources: readonly TopicSource[],
  board: ResearchBoard,
  options: Options,
): Promise<Research> {
  const signal = AbortSignal.timeout(LIMITS.researchTimeoutMs);
  const readings = await Promise.all(
    sources.map(async (source) => ({ source, reading: await readUntilAborted(source, options, signal) })),
  );
  const found: NewIdea[] = [];
  const told = readings.map(({ source, reading }) => addReading(source, reading, { board, found, now: options.now }));
  const own = board.ideas.map(({ id, itemTitle }) => ({ id, words: toWordSet(itemTitle) }));
  const findTopic = ({ itemTitle }: NewIdea): string | null => {
    const words = toWordSet(itemTitle);
    return own.find((other) => isNearDuplicate(other.words, words))?.id ?? null;
  };
  const best = found.toSorted((a, b) => b.score - a.score);
  return { sources: told, ideas: best.map((idea) => ({ idea, topicId: findTopic(idea) })) };
}

const LATE: Reading = {
  kind: "failed",
  reason: "timeout",
  detail: `It did not answer within the ${LIMITS.researchTimeoutMs / 1000} seconds for all sources.`,
};

/** Reads one source. Returns a timeout if the time for all sources is over. */
async function readUntilAborted(source: TopicSource, options: Options, signal: AbortSignal): Promise<Reading> {
  try {
    return signal.aborted ? LATE : await readSource(source, { ...options, signal });
  } catch (error) {
    if (signal.aborted) return LATE;
    throw error;
  }
}

type Findings = { readonly board: ResearchBoard; readonly found: NewIdea[]; readonly now: Date };

/** Adds the ideas of a source to those found so far. Returns a report on the source. */
function addReading(source: TopicSource, reading: Reading, { board, found, now }: Findings): ResearchedSource {
  if (reading.kind !== "read") {
    const { reason, detail } = reading.kind === "failed" ? reading : { reason: null, detail: null };
    return { source: makeOrigin(source, ""), state: "failed", found: 0, refused: {}, reason, detail };
  }
  const origin = makeOrigin(source, reading.name);
  const earlier = found.map((idea, place) => ({ ...idea, id: String(place) }));
  const known = new Map(earlier.flatMap((idea) => idea.urlKeys.map((key) => [key, idea] as const)));
  const { ideas, updates, refused } = planItems(
    reading.items,
    { ...board, revision: 0, room: Infinity, ideas: earlier, known },
    origin,
    now,
  );
  for (const { id, mentions, score, urlKeys } of updates) {
    const idea = found[Number(id)];
    if (idea !== undefined) found[Number(id)] = { ...idea, mentions, score, urlKeys: [...idea.urlKeys, ...urlKeys] };
  }
  found.push(...ideas);
  return {
    source: origin,
    state: "read",
    found: reading.items.length + sumCounts(reading.refused),
    refused: addCounts(reading.refused, refused),
    reason: null,
    detail: null,
  };
}

const makeOrigin = ({ kind, name }: TopicSource, own: string): TopicOrigin => ({ kind, name: name || own || kind });
