/** Idempotency-Keys. The first response is stored in the transaction of the change, and replayed for 24 hours. */
import { and, eq, sql } from "drizzle-orm";
import { newId } from "../../lib/ids.ts";
import { utf8Length } from "../../lib/text.ts";
import { DAY_MS } from "../../lib/time.ts";
import { isClaimed, type IdempotencyClaim, type Writer } from "./commit.ts";
import { storeSurely } from "./lost-answers.ts";
import { answerFits, quotaRefusal, usageOf } from "./quota.ts";
import { idempotency } from "./schema.ts";
import { insertWhere, orm, transaction } from "./sql.ts";
import { noLongerAuthorized, standing } from "./standing.ts";

/** A claim without a response holds for this time after its last renewal. Then a repeated call may take it over. */
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
export function organizationIdempotency(writer: Writer) {
  const { db, organizationId, now } = writer;
  const of = (claim: IdempotencyClaim) => isClaimed(organizationId, claim);

  return {
    /**
     * Claims a key for one call. If another call has the key, returns the state of that call. Throws
     * {@link noLongerAuthorized}, and claims nothing, if that is so of the caller: they must not see a stored response
     * either. A claim whose answer was lost is made again under the same token.
     */
    async begin(key: string, fingerprint: string): Promise<IdempotencyState> {
      const token = newId();
      const time = now();
      const statements = {
        claiming: claiming(writer, { key, fingerprint, token }, time),
        found: claimed(writer, key),
      };
      const [row] = (await storeSurely(() => transaction(db, statements))).found;
      // No row: no call has the key, and this one could not claim it, because its caller is not authorized.
      if (row === undefined || row.standing === 0) throw noLongerAuthorized(writer);
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
        settled: orm(db)
          .update(idempotency)
          .set({ answer, content: content ?? null })
          .where(and(of(claim), answerFits(writer, answerBytes))),
        // Finds the row only if it still has no response: then the content did not fit into the quota.
        read: orm(db)
          .select({ usage: usageOf(writer).as("usage") })
          .from(idempotency)
          .where(of(claim)),
      };
      const [unsettled] = (await storeSurely(() => transaction(db, statements))).read;
      const refusal = unsettled && quotaRefusal(writer, unsettled.usage, { answerBytes });
      if (refusal) throw refusal;
    },

    /** Renews the lease of a claim. A call that takes long repeats this, so that no other call takes the claim over. */
    async renew(claim: IdempotencyClaim): Promise<void> {
      await orm(db).update(idempotency).set({ leaseTime: now().toISOString() }).where(of(claim));
    },

    /** Releases the key after an unexpected error, so that a retry may run. Does nothing if the call has committed. */
    async release(claim: IdempotencyClaim): Promise<void> {
      await orm(db).delete(idempotency).where(of(claim));
    },
  };
}

/** Returns the query of the call that has a key, and of whether this caller is authorized. */
const claimed = (writer: Writer, key: string) =>
  orm(writer.db)
    .select({
      standing: sql<number>`${standing(writer)}`.as("standing"),
      token: idempotency.token,
      fingerprint: idempotency.fingerprint,
      answer: idempotency.answer,
      content: idempotency.content,
    })
    .from(idempotency)
    .where(and(eq(idempotency.organizationId, writer.organizationId), eq(idempotency.key, key)));

type NewClaim = { readonly key: string; readonly fingerprint: string; readonly token: string };

/**
 * Returns the statement that claims a key for a call. It does so only if the key is new, or older than 24 hours, or held
 * by a call with the same request whose lease has run out without a response.
 */
function claiming(writer: Writer, { key, fingerprint, token }: NewClaim, now: Date) {
  const time = now.toISOString();
  const dayAgo = new Date(now.getTime() - DAY_MS).toISOString();
  const leaseAgo = new Date(now.getTime() - LEASE_MS).toISOString();
  const { db, organizationId } = writer;
  const claim = { fingerprint, token, creationTime: time, leaseTime: time };
  return insertWhere(
    db,
    idempotency,
    { organizationId, key, ...claim },
    sql`where ${standing(writer)}`,
  ).onConflictDoUpdate({
    target: [idempotency.organizationId, idempotency.key],
    set: { ...claim, answer: null, content: null },
    setWhere: sql`${idempotency.creationTime} < ${dayAgo} or (${idempotency.answer} is null
        and ${idempotency.leaseTime} < ${leaseAgo} and ${idempotency.fingerprint} = ${fingerprint})`,
  });
}
