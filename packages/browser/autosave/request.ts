/** Sends a save to the service and reads the answer. */
import type { Values } from "./fields.ts";

/** What is stored: the version that the next save must name, and the editor's values. */
export type Stored = {
  readonly version: string;
  readonly values: Values;
  readonly savedTime: string;
  /** Who saved it, as the page names them; null if unknown. */
  readonly by: string | null;
  /** Whether the article is published; undefined if the answer does not say. */
  readonly published?: boolean | undefined;
};

export type FieldErrors = readonly { readonly path: string; readonly message: string }[];

export type Outcome =
  | {
      readonly kind: "saved";
      readonly version: string;
      readonly savedTime: string;
      readonly published?: boolean | undefined;
      /** The slug, if the service has changed it. */
      readonly slug?: string | undefined;
      readonly created?: Created;
    }
  | { readonly kind: "conflict"; readonly theirs: Stored }
  /** The service refused the values of some fields. */
  | { readonly kind: "invalid"; readonly errors: FieldErrors }
  | { readonly kind: "signedOut" }
  /** The service did not answer, or asks to try again later. `isLost`: it may have saved all the same. */
  | { readonly kind: "later"; readonly why: string; readonly seconds: number | null; readonly isLost: boolean }
  /** Refused, as a retry would be. `isBarred`: the person may not write any more. */
  | { readonly kind: "refused"; readonly why: string; readonly isBarred: boolean };

type Request = { readonly path: string; readonly fields: URLSearchParams };

type Created = Stored & { readonly id: string };

const HEADERS = { Accept: "application/json" };

/** Browsers send at most 64 KiB after a page is gone. This leaves room for headers. */
const LAST_BYTES = 60_000;

const PATIENCE_MS = 30_000;

/** Sends the fields. With `isLast`, the request outlives the page if it is small enough. Never rejects. */
export async function send({ path, fields }: Request, isLast: boolean): Promise<Outcome> {
  const body = fields.toString();
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { ...HEADERS, "Content-Type": "application/x-www-form-urlencoded" },
      body,
      keepalive: isLast && body.length < LAST_BYTES,
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return toOutcome(response, await readAnswer(response));
  } catch {
    return { kind: "later", why: "Offline", seconds: null, isLost: true };
  }
}

type Answer = {
  readonly id?: string;
  readonly version?: string;
  readonly savedTime?: string;
  readonly published?: boolean;
  readonly slug?: string;
  readonly code?: string;
  readonly detail?: string;
  readonly errors?: FieldErrors;
  readonly theirs?: Stored;
};

/** Returns the JSON of a response; {} for anything else, which a proxy may send. */
async function readAnswer(response: Response): Promise<Answer> {
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
  return isJson ? ((await response.json()) as Answer) : {};
}

function toOutcome({ status, ok, headers }: Response, answer: Answer): Outcome {
  const { version, savedTime, published, slug, code, detail = "", errors = [], theirs } = answer;
  if (ok && version !== undefined && savedTime !== undefined) {
    const created = answer.id === undefined ? {} : { created: answer as Created };
    return { kind: "saved", version, savedTime, published, slug, ...created };
  }
  if (theirs !== undefined) return { kind: "conflict", theirs };
  if (code === "credentials_missing" || code === "credentials_invalid") return { kind: "signedOut" };
  const passes = code === undefined || status === 429 || status >= 500 || code === "idempotency_in_progress";
  if (passes) {
    const seconds = Number(headers.get("Retry-After")) || null;
    const why = code === "usage_limit" ? trimStop(detail) : explainDelay(status, code, seconds);
    return { kind: "later", why, seconds, isLost: status >= 500 };
  }
  if (code === "invalid_request" && errors.length > 0) return { kind: "invalid", errors };
  return { kind: "refused", why: REASONS[code] ?? trimStop(detail), isBarred: code === "role_forbidden" };
}

const trimStop = (text: string): string => text.replace(/\.$/, "");

/** Returns why it was not saved yet. An answer without a code comes from a proxy. */
function explainDelay(status: number, code: string | undefined, seconds: number | null): string {
  if (code === undefined) return "The service did not answer";
  return seconds === null && status >= 500 ? "The service failed" : "The service is busy";
}

const REASONS: Readonly<Record<string, string>> = {
  body_too_large: "The article is too large to save",
  quota_exceeded: "The organization’s storage is full",
  not_found: "This article no longer exists",
};

/** Returns what is stored, or null if that cannot be found out now. */
export async function readStored(path: string): Promise<Stored | null> {
  try {
    const response = await fetch(path, { headers: HEADERS, signal: AbortSignal.timeout(PATIENCE_MS) });
    const isTold = response.ok && response.headers.get("Content-Type")?.startsWith("application/json");
    return isTold ? ((await response.json()) as Stored) : null;
  } catch {
    return null;
  }
}
