/**
 * The one way to run an operation, for every kind of caller: authorization, validation and
 * idempotency happen here and nowhere else. Surfaces only find out who calls.
 */
import type { z } from "zod";
import { DomainError, ERRORS, type ErrorCode, type FieldError, type RefusalDetails } from "../errors.ts";
import { fieldMessage } from "./field-messages.ts";
import { sha256 } from "../lib/hash.ts";
import { LIMITS } from "../domain/limits.ts";
import type { OrganizationPrincipal, Principal } from "../domain/principal.ts";
import { seal, unseal } from "../lib/seal.ts";
import type { IdempotencyClaim } from "../store/core/commit.ts";
import type { IdempotencyState } from "../store/core/idempotency.ts";
import type { OrganizationStore } from "../store/organization.ts";
import type { OrganizationContext, Operation, Result, Services, SharedContext } from "./define.ts";

/** A call as a surface brings it. */
export type Call = {
  readonly principal: Principal;
  readonly shared: SharedContext;
  readonly services: () => Services;
  readonly openStore: (principal: OrganizationPrincipal, idempotency?: IdempotencyClaim) => OrganizationStore;
  readonly idempotency: (principal: OrganizationPrincipal) => IdempotencyKeys;
  readonly idempotencyKey?: string | undefined;
  /** What only the caller knows: answers that show a secret are stored under it. */
  readonly callerSecret: string;
};

type IdempotencyKeys = {
  begin(key: string, fingerprint: string): Promise<IdempotencyState>;
  settle(claim: IdempotencyClaim, answer: string, content?: string): Promise<void>;
  renew(claim: IdempotencyClaim): Promise<void>;
  release(claim: IdempotencyClaim): Promise<void>;
};

export type Answer = Result<unknown> & {
  /** The answer is that of an earlier call with the same Idempotency-Key. */
  readonly replayed?: true;
};

/**
 * Runs an operation; throws a `DomainError` for every refusal. The input is asked for only once the
 * caller is known to be allowed.
 */
export async function invoke(operation: Operation, call: Call, input: () => Promise<unknown>): Promise<Answer> {
  const { principal } = call;
  if (principal.kind === "anonymous") {
    if (!operation.anonymous) throw new DomainError("credentials_missing");
    return operation.run({ ...baseOf(call), principal, store: null }, validate(operation.input, await input()));
  }
  authorize(operation, principal);
  const parsed = validate(operation.input, await input());
  checkPin(operation, principal, parsed);
  // RFC 9110, 13.1.1: what has no version, or does not exist yet, matches none.
  if (operation.effect !== "read" && call.shared.ifMatch !== undefined && !operation.versioned) {
    throw new DomainError("precondition_failed");
  }
  if (operation.effect === "read" || call.idempotencyKey === undefined) {
    return run(operation, call, principal, parsed);
  }
  return runOnce(operation, call, principal, parsed, call.idempotencyKey);
}

/**
 * Throws where the caller may not run the operation: `role_forbidden` for a person, `operator_required`, else
 * `scope_missing`. Surfaces need it only to refuse before they read what {@link invoke} would not read either.
 */
export function authorize({ scope }: Operation, principal: OrganizationPrincipal): void {
  if (scope === null || principal.grants.has(scope)) return;
  if (principal.kind === "user") throw new DomainError("role_forbidden");
  if (scope === "operator") throw new DomainError("operator_required");
  throw new DomainError("scope_missing", `This needs the scope ${scope}.`);
}

/** The input as a schema reads it; throws `invalid_request`, which names each field that is wrong. */
export function validate<Schema extends z.ZodObject>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input, { error: fieldMessage });
  if (parsed.success) return parsed.data;
  const errors = fieldErrors(parsed.error.issues);
  throw new DomainError("invalid_request", errors[0] && summaryOf(errors[0]), { errors });
}

const summaryOf = ({ path, message }: FieldError): string => (path === "" ? message : `${path}: ${message}`);

/** What is wrong with which field: not more of it than an answer should hold, however much there is. */
function fieldErrors(issues: readonly z.core.$ZodIssue[]): FieldError[] {
  const errors: FieldError[] = [];
  const ofWrongType = new Set<string>();
  for (const issue of issues.slice(0, LIMITS.fieldErrors)) {
    const path = issue.path.map(String);
    // A text where a list belongs has no length that could matter.
    if (ofWrongType.has(pathOf(path))) continue;
    if (issue.code === "invalid_type") ofWrongType.add(pathOf(path));
    if (issue.code === "unrecognized_keys") {
      const keys = issue.keys.slice(0, LIMITS.fieldErrors);
      errors.push(...keys.map((key) => ({ path: pathOf([...path, key]), message: "is not a known member" })));
    } else {
      errors.push({ path: pathOf(path), message: issue.message });
    }
  }
  return errors.slice(0, LIMITS.fieldErrors);
}

const pathOf = (parts: readonly string[]): string => parts.join(".").slice(0, LIMITS.fieldPath);

/** A credential that is pinned to one blog can touch only that blog (contract 1.5). */
function checkPin(operation: Operation, principal: OrganizationPrincipal, input: Record<string, unknown>): void {
  if (principal.pinnedBlogId === null || operation.scope === null) return;
  const { blogId } = input;
  if (typeof blogId === "string" && blogId !== principal.pinnedBlogId) throw new DomainError("blog_forbidden");
}

