/** Runs operations for all callers. Authorization, validation and idempotency happen here and nowhere else. */
import type { z } from "zod";
import {
  DomainError,
  getErrorKind,
  invalidFields,
  type ErrorCode,
  type FieldError,
  type RefusalDetails,
} from "../domain/errors.ts";
import { wordFieldMessage, wordUnknown } from "./field-messages.ts";
import { newId } from "../lib/ids.ts";
import { sha256 } from "../lib/hash.ts";
import { LIMITS } from "../domain/limits.ts";
import { includesGrant, type OrganizationPrincipal, type Principal } from "../domain/principal.ts";
import { seal, unseal } from "../lib/seal.ts";
import type { IdempotencyClaim } from "../store/core/writer.ts";
import type { IdempotencyState } from "../store/core/idempotency.ts";
import type { OrganizationStore } from "../store/organization.ts";
import type { OrganizationContext, Operation, Result, Services, SharedContext } from "./define.ts";

export type Call = {
  readonly principal: Principal;
  readonly shared: SharedContext;
  readonly services: () => Services;
  readonly openStore: (
    principal: OrganizationPrincipal,
    effect: Operation["effect"],
    idempotency?: IdempotencyClaim,
  ) => Promise<OrganizationStore>;
  readonly idempotency: (principal: OrganizationPrincipal, effect: Operation["effect"]) => Promise<IdempotencyKeys>;
  readonly idempotencyKey?: string | undefined;
  /** Whether the caller is told of steps. */
  readonly follows: boolean;
  /** A secret that only the caller knows. It encrypts stored responses that contain a secret. */
  readonly callerSecret: string;
  /** Runs an operation of this name in a span of the trace, if there is one. */
  readonly trace: <T>(principal: OrganizationPrincipal, name: string, work: () => T) => T;
};

type IdempotencyKeys = {
  begin(key: string, fingerprint: string): Promise<IdempotencyState>;
  settle(claim: IdempotencyClaim, answer: string, content?: string): Promise<void>;
  renew(claim: IdempotencyClaim): Promise<void>;
  release(claim: IdempotencyClaim): Promise<void>;
};

export type Answer = Result<unknown> & {
  /** The stored response of an earlier call with the same Idempotency-Key. */
  readonly replayed?: true;
};

/**
 * Runs an operation and returns its result. Throws a `DomainError` if the call is refused. Calls `input` only after the
 * caller is authorized, so that others cannot make the service read a body.
 */
export async function invoke(operation: Operation, call: Call, input: () => Promise<unknown>): Promise<Answer> {
  const { principal } = call;
  if (principal.kind === "anonymous") {
    if (!operation.anonymous) throw new DomainError("credentials_missing");
    return operation.run(
      { ...makeBaseContext(call), principal, store: null },
      validate(operation.input, await input()),
    );
  }
  authorize(operation, principal);
  const parsed = validate(operation.input, await input());
  authorize({ scope: operation.scopeOf?.(parsed) ?? null }, principal);
  checkPin(operation, principal, parsed);
  // RFC 9110, 13.1.1: a resource without a version matches no If-Match.
  if (operation.effect !== "read" && call.shared.ifMatch !== undefined && !operation.versioned) {
    throw new DomainError("precondition_failed");
  }
  const checked = { operation, call, principal, input: parsed };
  const made = operation.makesKey && call.follows ? newId() : undefined;
  const key = operation.effect === "read" ? undefined : (call.idempotencyKey ?? made);
  return call.trace(principal, operation.name, async () => (key === undefined ? run(checked) : runOnce(checked, key)));
}

/**
 * Throws if the caller may not run an operation: `role_forbidden` for a person, `operator_required` if only operators
 * may, otherwise `scope_missing`. Surfaces call this only if they read input themselves.
 */
