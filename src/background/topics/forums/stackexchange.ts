/** The hot questions of a Stack Exchange site (https://api.stackexchange.com/docs/questions), read without a key. */
import * as z from "zod";
import { LIMITS } from "../../../domain/limits.ts";
import type { TopicSource } from "../../../domain/topic-source.ts";
import type { Candidate, Refusal } from "../candidate.ts";
import { toOneLine } from "../plain-text.ts";
import {
  buildUrl,
  readEntries,
  type ForumQuery,
  toHtmlMarkup,
  optionalNumber,
  optionalText,
  describeUnexpected,
} from "./forum.ts";

export function makeStackExchangeQuery(source: TopicSource & { kind: "stackexchange" }, base: string): ForumQuery {
  const { site, tag } = source;
  const query = {
    order: "desc",
    sort: "hot",
    ...(tag === "" ? {} : { tagged: tag }),
    site,
    pagesize: String(LIMITS.sourceItems),
    // A filter that the API predefines: the default fields and the body.
    filter: "withbody",
  };
  const name = tag === "" ? site : `${site}: ${tag}`;
  return { url: buildUrl(base, ["2.3", "questions"], query), name, list, explain, findWait };
}

/**
 * Returns the seconds of `backoff` (https://api.stackexchange.com/docs/throttle): who asks again before is blocked. Of a
 * refusal for too many requests, those that its message names. At most a day, after which the quota is new.
 */
function findWait(answer: unknown): number | undefined {
  const backoff = Backoff.safeParse(answer).data?.backoff;
  const message = ErrorAnswer.safeParse(answer).data?.error_message ?? "";
  const seconds = backoff ?? Number(/available in (\d{1,9}) seconds/.exec(message)?.[1] ?? 0);
  return seconds > 0 ? Math.min(Math.ceil(seconds), DAY_S) : undefined;
}

const Backoff = z.looseObject({ backoff: z.number() });

const DAY_S = 24 * 60 * 60;

function list(answer: unknown): readonly (Candidate | Refusal)[] | string {
  const parsed = Answer.safeParse(answer);
  return parsed.success ? readEntries(parsed.data.items, Question, toCandidate) : describeUnexpected("Stack Exchange");
}

/** Returns the reason of an error. The API answers errors with 400 and the reason as JSON. */
function explain(answer: unknown): string | undefined {
  const parsed = ErrorAnswer.safeParse(answer);
  if (!parsed.success) return undefined;
  return `Stack Exchange refuses to answer: ${toOneLine(parsed.data.error_message).slice(0, LONGEST_REASON)}.`;
}

function toCandidate(question: z.infer<typeof Question>): Candidate | Refusal {
  if (question.closed_date !== undefined && question.closed_date !== null) return { refused: "is closed" };
  return {
    url: question.link,
    base: question.link,
    title: toHtmlMarkup(question.title),
    text: toHtmlMarkup(question.body),
    time: question.creation_date * 1000,
    engagement: Math.max(0, question.score ?? 0) + (question.answer_count ?? 0),
    keywords: question.tags ?? [],
    locale: undefined,
  };
}

const Answer = z.looseObject({ items: z.array(z.unknown()) });

const ErrorAnswer = z.looseObject({ error_id: z.number(), error_message: z.string() });

const Question = z.looseObject({
  title: z.string(),
  link: z.string(),
  body: optionalText,
  creation_date: z.number(),
  closed_date: optionalNumber,
  score: optionalNumber,
  answer_count: optionalNumber,
  tags: z.array(z.string()).nullish(),
});

const LONGEST_REASON = 200;