const baseOf = (call: Call) => ({ ...call.shared, seal: (text: string) => seal(sealingSecret(call), text) });

function contextOf(call: Call, principal: OrganizationPrincipal, store: OrganizationStore): OrganizationContext {
  const services = async () => {
    await store.requireStanding();
    return call.services();
  };
  return { ...baseOf(call), principal, store, services };
}

/** Under what the answer of this call is sealed, should it show a secret. */
const sealingSecret = ({ callerSecret, idempotencyKey }: Call): string => `${callerSecret}\n${idempotencyKey}`;

function run(
  operation: Operation,
  call: Call,
  principal: OrganizationPrincipal,
  input: Record<string, unknown>,
  claim?: IdempotencyClaim,
): Promise<Result<unknown>> {
  return operation.run(contextOf(call, principal, call.openStore(principal, claim)), input);
}

async function runOnce(
  operation: Operation,
  call: Call,
  principal: OrganizationPrincipal,
  input: Record<string, unknown>,
  key: string,
): Promise<Answer> {
  if (key.length === 0 || key.length > LIMITS.idempotencyKey) {
    throw new DomainError("invalid_request", `An Idempotency-Key must have 1 to ${LIMITS.idempotencyKey} characters.`);
  }
  const keys = call.idempotency(principal);
  // A sealed answer can be opened under its own caller's secret only, so for others it is another request.
  const sealedFor = operation.showsSecret ? call.callerSecret : "";
  const asked = [operation.name, input, call.shared.ifMatch ?? null, principal.pinnedBlogId, sealedFor];
  const state = await keys.begin(key, await sha256(JSON.stringify(asked)));
  switch (state.kind) {
    case "running":
      throw new DomainError("idempotency_in_progress", undefined, { retryAfterSeconds: 1 });
    case "reused":
      throw new DomainError("idempotency_key_reused");
    case "answered":
      return replay(operation, call, state, input);
    case "claimed":
      return renewed(operation, keys, state.claim, () =>
        settled(keys, state.claim, input, () => run(operation, call, principal, input, state.claim)),
      );
  }
}

type StoredState = Extract<IdempotencyState, { kind: "answered" }>;
type StoredAnswer = Result<unknown> & {
  readonly refusal?: { readonly code: ErrorCode; readonly message: string } & RefusalDetails;
};

/** The stored answer; a content that is not stored is the one that this call, too, has sent. */
async function replay(
  operation: Operation,
  call: Call,
  { answer, content }: StoredState,
  input: Record<string, unknown>,
): Promise<Answer> {
  const isSealed = operation.showsSecret && !answer.startsWith("{");
  const text = isSealed ? await unseal(sealingSecret(call), answer) : answer;
  const { refusal, ...result } = JSON.parse(text) as StoredAnswer;
  const shown = content ?? input["content"];
  if (refusal === undefined && shown !== undefined) Object.assign(result.value as object, { content: shown });
  if (refusal === undefined) return { ...result, replayed: true };
  const { code, message, ...details } = refusal;
  throw new DomainError(code, message, { ...details, replayed: true });
}

/** How often the claim of a lengthy operation is renewed: well within its lease (store, idempotency.ts). */
const RENEWAL_MS = 20_000;

/** Keeps a claim for as long as its operation runs. */
async function renewed<T>(
  operation: Operation,
  keys: IdempotencyKeys,
  claim: IdempotencyClaim,
  work: () => Promise<T>,
): Promise<T> {
  if (!operation.lengthy) return work();
  // A renewal that fails is made up for by the next; a claim that is lost lets nothing commit.
  const timer = setInterval(() => void keys.renew(claim).catch(() => undefined), RENEWAL_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** Runs under a claim: the store keeps the answer of a commit, this keeps all others. */
async function settled(
  keys: IdempotencyKeys,
  claim: IdempotencyClaim,
  input: Record<string, unknown>,
  work: () => Promise<Result<unknown>>,
): Promise<Answer> {
  try {
    const { uncommitted, ...result } = await work();
    if (uncommitted) await keys.settle(claim, ...storedParts(result, input));
    return result;
  } catch (error) {
    if (error instanceof DomainError && isLasting(error)) {
      const { code, message, details } = error;
      await keys.settle(claim, JSON.stringify({ refusal: { code, message, ...details } }));
    } else {
      await keys.release(claim);
    }
    throw error;
  }
}

/** An answer as it is stored: the content, which may be large, apart, and not at all where the call has sent it. */
function storedParts(
  { value, version }: Result<unknown>,
  input: Record<string, unknown>,
): [answer: string, content: string | undefined] {
  const { content } = value as { content?: string };
  // Its place stays, so that the answer is the same to the byte when it is filled again.
  const rest = content === undefined ? value : { ...(value as object), content: "" };
  return [JSON.stringify({ value: rest, version }), input["content"] === undefined ? content : undefined];
}

/**
 * Whether a repetition would be refused again. What failed, came too often or found no room may go well the next
 * time; and that this caller may no more says nothing of the next one with the same key.
 */
const isLasting = ({ code }: DomainError): boolean =>
  ERRORS[code].status < 500 && ERRORS[code].status !== 429 && !PASSING.has(code);

const PASSING: ReadonlySet<ErrorCode> = new Set([
  "credentials_invalid",
  "role_forbidden",
  "canceled",
  "ai_refused",
  "quota_exceeded",
]);