export function authorize({ scope }: Pick<Operation, "scope">, principal: OrganizationPrincipal): void {
  if (scope === null || includesGrant(principal.grants, scope)) return;
  if (principal.kind === "user") throw new DomainError("role_forbidden");
  if (scope === "operator") throw new DomainError("operator_required");
  // An operation on drafts does more for who may write articles, so its caller is told of that scope.
  const full = scope === "articles:draft" ? "articles:write" : scope;
  const also = full === scope ? "" : ` For drafts only, ${scope} is enough.`;
  throw new DomainError("scope_missing", `This needs the scope ${full}.${also}`, { scopes: [full] });
}

/** Parses input. Throws `invalid_request`, which lists the invalid fields. */
export function validate<Schema extends z.ZodObject>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input, { error: wordFieldMessage });
  if (parsed.success) return parsed.data;
  throw invalidFields(listFieldErrors(parsed.error.issues, Object.keys(schema.shape)));
}

/** Returns at most `LIMITS.fieldErrors` errors. `fields` are those of the input itself. */
function listFieldErrors(issues: readonly z.core.$ZodIssue[], fields: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  const ofWrongType = new Set<string>();
  for (const issue of issues.slice(0, LIMITS.fieldErrors)) {
    const path = issue.path.map(String);
    // A value of the wrong type gets no second message, for example about its length.
    if (ofWrongType.has(joinPath(path))) continue;
    if (issue.code === "invalid_type") ofWrongType.add(joinPath(path));
    if (issue.code === "unrecognized_keys") {
      const keys = issue.keys.slice(0, LIMITS.fieldErrors);
      const known = path.length === 0 ? fields : [];
      errors.push(
        ...keys.map((key) => ({ path: joinPath([...path, key]), message: wordUnknown("field", key, known) })),
      );
    } else {
      errors.push({ path: joinPath(path), message: issue.message });
    }
  }
  return errors.slice(0, LIMITS.fieldErrors);
}

const joinPath = (parts: readonly string[]): string => parts.join(".").slice(0, LIMITS.fieldPath);

/**
 * Throws `blog_forbidden` if a pinned credential names another blog (contract 1.5). Operations without a scope are
 * exempt: they return only public data or data about the caller.
 */
function checkPin(operation: Operation, principal: OrganizationPrincipal, input: Record<string, unknown>): void {
  if (principal.pinnedBlogId === null || operation.scope === null) return;
  const { blogId } = input;
  if (typeof blogId === "string" && blogId !== principal.pinnedBlogId) throw new DomainError("blog_forbidden");
}

const makeBaseContext = (call: Call) => ({
  ...call.shared,
  seal: (text: string) => seal(getSealingSecret(call), text),
});

function makeContext(call: Call, principal: OrganizationPrincipal, store: OrganizationStore): OrganizationContext {
  const services = async () => {
    await store.requireAuthorized();
    return call.services();
  };
  return { ...makeBaseContext(call), principal, store, services };
}

/** Encrypts the stored response of this call. */
const getSealingSecret = ({ callerSecret, idempotencyKey }: Call): string => `${callerSecret}\n${idempotencyKey}`;

/** An authorized call with its parsed input. */
type Checked = {
  readonly operation: Operation;
  readonly call: Call;
  readonly principal: OrganizationPrincipal;
  readonly input: Record<string, unknown>;
};

const getEffect = ({ effect, effectOf }: Operation, input: Checked["input"]) => effectOf?.(input) ?? effect;

/** With a claim, the commit of the operation stores the response for the Idempotency-Key. */
async function run({ operation, call, principal, input }: Checked, claim?: IdempotencyClaim): Promise<Result<unknown>> {
  const store = await call.openStore(principal, getEffect(operation, input), operation.writesMany ? undefined : claim);
  return operation.run(makeContext(call, principal, store), input);
}

