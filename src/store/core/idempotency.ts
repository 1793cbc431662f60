/** Idempotency-Keys: the first answer is stored with the change itself, and replayed for 24 hours. */
import { and, eq, sql } from "drizzle-orm";
import { newId } from "../../lib/ids.ts";
import { utf8Length } from "../../lib/text.ts";
import { DAY_MS } from "../../lib/time.ts";
import { isClaimed, type IdempotencyClaim, type Writer } from "./commit.ts";
import { answerFits, quotaRefusal, usageOf } from "./quota.ts";
import { idempotency } from "./schema.ts";
import { insertWhere, orm, transaction } from "./sql.ts";
import { fallen, standing } from "./standing.ts";

/** A call that committed nothing in this time has failed; a repetition may take its place. */
const LEASE_MS = 60_000;

export type IdempotencyState =
  | { readonly kind: "claimed"; readonly claim: IdempotencyClaim }
  | { readonly kind: "answered"; readonly answer: string; readonly content: string | null }
  | { readonly kind: "running" }
  | { readonly kind: "reused" };

/** The idempotency methods of an organization's store. */
export function organizationIdempotency(writer: Writer) {
  const { db, organizationId, now } = writer;
  const of = (claim: IdempotencyClaim) => isClaimed(organizationId, claim);

  return {
    /**
     * Claims a key for one call, or says what became of the call that has it. Throws, and claims nothing, where the
     * caller is no longer authorized: an answer that was stored is not for them.
     */
    async begin(key: string, fingerprint: string): Promise<IdempotencyState> {
      const token = newId();
      const time = now();
      const { claimed, found } = await transaction(db, {
        claimed: claiming(writer, { key, fingerprint, token }, time),
        found: orm(db)
          .select({
            standing: sql<number>`${standing(writer)}`.as("standing"),
            fingerprint: idempotency.fingerprint,
            answer: idempotency.answer,
            content: idempotency.content,
          })
          .from(idempotency)
          .where(and(eq(idempotency.organizationId, organizationId), eq(idempotency.key, key))),
      });
      const [row] = found;
      // Without a row nothing has claimed the key, nor could this call.
      if (row === undefined || row.standing === 0) throw fallen(writer);
      if (claimed.length > 0) return { kind: "claimed", claim: { key, token } };
      if (row.fingerprint !== fingerprint) return { kind: "reused" };
      if (row.answer === null) return { kind: "running" };
      return { kind: "answered", answer: row.answer, content: row.content };
    },

    /**
     * Stores the answer of a call that committed nothing: a refusal, or that there was nothing to change. Throws
     * `quota_exceeded` where there is no room for its content.
     */
    async settle(claim: IdempotencyClaim, answer: string, content?: string): Promise<void> {
      const answerBytes = utf8Length(content ?? "");
      const { read } = await transaction(db, {
        settled: orm(db)
          .update(idempotency)
          .set({ answer, content: content ?? null })
          .where(and(of(claim), answerFits(writer, answerBytes))),
        // Where the claim is still without an answer, it did not fit.
        read: orm(db)
          .select({ usage: usageOf(writer).as("usage") })
          .from(idempotency)
          .where(of(claim)),
      });
      const [unsettled] = read;
      const refusal = unsettled && quotaRefusal(writer, unsettled.usage, { answerBytes });
      if (refusal) throw refusal;
    },

    /** Keeps a claim from running out while its call is still at work. */
    async renew(claim: IdempotencyClaim): Promise<void> {
      await orm(db).update(idempotency).set({ leaseTime: now().toISOString() }).where(of(claim));
    },

    /** Gives the key back after a failure of the service, unless the call committed after all. */
    async release(claim: IdempotencyClaim): Promise<void> {
      await orm(db).delete(idempotency).where(of(claim));
    },
  };
}

type NewClaim = { readonly key: string; readonly fingerprint: string; readonly token: string };

/** Takes a key for a call: a new one, one whose day is over, or one of the same request that nobody works on. */
function claiming(writer: Writer, { key, fingerprint, token }: NewClaim, now: Date) {
  const time = now.toISOString();
  const dayAgo = new Date(now.getTime() - DAY_MS).toISOString();
  const leaseAgo = new Date(now.getTime() - LEASE_MS).toISOString();
  const { db, organizationId } = writer;
  const claim = { fingerprint, token, creationTime: time, leaseTime: time };
  return insertWhere(db, idempotency, { organizationId, key, ...claim }, sql`where ${standing(writer)}`)
    .onConflictDoUpdate({
      target: [idempotency.organizationId, idempotency.key],
      set: { ...claim, answer: null, content: null },
      setWhere: sql`${idempotency.creationTime} < ${dayAgo} or (${idempotency.answer} is null
        and ${idempotency.leaseTime} < ${leaseAgo} and ${idempotency.fingerprint} = ${fingerprint})`,
    })
    .returning({ token: idempotency.token });
}
