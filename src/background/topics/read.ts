/** Reads a source of topic ideas: one limited request, and the list in its response. */
import { LIMITS } from "../../domain/limits.ts";
import { FORUM_BASE_URLS, type ForumBaseUrls, type TopicSource } from "../../domain/topic-source.ts";
import { decodeJson } from "../../lib/json.ts";
import { guardedGet, USER_AGENT, type GetOutcome } from "../../outbound/fetch.ts";
import { toReadingRules, type TargetRules } from "../../outbound/target.ts";
import { chooseItems } from "./candidate.ts";
import { type Listed, readFeed } from "./feed.ts";
import { makeDiscourseQuery } from "./forums/discourse.ts";
import type { ForumQuery } from "./forums/forum.ts";
import { makeHackerNewsQuery } from "./forums/hackernews.ts";
import { makeLemmyQuery } from "./forums/lemmy.ts";
import { makeLobstersQuery } from "./forums/lobsters.ts";
import { makeRedditQuery } from "./forums/reddit.ts";
import { makeStackExchangeQuery } from "./forums/stackexchange.ts";
import type { Reading, Validators } from "./item.ts";
import { truncate, toTitle } from "./plain-text.ts";

export type ReadOptions = {
  readonly rules: TargetRules;
  /** From the last reading. With them, the result can be `unchanged`. */
  readonly validators?: Validators;
  readonly baseUrls?: ForumBaseUrls;
  readonly now: Date;
  readonly signal?: AbortSignal;
};

/** Reads a source once. Every failure is part of the returned reading. Throws if `signal` is aborted, and `not_ready`. */
export async function readSource(source: TopicSource, options: ReadOptions): Promise<Reading> {
  const question = makeQuestion(source, options);
  const conditions = makeConditions(options.validators);
  const outcome = await guardedGet({
    url: question.url,
    rules: toReadingRules(options.rules),
    timeoutMs: LIMITS.sourceTimeoutMs,
    maxBytes: LIMITS.sourceBytes,
    maxRedirects: LIMITS.sourceRedirects,
    headers: { "User-Agent": USER_AGENT, Accept: question.accept, ...conditions },
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  if (outcome.kind === "failed") return outcome;
  if (outcome.status === 304 && Object.keys(conditions).length > 0) return { kind: "unchanged" };
  if (outcome.status < 200 || outcome.status > 299) return toFailure(outcome, question);
  const listed = question.list(outcome);
  const waitSeconds = question.findWait?.(decodeJson(outcome.bytes)) ?? null;
  if (listed.kind === "unreadable") return { kind: "failed", reason: "unreadable", detail: listed.detail };
  const name = truncate(toTitle(listed.name), LIMITS.name) || new URL(outcome.url).host;
  return {
    kind: "read",
    name,
    ...chooseItems(listed.listed, options.now),
    validators: readValidators(outcome.headers),
    waitSeconds,
  };
}

type Response = GetOutcome & { kind: "response" };

type Question = Pick<ForumQuery, "url" | "explain" | "findWait"> & {
  readonly accept: string;
  readonly list: (response: Response) => Listed;
};

function makeQuestion(source: TopicSource, { baseUrls = FORUM_BASE_URLS, now }: ReadOptions): Question {
  if (source.kind === "feed") return { url: source.url, accept: ACCEPT_FEED, list: listFeed };
  const query = makeForumQuery(source, baseUrls, now);
  return { ...query, accept: "application/json", list: (response) => listForum(response, query) };
}

type Forum = Exclude<TopicSource, { kind: "feed" }>;

function makeForumQuery(source: Forum, bases: ForumBaseUrls, now: Date): ForumQuery {
  switch (source.kind) {
    case "hackernews":
      return makeHackerNewsQuery(source, bases.hackernews, now);
    case "discourse":
      return makeDiscourseQuery(source);
    case "reddit":
      return makeRedditQuery(source, bases.reddit);
    case "stackexchange":
      return makeStackExchangeQuery(source, bases.stackexchange);
    case "lobsters":
      return makeLobstersQuery(source, bases.lobsters);
    case "lemmy":
      return makeLemmyQuery(source);
  }
}

const listFeed = ({ bytes, headers, url }: Response): Listed => readFeed(bytes, headers.get("Content-Type"), url);

function listForum({ bytes }: Response, query: ForumQuery): Listed {
  const answer = decodeJson(bytes);
  if (answer === null) return { kind: "unreadable", detail: "It did not answer with JSON." };
  const list = query.list(answer);
  if (typeof list === "string") return { kind: "unreadable", detail: list };
  return { kind: "listed", name: { kind: "text", value: query.name }, listed: list };
}

function toFailure({ status, headers, bytes }: Response, question: Question): Reading {
  const answer = decodeJson(bytes);
  const explanation = question.explain?.(answer, status);
  const detail = explanation ?? `${describeStatus(status)}${describeRetryAfter(headers)}`;
  const waitSeconds = question.findWait?.(answer);
  return { kind: "failed", reason: "status", detail, ...(waitSeconds === undefined ? {} : { waitSeconds }) };
}

function describeStatus(status: number): string {
  if (status === 304) return "It answered 304 (not modified) to a request that was not conditional.";
  return status === 429 ? "It answered 429: too many requests." : `It answered ${status}.`;
}

/** Returns a sentence about the seconds of Retry-After (RFC 9110, 10.2.3). Ignores a date. */
function describeRetryAfter(headers: Headers): string {
  const seconds = /^\d{1,6}$/.exec(headers.get("Retry-After") ?? "")?.[0];
  return seconds === undefined ? "" : ` It asks for a wait of ${seconds} seconds.`;
}

function makeConditions(validators: Validators | undefined): Record<string, string> {
  return {
    ...(validators?.etag ? { "If-None-Match": validators.etag } : {}),
    ...(validators?.lastModified ? { "If-Modified-Since": validators.lastModified } : {}),
  };
}

const readValidators = (headers: Headers): Validators => ({
  etag: toStorableHeader(headers.get("ETag")),
  lastModified: toStorableHeader(headers.get("Last-Modified")),
});

/** Returns a header that may be stored and sent back, or null if its size or characters are unusual. */
const toStorableHeader = (value: string | null): string | null =>
  value !== null && /^[\x20-\x7e]{1,1024}$/.test(value) ? value : null;

const ACCEPT_FEED =
  "application/rss+xml, application/atom+xml, application/feed+json, application/rdf+xml, " +
  "application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5";
