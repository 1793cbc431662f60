/** Consumes the topics queue: reads one source of a refresh and stores what it finds. */
import type { TextModel, Usage } from "../../ai/model.ts";
import { readBoard, storeHarvest, type NewIdea } from "../../store/topics/system-ideas.ts";
import { claimSource, settleSource, type ClaimedSource, type SourceName } from "../../store/topics/system-sources.ts";
import { openFor } from "../../meter.ts";
import type { Reading } from "./item.ts";
import { addCounts, BEYOND, planItems, sumCounts } from "./plan.ts";
import { readSource } from "./read.ts";
import type { TopicMessage, TopicRelay } from "./relay.ts";
import { sendEach } from "../../lib/send-each.ts";
import { shapeIdeas } from "./shape.ts";
import { toUrlKey } from "./url-key.ts";

/** How often items are planned if other sources of the blog store ideas at the same time. */
const MOST_TRIES = 40;
/** The longest pause between two attempts, in milliseconds. The actual pause is random. */
const PAUSE_MS = 200;

/** Handles the messages of a batch. A message is only a hint: a source is read only if its row can be claimed. */
export async function consumeTopics(relay: TopicRelay, batch: MessageBatch<TopicMessage>): Promise<void> {
  for (const message of batch.messages) {
    try {
      await refreshSource(openFor(relay, message.body.organizationId), message.body);
      message.ack();
    } catch (error) {
      relay.log({ level: "error", message: "queue message failed", attempts: message.attempts, error });
      message.retry();
    }
  }
}

/**
 * Claims and reads one source, then sends the next one of its organization. Does nothing if the source or too many of
 * its organization are claimed. An error settles the source as failed.
 */
async function refreshSource(relay: TopicRelay, name: TopicMessage): Promise<void> {
  const claim = await claimSource(relay.db, name, relay.now());
  if (claim === null) return;
  let next: readonly SourceName[];
  try {
    next = await readClaimed(relay, claim);
  } catch (error) {
    relay.log({ level: "error", message: "topic source failed", ...name, error });
    next = await settleSource(relay.db, claim, FAILED, relay.now());
  }
  try {
    await sendEach(relay.topics, next);
  } catch (error) {
    // The source is settled. The sweep sends the next one.
    relay.log({ level: "error", message: "next topic source was not sent", ...name, error });
  }
}

const FAILED = {
  state: "failed",
  reason: "internal",
  detail: "The service failed. The next refresh will try again.",
} as const;

/** Reads a claimed source and settles it. Returns the sources whose messages are to be sent next. */
async function readClaimed(relay: TopicRelay, claim: ClaimedSource): Promise<SourceName[]> {
  if (claim.waitTime !== null) {
    const detail = `${describeWait(claim.waitTime)} A refresh after that reads it.`;
    return settleSource(relay.db, claim, { state: "failed", reason: "waiting", detail }, relay.now());
  }
  const reading = await readSource(claim.source, {
    rules: relay.targetRules,
    validators: claim.validators,
    baseUrls: relay.baseUrls,
    now: relay.now(),
  });
  if (reading.kind === "read") return storeReading(relay, claim, reading);
  if (reading.kind === "unchanged")
    return settleSource(relay.db, claim, { state: "unchanged", reason: null, detail: null }, relay.now());
  const { reason, detail, waitSeconds = null } = reading;
  const waitTime = toWaitTime(waitSeconds, relay.now());
  const settled = { state: reading.kind, reason, detail: joinSentences(detail, describeWait(waitTime)), waitTime };
  return settleSource(relay.db, claim, settled, relay.now());
}

const toWaitTime = (seconds: number | null, now: Date): string | null =>
  seconds === null ? null : new Date(now.getTime() + seconds * 1000).toISOString();

/** Returns a sentence on how long a forum asks to be left alone, or null if it does not. */
const describeWait = (waitTime: string | null): string | null =>
  waitTime && `It asks for no requests until ${waitTime.slice(0, 19).replace("T", " ")} UTC.`;

const joinSentences = (...sentences: readonly (string | null)[]): string =>
  sentences.filter((sentence) => sentence !== null).join(" ");

/**
 * Stores the items of a source. If another source of the blog stores ideas at the same time, plans the items again,
 * because two items about the same subject must become one idea. Throws after `MOST_TRIES` attempts.
 */
async function storeReading(
  relay: TopicRelay,
  claim: ClaimedSource,
  reading: Reading & { kind: "read" },
): Promise<SourceName[]> {
  const { db, now } = relay;
  const { items, refused, validators } = reading;
  const source = { kind: claim.source.kind, name: claim.source.name };
  const shaped = new Map<string, NewIdea>();
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const day = { now: now(), quota: relay.quota };
    const keys = items.map(({ url }) => toUrlKey(url));
    const board = await readBoard(db, claim, keys, day);
    // The sweep gave up this claim because it took too long. There is nothing to settle.
    if (board === null) return [];
    const plan = planItems(items, board, source, day.now);
    const unshaped = plan.ideas.filter(({ url }) => !shaped.has(url));
    for (const idea of await shapeWithModel(relay, unshaped, { ...board, organizationId: claim.organizationId }))
      shaped.set(idea.url, idea);
    const waitTime = toWaitTime(reading.waitSeconds, day.now);
    const harvest = {
      waitTime,
      detail: describeWait(waitTime),
      revision: board.revision,
      found: items.length + sumCounts(refused),
      refused: addCounts(refused, plan.refused),
      // An idea keeps the model's words, even if it got mentions later.
      ideas: plan.ideas.map((idea) => ({ ...idea, ...pickWords(shaped.get(idea.url) ?? idea) })),
      updates: plan.updates,
      merged: plan.merged,
      // Items that were left out for this day have to be read again, even if the source has nothing new.
      validators: plan.refused[BEYOND] === undefined ? validators : { etag: null, lastModified: null },
    };
    const next = await storeHarvest(db, claim, harvest, day);
    if (next !== null) return next;
    await new Promise((resolve) => setTimeout(resolve, Math.random() * PAUSE_MS));
  }
  throw new Error("the ideas of the blog change faster than they can be merged");
}

const pickWords = ({ title, angle, keywords, locale }: NewIdea) => ({ title, angle, keywords, locale });

/** Returns the ideas in a model's words; [] if there are no ideas, or no text model. */
async function shapeWithModel(
  relay: TopicRelay,
  ideas: readonly NewIdea[],
  board: { blogName: string; locale: string; organizationId: string },
) {
  if (ideas.length === 0) return [];
  const text = await openTextModel(relay);
  if (text === null) return [];
  const spent = ({ inputTokens, outputTokens }: Usage) =>
    relay.meter.count(board.organizationId, { modelTokens: inputTokens + outputTokens });
  return shapeIdeas({ ...text, object: (request) => text.object({ ...request, spent }) }, ideas, board, relay.log);
}

/** Returns the text model, or null if none can be opened. Ideas then keep the words of their items. */
async function openTextModel(relay: TopicRelay): Promise<TextModel | null> {
  try {
    return (await relay.models()).text;
  } catch (error) {
    relay.log({ level: "error", message: "models cannot be opened", error });
    return null;
  }
}
