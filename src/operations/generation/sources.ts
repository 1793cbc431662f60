/** Reads the sources that an article is to be written from, before anything is paid for. */
import { collectOwnWords } from "../../ai/generation/own-words.ts";
import type { Brief, Source, Subject } from "../../ai/generation/brief.ts";
import { DomainError, invalidField, type FieldError } from "../../domain/errors.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { OrganizationContext, Services } from "../define.ts";
import { limitResearch } from "../research.ts";

/**
 * Returns the sources with their texts. Throws `invalid_request` with a message for each that is repeated or cannot be
 * read, and `rate_limited`.
 */
export async function readOrderedSources(
  context: OrganizationContext,
  services: Pick<Services, "readSources">,
  urls: readonly string[],
  subject: Pick<Subject, "kind">,
): Promise<Source[]> {
  if (urls.length === 0) return [];
  if (subject.kind === "translation") throw invalidField("sources", "a translation has none but its article");
  const keys = urls.map((url) => URL.parse(url)?.href ?? url);
  const repeated = keys.map((key, index) => keys.indexOf(key) < index && "is a duplicate");
  refuse(repeated);
  const readings = await readLimited(context, services, urls);
  refuse(readings.map((reading) => reading.kind === "failed" && reading.detail));
  return readings.flatMap((reading, index) => {
    if (reading.kind === "failed") return [];
    const { title, text, isCut } = reading;
    return [{ url: urls[index] ?? "", title, text, isCut }];
  });
}

/** Reads addresses. So many as a research reads count as one. Throws `rate_limited`. */
export async function readLimited(
  context: OrganizationContext,
  { readSources }: Pick<Services, "readSources">,
  urls: readonly string[],
) {
  for (let read = 0; read < urls.length; read += LIMITS.researchSources) await limitResearch(context);
  return readSources(urls);
}

/** Returns what is stored with an article: the request's own words, which also back what it says, and its sources. */
export const toStored = (brief: Brief): Source[] => {
  const { sources = [] } = brief;
  if (sources.length === 0) return [];
  return [{ url: "", title: "", text: collectOwnWords(brief), isCut: false }, ...sources];
};

/** A source that cannot be read may be readable in an hour. */
function refuse(problems: readonly (string | false)[]): void {
  const errors = problems.flatMap((message, index): FieldError[] =>
    message === false ? [] : [{ path: `sources.${index}`, message }],
  );
  const [first] = errors;
  if (first !== undefined)
    throw new DomainError("invalid_request", `${first.path}: ${first.message}`, { errors, passes: true });
}
