/** Reads the sources of an article: web pages, feeds and plain texts that somebody names. */
import { parse } from "content-type";
import { LIMITS } from "../../domain/limits.ts";
import { limitConcurrency } from "../../lib/concurrency.ts";
import { guardedGet, USER_AGENT, type GetOutcome } from "../../outbound/fetch.ts";
import { toReadingRules, type TargetRules } from "../../outbound/target.ts";
import { chooseItems } from "../topics/candidate.ts";
import { decodeText } from "../topics/decode.ts";
import { readFeed } from "../topics/feed.ts";
import { toTitle, truncate } from "../topics/plain-text.ts";
import { MOST_CHARACTERS, readPage, toLines, type PageText } from "./page.ts";

export type SourceReading =
  | (PageText & { readonly kind: "read" })
  /** `detail` is a sentence for the person who named the address. */
  | { readonly kind: "failed"; readonly detail: string };

/** Reads all addresses within a time for all of them. Each failure is part of what is returned. Throws `not_ready`. */
export async function readSources(urls: readonly string[], rules: TargetRules, now: Date): Promise<SourceReading[]> {
  const signal = AbortSignal.timeout(LIMITS.researchTimeoutMs);
  const limited = limitConcurrency(LIMITS.connectionsAtOnce);
  const read = await Promise.all(urls.map((url) => limited(() => readUntilAborted(url, { rules, now, signal }))));
  return share(read);
}

type Options = { readonly rules: TargetRules; readonly now: Date; readonly signal: AbortSignal };

const LATE: SourceReading = {
  kind: "failed",
  detail: `It did not answer within the ${LIMITS.researchTimeoutMs / 1000} seconds for all sources.`,
};

async function readUntilAborted(url: string, { rules, now, signal }: Options): Promise<SourceReading> {
  try {
    if (signal.aborted) return LATE;
    const outcome = await guardedGet({
      url,
      rules: toReadingRules(rules),
      timeoutMs: LIMITS.sourceTimeoutMs,
      maxBytes: LIMITS.sourceBytes,
      maxRedirects: LIMITS.sourceRedirects,
      headers: { "User-Agent": USER_AGENT, Accept: "text/html, application/xhtml+xml, text/*;q=0.9, */*;q=0.5" },
      signal,
    });
    return toReading(outcome, now);
  } catch (error) {
    if (signal.aborted) return LATE;
    throw error;
  }
}

const fail = (detail: string): SourceReading => ({ kind: "failed", detail });

function toReading(outcome: GetOutcome, now: Date): SourceReading {
  if (outcome.kind === "failed") return fail(outcome.detail);
  const { status } = outcome;
  if (status < 200 || status > 299) return fail(`It answered ${status}.`);
  const found = readDocument(outcome, now);
  if (typeof found === "string") return fail(found);
  if (found.text === "") return fail("It has no text.");
  const isCut = found.isCut || found.text.length > LIMITS.sourceText;
  return {
    kind: "read",
    title: truncate(found.title, LIMITS.title),
    text: cut(found.text, LIMITS.sourceText),
    isCut,
  };
}

type Answer = GetOutcome & { kind: "response" };

/** Returns a sentence if it is something else. */
function readDocument({ bytes, headers, url }: Answer, now: Date): PageText | string {
  const contentType = headers.get("Content-Type");
  const { type } = parse(contentType ?? "", { comma: true });
  const isPage = type === "" || PAGES.has(type);
  if (FEEDS.has(type) || (isPage && mayBeFeed(bytes))) {
    const feed = readItems(bytes, contentType, url, now);
    if (feed !== null) return feed;
  }
  if (isPage) return readPage(decodeText(bytes, withDeclaredCharset(bytes, contentType)));
  if (!TEXTS.has(type)) return `It is neither a web page nor a feed nor plain text, but ${describeType(type)}.`;
  const text = decodeText(bytes, contentType);
  if (text.includes("\0")) return "It is no text.";
  return { title: "", text: toLines(text.slice(0, MOST_CHARACTERS)), isCut: text.length > MOST_CHARACTERS };
}

const PAGES: ReadonlySet<string> = new Set(["text/html", "application/xhtml+xml"]);
const TEXTS: ReadonlySet<string> = new Set(["text/plain", "text/markdown", "text/x-markdown"]);
const FEEDS: ReadonlySet<string> = new Set([
  "application/rss+xml",
  "application/atom+xml",
  "application/rdf+xml",
  "application/feed+json",
  "application/xml",
  "text/xml",
  "application/json",
]);

const describeType = (type: string): string =>
  /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type.slice(0, 100) : "something else";

/** Some feeds are served as pages. */
function mayBeFeed(bytes: Uint8Array): boolean {
  const beginning = new TextDecoder("windows-1252").decode(bytes.subarray(0, 4096)).replaceAll("\0", "");
  return /^[^<]{0,9}\{|<(?:\w{1,20}:)?(?:rss|feed|rdf)[\s>]/i.test(beginning);
}

/** Returns null unless it is a feed. */
function readItems(bytes: Uint8Array, contentType: string | null, url: string, now: Date): PageText | null {
  const feed = readFeed(bytes, contentType, url);
  if (feed.kind === "unreadable") return null;
  const { items } = chooseItems(feed.listed, now);
  const isCut = items.length === LIMITS.sourceItems && feed.listed.length > items.length;
  const lines = items.flatMap(({ title, summary, time }) => [
    time === null ? title : `${time.slice(0, 10)}: ${title}`,
    summary,
  ]);
  return { title: toTitle(feed.name), text: toLines(lines.join("\n")), isCut };
}

/** Pages often name their charset only within. */
function withDeclaredCharset(bytes: Uint8Array, contentType: string | null): string | null {
  if (parse(contentType ?? "", { comma: true }).parameters["charset"] !== undefined) return contentType;
  const beginning = new TextDecoder("windows-1252").decode(bytes.subarray(0, 1024));
  const [, charset] = /<meta\s[^>]*?charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(beginning) ?? [];
  return charset === undefined ? contentType : `text/html; charset=${charset}`;
}

/** Shortens the longest texts until all of them together have at most the characters that a model is given. */
function share(readings: readonly SourceReading[]): SourceReading[] {
  const lengths = readings
    .map((reading) => (reading.kind === "read" ? reading.text.length : 0))
    .toSorted((a, b) => a - b);
  let room: number = LIMITS.sourcesText;
  let most = room;
  for (const [index, length] of lengths.entries()) {
    most = Math.floor(room / (lengths.length - index));
    if (length > most) break;
    room -= length;
    most = Infinity;
  }
  return readings.map((reading) =>
    reading.kind === "read" && reading.text.length > most
      ? { ...reading, text: cut(reading.text, most), isCut: true }
      : reading,
  );
}

/** Ends with a whole line if one ends near. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most);
  const end = kept.lastIndexOf("\n");
  return (end > most * 0.9 ? kept.slice(0, end) : kept).replace(/\p{Cs}$/u, "");
}
