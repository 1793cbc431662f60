/** Communities of Lemmy (https://join-lemmy.org/docs/contributors/04-api.html), read without an account. */
import * as z from "zod";
import { LIMITS } from "../../../domain/limits.ts";
import { parseCommunity, type TopicSource } from "../../../domain/topic-source.ts";
import type { Candidate, Refusal } from "../candidate.ts";
import {
  buildUrl,
  readEntries,
  type ForumQuery,
  optionalNumber,
  optionalText,
  toTextMarkup,
  describeUnexpected,
} from "./forum.ts";

/** Reads the hot posts of a community. Text that is not its address is requested as it is, which fails. */
export function makeLemmyQuery({ url }: TopicSource & { kind: "lemmy" }): ForumQuery {
  const { instance, name } = parseCommunity(url) ?? { instance: url, name: "" };
  const query = { community_name: name, sort: "Hot", limit: String(LIMITS.sourceItems) };
  return {
    url: buildUrl(instance, ["api", "v3", "post", "list"], query),
    name: name.includes("@") ? name : `${name}@${instance.replace(/^https?:\/\//, "")}`,
    list,
    explain,
  };
}

function list(answer: unknown): readonly (Candidate | Refusal)[] | string {
  const parsed = Answer.safeParse(answer);
  return parsed.success ? readEntries(parsed.data.posts, Entry, toCandidate) : describeUnexpected("Lemmy");
}

/** Returns the reason of an error, which the API gives as a code such as `couldnt_find_community`. */
function explain(answer: unknown): string | undefined {
  const code = Refused.safeParse(answer).data?.error;
  if (code === undefined) return undefined;
  return NOT_FOUND.has(code) ? "There is no such community." : `Lemmy refuses to answer: ${code}.`;
}

function toCandidate({ post, counts }: z.infer<typeof Entry>): Candidate | Refusal {
  const refusal = findRefusal(post);
  if (refusal !== undefined) return { refused: refusal };
  return {
    url: post.url || post.ap_id,
    base: post.ap_id,
    title: toTextMarkup(post.name),
    text: toTextMarkup(post.body ?? ""),
    // Before version 0.19, times had no zone. They are in UTC.
    time: /(?:Z|[+-]\d\d:\d\d)$/.test(post.published) ? post.published : `${post.published}Z`,
    engagement: Math.max(0, counts?.score ?? 0) + (counts?.comments ?? 0),
    keywords: [],
    locale: undefined,
  };
}

function findRefusal(post: z.infer<typeof Entry>["post"]): string | undefined {
  if (post.nsfw === true) return "is for adults only";
  if (post.removed === true || post.deleted === true) return "was removed";
  return post.featured_community === true || post.featured_local === true ? "is pinned" : undefined;
}

const Answer = z.looseObject({ posts: z.array(z.unknown()) });

const Entry = z.looseObject({
  post: z.looseObject({
    name: z.string(),
    url: optionalText,
    body: optionalText,
    ap_id: z.string(),
    published: z.string(),
    nsfw: z.boolean().nullish(),
    removed: z.boolean().nullish(),
    deleted: z.boolean().nullish(),
    featured_community: z.boolean().nullish(),
    featured_local: z.boolean().nullish(),
  }),
  counts: z.looseObject({ score: optionalNumber, comments: optionalNumber }).nullish(),
});

const Refused = z.looseObject({ error: z.string().regex(/^\w{1,60}$/) });

/** The codes of versions 0.19 and earlier, and of later ones. */
const NOT_FOUND: ReadonlySet<string> = new Set(["couldnt_find_community", "not_found"]);
