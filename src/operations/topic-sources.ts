/** Schemas of topic sources. New sources are tried before they are stored. */
import { TOLD } from "./told.ts";
import * as z from "zod";
import { DomainError, type FieldError } from "../domain/errors.ts";
import { limitConcurrency } from "../lib/concurrency.ts";
import { LIMITS } from "../domain/limits.ts";
import { parseCommunity, type TopicSource } from "../domain/topic-source.ts";
import type { Services } from "./define.ts";
import { line } from "./fields.ts";

const url = line(LIMITS.url).min(1, "must not be empty");
/**
 * A word that matches a pattern. `allowed` describes it, because tools drop patterns that not every language can
 * compile. `meta` repeats the pattern, because the OpenAPI generator would otherwise include the flags of the RegExp.
 */
/** JSON Schema says nothing of the flag `u`, and without it `\\p{L}` means other characters: the document has no such pattern. */
const word = (most: number, pattern: RegExp, means: string, allowed: string) =>
  z
    .string()
    .max(most)
    .refine((text) => pattern.test(text), `must be ${means}`)
    .meta({ ...(!pattern.unicode && { pattern: pattern.source }), description: `Is ${means}: ${allowed}.` });

const sourceName = line(LIMITS.name)
  .optional()
  .meta({ description: "A name for it. By default, the name that it gives itself.", example: "The Guardian, Travel" });

/** Parts of a path at a forum. Dots alone would change the path. */
const SLUG = /^(?!\.+$)[\p{L}\p{N}_.-]*$/u;
const SLUG_CHARACTERS = "letters, digits, -, . and _";
const LOBSTERS_TAG = /^(?!\.+$)[\w.+-]*$/;

/**
 * Returns whether a site's URL has no user name, password, query or fragment, which would be dropped silently. Other
 * problems are found when the source is read.
 */
function isSite(address: string): boolean {
  if (!URL.canParse(address)) return true;
  const { username, password, search, hash } = new URL(address);
  return [username, password, search, hash].every((part) => part === "");
}

export const source = z
  .discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("feed"),
      name: sourceName,
      url: url.meta({ description: "RSS, Atom, RDF or JSON Feed.", example: "https://example.com/feed.xml" }),
    }),
    z.strictObject({
      kind: z.literal("hackernews"),
      name: sourceName,
      query: line(200).default("").meta({ description: "The front page by default.", example: "sqlite" }),
    }),
    z.strictObject({
      kind: z.literal("discourse"),
      name: sourceName,
      url: url
        .refine(isSite, "must be a site's address, without user name, query or fragment")
        .meta({ description: "The site's address.", example: "https://meta.discourse.org" }),
      category: word(200, SLUG, "the slug of a category", SLUG_CHARACTERS).default(""),
      tag: word(200, SLUG, "a tag", SLUG_CHARACTERS).default(""),
    }),
    z.strictObject({
      kind: z.literal("reddit"),
      name: sourceName,
      subreddit: word(50, /^\w{2,50}$/, "the name of a subreddit, without r/", "letters, digits and _").meta({
        example: "typescript",
      }),
    }),
    z.strictObject({
      kind: z.literal("stackexchange"),
      name: sourceName,
      site: word(100, /^[a-z0-9.-]+$/, "the API's name of a site", "lowercase letters, digits, . and -").default(
        "stackoverflow",
      ),
      tag: word(100, /^[\p{L}\p{N}#+._-]+$/u, "a tag", "letters, digits, #, +, -, . and _").meta({
        example: "cloudflare-workers",
      }),
    }),
    z.strictObject({
      kind: z.literal("lobsters"),
      name: sourceName,
      tag: word(100, LOBSTERS_TAG, "a tag", "letters, digits, +, -, . and _")
        .default("")
        .meta({ example: "databases" }),
    }),
    z.strictObject({
      kind: z.literal("lemmy"),
      name: sourceName,
      url: url
        .refine((address) => parseCommunity(address) !== null, "must be the address of a community, https://…/c/…")
        .meta({ description: "A community's address.", example: "https://lemmy.world/c/technology" }),
    }),
  ])
  .meta({ id: "TopicSource" })
  .register(TOLD, {
    type: "object",
    required: ["kind"],
    description:
      "`kind` and its members: feed (url), hackernews (query), discourse (url, category, tag), reddit (subreddit), stackexchange (tag, site), lobsters (tag) or lemmy (url of a community). query, category and the tags of discourse and lobsters may be left out.",
  });

export const topicSources = z
  .array(source)
  .max(LIMITS.topicSources)
  .meta({
    description: `Feeds and forums for topic ideas, at most ${LIMITS.topicSources}. A new one is read once to try it, and refused if that fails.`,
    example: [
      { kind: "feed", url: "https://example.com/feed.xml" },
      { kind: "lobsters", tag: "databases" },
    ],
  });

type AskedSource = z.infer<typeof source>;

/** Returns a key of everything but the name. */
export function toSourceKey(source: AskedSource | TopicSource): string {
  const members = Object.entries(source).filter(([member]) => member !== "name");
  return JSON.stringify(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Returns the sources to store. Reads each new source once, and takes its name from there if none was given. Calls
 * `limit` first if there is a new source. Throws `invalid_request` with a message for each source that is repeated or
 * cannot be read.
 */
export async function trySources(
  asked: readonly AskedSource[],
  stored: readonly TopicSource[],
  { readSource, limit }: { readonly readSource: Services["readSource"]; readonly limit: () => Promise<void> },
): Promise<TopicSource[]> {
  const known = new Map(stored.map((each) => [toSourceKey(each), each]));
  if (asked.some((each) => !known.has(toSourceKey(each)))) await limit();
  const errors: (FieldError | undefined)[] = [];
  const seen = new Set<string>();
  const limited = limitConcurrency(LIMITS.connectionsAtOnce);
  const tried = asked.map((each): TopicSource => ({
    ...each,
    name: each.name || known.get(toSourceKey(each))?.name || "",
  }));
  const work = tried.map(async (each, index) => {
    const refuse = (message: string) => void (errors[index] = { path: `topicSources.${index}`, message });
    const key = toSourceKey(each);
    if (seen.has(key)) return refuse("is a duplicate");
    seen.add(key);
    if (known.has(key)) return;
    await limited(async () => {
      const reading = await readSource(each);
      if (reading.kind === "failed") refuse(reading.detail);
      else if (reading.kind === "read" && each.name === "") tried[index] = { ...each, name: reading.name };
    });
  });
  await Promise.all(work);
  const found = errors.filter((error) => error !== undefined);
  const [first] = found;
  // The source may be readable in an hour.
  if (first !== undefined)
    throw new DomainError("invalid_request", `${first.path}: ${first.message}`, { errors: found, passes: true });
  return tried;
}
