/** The queue's consumer: reads one source of a refresh and stores what it gives. */
import type { TextModel } from "../ai/model.ts";
import { readBoard, storeHarvest, type NewIdea } from "../store/topics/system-ideas.ts";
import { claimSource, settleSource, type ClaimedSource } from "../store/topics/system-sources.ts";
import type { Reading, SourceItem } from "./item.ts";
import { planItems, urlKeyOf } from "./plan.ts";
import { readSource } from "./read.ts";
import type { TopicMessage, TopicRelay } from "./relay.ts";
import { shapeIdeas } from "./shape.ts";

/** How often what was planned is planned anew, where other sources of the blog store at the same time. */
const MOST_TRIES = 40;
/** Milliseconds at most between two tries. */
const PAUSE_MS = 200;

/** Handles a message. It is a hint: the row that is claimed is the licence to read. */
export async function consumeTopics(relay: TopicRelay, batch: MessageBatch<TopicMessage>): Promise<void> {
  for (const message of batch.messages) {
    try {
      await refreshSource(relay, message.body);
      message.ack();
    } catch (error) {
      relay.log({ level: "error", message: "queue message failed", attempts: message.attempts, error: String(error) });
      message.retry();
    }
  }
}

async function refreshSource(relay: TopicRelay, name: TopicMessage): Promise<void> {
  const claim = await claimSource(relay.db, name, relay.now());
  if (claim === null) return;
  try {
    await read(relay, claim);
  } catch (error) {
    relay.log({ level: "error", message: "topic source failed", ...name, error: String(error) });
    await settleSource(relay.db, claim, FAILED, relay.now());
  }
}

const FAILED = {
  state: "failed",
  reason: "internal",
  detail: "The service failed. The next refresh will try again.",
} as const;

async function read(relay: TopicRelay, claim: ClaimedSource): Promise<void> {
  const reading = await readSource(claim.source, {
    rules: relay.targetRules,
    validators: claim.validators,
    baseUrls: relay.baseUrls,
    now: relay.now(),
  });
  if (reading.kind === "read") return store(relay, claim, reading);
  const { reason, detail } = reading.kind === "failed" ? reading : { reason: null, detail: null };
  await settleSource(relay.db, claim, { state: reading.kind, reason, detail }, relay.now());
}

/**
 * Stores what a source gave. Other sources of the blog may store meanwhile: then the plan is made anew
 * from what is there now, because two items about the same thing have to become one idea.
 */
async function store(relay: TopicRelay, claim: ClaimedSource, reading: Reading & { kind: "read" }): Promise<void> {
  const { db, now } = relay;
  const { items, refused, validators } = reading;
  const source = { kind: claim.source.kind, name: claim.source.name };
  const shaped = new Map<string, NewIdea>();
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const board = await readBoard(db, claim, items.map(keyOf));
    // The sweep has given it up meanwhile, as it took too long; there is nothing to settle.
    if (board === null) return;
    const plan = planItems(items, board, source, now());
    const unshaped = plan.ideas.filter(({ url }) => !shaped.has(url));
    for (const idea of await shape(relay, unshaped, board)) shaped.set(idea.url, idea);
    const harvest = {
      found: items.length + sum(refused),
      refused: addCounts(refused, plan.refused),
      // Mentions may have come since it was shaped; its words stay.
      ideas: plan.ideas.map((idea) => ({ ...idea, ...wordsOf(shaped.get(idea.url) ?? idea) })),
      merges: plan.merges,
      merged: plan.merged,
      validators,
    };
    if (await storeHarvest(db, claim, board, harvest, now())) return;
    await new Promise((resolve) => setTimeout(resolve, Math.random() * PAUSE_MS));
  }
  throw new Error("the ideas of the blog change faster than they can be merged");
}

const keyOf = ({ url }: SourceItem): string => urlKeyOf(url);

const wordsOf = ({ title, angle, keywords, locale }: NewIdea) => ({ title, angle, keywords, locale });

async function shape(relay: TopicRelay, ideas: readonly NewIdea[], board: { blogName: string; locale: string }) {
  if (ideas.length === 0) return [];
  const text = await textModel(relay);
  return text === null ? [] : shapeIdeas(text, ideas, board, relay.log);
}

/** Null where there is none, or it cannot be opened: ideas have words of their own. */
async function textModel(relay: TopicRelay): Promise<TextModel | null> {
  try {
    return (await relay.models()).text;
  } catch (error) {
    relay.log({ level: "error", message: "models cannot be opened", error: String(error) });
    return null;
  }
}

const sum = (counts: Readonly<Record<string, number>>): number => Object.values(counts).reduce((a, b) => a + b, 0);

function addCounts(a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>): Record<string, number> {
  const all = { ...a };
  for (const [reason, count] of Object.entries(b)) all[reason] = (all[reason] ?? 0) + count;
  return all;
}