/** Runs an operation, or returns the stored response of the earlier call with this Idempotency-Key. */
async function runOnce(checked: Checked, key: string): Promise<Answer> {
  const { operation, call, principal, input } = checked;
  if (key.length === 0 || key.length > LIMITS.idempotencyKey) {
    throw new DomainError("invalid_request", `An Idempotency-Key must have 1 to ${LIMITS.idempotencyKey} characters.`);
  }
  const keys = await call.idempotency(principal, getEffect(operation, input));
  // Only the same caller can decrypt a sealed response, so the same request of another caller counts as different.
  const sealedFor = operation.showsSecret ? call.callerSecret : "";
  const asked = [operation.name, input, call.shared.ifMatch ?? null, principal.pinnedBlogId, sealedFor];
  const state = await keys.begin(key, await sha256(JSON.stringify(asked)));
  switch (state.kind) {
    case "running":
      throw new DomainError("idempotency_in_progress", undefined, { retryAfterSeconds: 1 });
    case "reused":
      throw new DomainError("idempotency_key_reused");
    case "answered":
      return replay(checked, state);
    case "claimed":
      return runWithRenewal(operation, keys, state.claim, () =>
        runAndSettle(keys, state.claim, input, () => run(checked, state.claim)),
      );
  }
}

type StoredState = Extract<IdempotencyState, { kind: "answered" }>;
type StoredAnswer = Result<unknown> & {
  readonly refusal?: { readonly code: ErrorCode; readonly message: string } & RefusalDetails;
};

/** Returns the stored response, or throws the stored error. The content may be that of this call's input. */
async function replay({ operation, call, input }: Checked, { answer, content }: StoredState): Promise<Answer> {
  const isSealed = operation.showsSecret && !answer.startsWith("{");
  const text = isSealed ? await unseal(getSealingSecret(call), answer) : answer;
  const { refusal, ...result } = JSON.parse(text) as StoredAnswer;
  const shown = content ?? input["content"];
  if (refusal === undefined && shown !== undefined) Object.assign(result.value as object, { content: shown });
  if (refusal === undefined) return { ...result, replayed: true };
  const { code, message, ...details } = refusal;
  throw new DomainError(code, message, { ...details, replayed: true });
}

/** Shorter than the lease of a claim (idempotency.ts). */
const RENEWAL_MS = 20_000;

/** Runs the work. Renews the claim of a long operation until it ends. */
async function runWithRenewal<T>(
  operation: Operation,
  keys: IdempotencyKeys,
  claim: IdempotencyClaim,
  work: () => Promise<T>,
): Promise<T> {
  if (!operation.lengthy) return work();
  // The next renewal may succeed. If the claim is lost, the commit fails.
  const timer = setInterval(() => void keys.renew(claim).catch(() => undefined), RENEWAL_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/**
 * Runs the work under a claim. Commits store their own response. This stores the response of a write without a commit,
 * and lasting errors; after other errors, it releases the claim.
 */
async function runAndSettle(
  keys: IdempotencyKeys,
  claim: IdempotencyClaim,
  input: Record<string, unknown>,
  work: () => Promise<Result<unknown>>,
): Promise<Answer> {
  try {
    const { uncommitted, ...result } = await work();
    if (uncommitted) await keys.settle(claim, ...splitAnswer(result, input));
    return result;
  } catch (error) {
    if (error instanceof DomainError && isLasting(error)) {
      const { code, message, details } = error;
      await keys.settle(claim, JSON.stringify({ refusal: { code, message, ...details } }));
    } else {
      // The caller must see the error of the work. A claim that remains ends with its lease.
      await keys.release(claim).catch(() => undefined);
    }
    throw error;
  }
}

/**
 * Returns the JSON without the content, and the content, which may be large; undefined if there is none or the call has
 * sent it, because a repeated call sends it again.
 */
function splitAnswer(
  { value, version }: Result<unknown>,
  input: Record<string, unknown>,
): [answer: string, content: string | undefined] {
  const { content } = value as { content?: string };
  // Keep the field, so that the replayed response is identical to the byte.
  const rest = content === undefined ? value : { ...(value as object), content: "" };
  return [JSON.stringify({ value: rest, version }), input["content"] === undefined ? content : undefined];
}

/**
 * Returns whether an error is stored, because a repeated call would fail alike. A lost authorization is not stored:
 * another caller of the organization may use the same key.
 */
function isLasting({ code, details }: DomainError): boolean {
  const { status, passes = details.passes ?? code.endsWith("_limit") } = getErrorKind(code);
  return status < 500 && status !== 429 && !passes;
}
