/** Reads TXT records by DNS over HTTPS, in the JSON format of public resolvers. */
import { decodeJson } from "../lib/json.ts";
import { guardedGet } from "./fetch.ts";
import type { TargetRules } from "./target.ts";

export type Resolver = {
  /** Such as `https://cloudflare-dns.com/dns-query`. */
  readonly url: string;
  readonly rules: TargetRules;
  readonly signal?: AbortSignal | undefined;
};

/** The texts of a name's TXT records (empty if there is no such name or record), or why they are unknown. */
export type TxtAnswer =
  | { readonly kind: "answered"; readonly texts: readonly string[] }
  | { readonly kind: "failed"; readonly detail: string };

const TIMEOUT_MS = 5000;
const MOST_BYTES = 64 * 1024;
/** The record type TXT (RFC 1035, 3.3.14), and response codes (RFC 1035, 4.1.1). */
const TXT = 16;
const [NO_ERROR, NO_SUCH_NAME] = [0, 3];

/**
 * Asks a resolver for the TXT records of a name. A resolver that fails or times out is reported as `failed`, so that it
 * does not look like a missing record. Throws only if the signal is aborted.
 */
export async function readTxt(name: string, { url, rules, signal }: Resolver): Promise<TxtAnswer> {
  const asked = new URL(url);
  asked.searchParams.set("name", name);
  asked.searchParams.set("type", "TXT");
  const outcome = await guardedGet({
    url: asked.href,
    rules,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MOST_BYTES,
    maxRedirects: 0,
    headers: { Accept: "application/dns-json" },
    ...(signal && { signal }),
  });
  if (outcome.kind === "failed") return failed(`The resolver did not answer. ${outcome.detail}`);
  if (outcome.status !== 200) return failed(`The resolver answered with status ${outcome.status}.`);
  return parseAnswer(decodeJson(outcome.bytes));
}

function parseAnswer(answer: unknown): TxtAnswer {
  if (typeof answer !== "object" || answer === null || !("Status" in answer)) return failed(NOT_DNS);
  const { Status: status } = answer;
  if (status !== NO_ERROR && status !== NO_SUCH_NAME) {
    return failed(`The resolver could not find out (its code is ${JSON.stringify(status).slice(0, 20)}).`);
  }
  const records: unknown = "Answer" in answer ? answer.Answer : [];
  if (!Array.isArray(records)) return failed(NOT_DNS);
  return { kind: "answered", texts: records.filter(isTxt).map(({ data }) => parseText(data)) };
}

/** An answer may also contain the aliases (CNAME) that led to the records. */
function isTxt(record: unknown): record is { readonly data: string } {
  if (typeof record !== "object" || record === null) return false;
  return "type" in record && record.type === TXT && "data" in record && typeof record.data === "string";
}

/**
 * Returns the text of a record. Resolvers write it without quotes, or as in zone files: in quoted parts of at most 255
 * bytes that belong together (RFC 1035, 5.1).
 */
function parseText(data: string): string {
  if (!data.startsWith('"')) return data;
  const parts = [...data.matchAll(/"((?:[^"\\]|\\.)*)"/gs)].map(([, part = ""]) => part);
  return parts
    .join("")
    .replaceAll(/\\(\d{3}|.)/gs, (_, escaped: string) =>
      escaped.length === 3 ? String.fromCharCode(Number(escaped)) : escaped,
    );
}

const failed = (detail: string): TxtAnswer => ({ kind: "failed", detail });

const NOT_DNS = "The resolver's answer is not DNS in JSON.";
