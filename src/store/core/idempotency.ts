/** Idempotency-Keys. The first response is stored in the transaction of the change, and replayed for 24 hours. */
import { and, sql } from "drizzle-orm";
import { DomainError } from "../../domain/errors.ts";
import { newId } from "../../lib/ids.ts";
import { utf8Length } from "../../lib/text.ts";
import { DAY_MS } from "../../lib/time.ts";
import { isClaimed } from "./commit.ts";
import type { IdempotencyClaim, Writer } from "./writer.ts";
import { storeReliably } from "./lost-answers.ts";
import { answerFits, answersFit, checkQuota, selectUsage } from "./quota.ts";
import { idempotency } from "../../schema/core.ts";
import { builder, insertWhere, orm, runTransaction } from "./sql.ts";
import { findUnauthorizedError, isAuthorized } from "./standing.ts";

/** A claim without a response holds this long after its last renewal. Then a repeated call may take it over. */
const LEASE_MS = 60_000;

/**
 * What a call may do under its key. `claimed`: run the operation. `answered`: replay the stored response. `running`:
 * another call with the same request holds the key. `reused`: the key belongs to a different request.
 */
export type IdempotencyState =
  | { readonly kind: "claimed"; readonly claim: IdempotencyClaim }
  | { readonly kind: "answered"; readonly answer: string; readonly content: string | null }
  | { readonly kind: "running" }
  | { readonly kind: "reused" };

/** Returns the functions that claim, renew, settle and release the Idempotency-Keys of the writer's organization. */
export function openIdempotency(writer: Writer) {
  const { db, organizationId, now } = writer;
  const isHeld = (claim: IdempotencyClaim) => isClaimed(organizationId, claim);

  return {
    /**
     * Claims a key for one call. If another call has the key, returns the state of that call. Throws {@link
     * noLongerAuthorized}, because a caller without rights must not see a stored response, and `rate_limited` if the
     * organization's responses have used up their room. A claim whose response was lost is made again under the same
     * token.
     */
    async begin(key: string, fingerprint: string): Promise<IdempotencyState> {
      const token = newId();
      const time = now();
      const statements = {
        claiming: claimKey(writer, { key, fingerprint, token }, time),
        found: selectClaim(writer, key),
      };
      const [row] = (await storeReliably(() => runTransaction(db, statements))).found;
      if (row === undefined || row.standing === 0) throw await findUnauthorizedError(writer);
      // No call has the key, and this one could not claim it.
      if (row.token === null) throw makeNoRoomError(writer, row.usage ?? "{}");
      if (row.token === token) return { kind: "claimed", claim: { key, token } };
      if (row.fingerprint !== fingerprint) return { kind: "reused" };
      if (row.answer === null) return { kind: "running" };
      return { kind: "answered", answer: row.answer, content: row.content };
    },

    /**
     * Stores the response of a call that committed nothing: a refusal, or a change that was already in place. Stores
     * nothing if the claim is no longer held. Throws `quota_exceeded` if the quota has no room for `content`.
     */
    async settle(claim: IdempotencyClaim, answer: string, content?: string): Promise<void> {
      const answerBytes = utf8Length(content ?? "");
      const statements = {
        settled: builder
          .update(idempotency)
          .set({ answer, content: content ?? null })
          .where(and(isHeld(claim), answerFits(writer, answerBytes))),
        // Finds the row only if it still has no response, because the content did not fit into the quota.
        read: builder
          .select({ usage: selectUsage(writer).as("usage") })
          .from(idempotency)
          .where(isHeld(claim)),
      };
      const [unsettled] = (await storeReliably(() => runTransaction(db, statements))).read;
      const refusal = unsettled && checkQuota(writer, unsettled.usage, { answerBytes });
      if (refusal) throw refusal;
    },

    /** Renews the lease of a claim. A long call repeats this, so that no other call takes the claim over. */
    async renew(claim: IdempotencyClaim): Promise<void> {
      await orm(db).update(idempotency).set({ leaseTime: now().toISOString() }).where(isHeld(claim));
    },

    /** Releases the key after an unexpected error, so that a retry may run. Does nothing if the call has committed. */
    async release(claim: IdempotencyClaim): Promise<void> {
      await orm(db).delete(idempotency).where(isHeld(claim));
    },
  };
}

/** The call that holds a key. If there is none, `token` is null, and `standing` and `usage` say why. */
type Claimed = {
  readonly standing: number;
  readonly token: string | null;
  readonly fingerprint: string;
  readonly answer: string | null;
  readonly content: string | null;
  readonly usage: string | null;
};

const selectClaim = (writer: Writer, key: string) =>
  sql<Claimed>`select ${isAuthorized(writer)} as "standing", ${idempotency.token} as "token",
      ${idempotency.fingerprint} as "fingerprint", ${idempotency.answer} as "answer", ${idempotency.content} as "content",
      case when ${idempotency.token} is null then ${selectUsage(writer)} end as "usage"
    from (select 1) left join ${idempotency}
      on ${idempotency.organizationId} = ${writer.organizationId} and ${idempotency.key} = ${key}`;

/** People get twice the room for stored responses, so that programs that use it up do not block the console. */
const getTimes = ({ actor }: Writer): number => (actor.kind === "user" ? 2 : 1);

/** Not `quota_exceeded`: stored responses are deleted after a day, so there is room again later. */
const makeNoRoomError = (writer: Writer, usage: string): DomainError =>
  new DomainError("rate_limited", checkQuota(writer, usage, { answerBytes: 1 }, getTimes(writer))?.message, {
    retryAfterSeconds: HOUR_SECONDS,
  });

const HOUR_SECONDS = 3600;

type NewClaim = { readonly key: string; readonly fingerprint: string; readonly token: string };

/** Claims a key that is new, older than 24 hours, or held by the same request with an expired lease and no response. */
function claimKey(writer: Writer, { key, fingerprint, token }: NewClaim, now: Date) {
  const time = now.toISOString();
  const dayAgo = new Date(now.getTime() - DAY_MS).toISOString();
  const leaseAgo = new Date(now.getTime() - LEASE_MS).toISOString();
  const { organizationId } = writer;
  const claim = { fingerprint, token, creationTime: time, leaseTime: time };
  return insertWhere(
    idempotency,
    { organizationId, key, ...claim },
    sql`where ${isAuthorized(writer)} and ${answersFit(writer, getTimes(writer))}`,
  ).onConflictDoUpdate({
    target: [idempotency.organizationId, idempotency.key],
    set: { ...claim, answer: null, content: null },
    setWhere: sql`${idempotency.creationTime} < ${dayAgo} or (${idempotency.answer} is null
        and ${idempotency.leaseTime} < ${leaseAgo} and ${idempotency.fingerprint} = ${fingerprint})`,
  });
}
