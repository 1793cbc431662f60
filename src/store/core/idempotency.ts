/** Idempotency-Keys: the first answer is stored with the change itself, and replayed for 24 hours. */
import { sql } from "drizzle-orm";
import { newId } from "../../lib/ids.ts";
import { utf8Length } from "../../lib/text.ts";
import { DAY_MS } from "../../lib/time.ts";
import { isClaimed, type IdempotencyClaim, type Writer } from "./commit.ts";
import { answerFits, quotaRefusal, usageOf } from "./quota.ts";
import { idempotency } from "./schema.ts";
import { prepare, transaction } from "./sql.ts";
import { fallen, standing } from "./standing.ts";

/** A call that committed nothing in this time has failed; a repetition may take its place. */
const LEASE_MS = 60_000;

export type IdempotencyState =
  | { readonly kind: "claimed"; readonly claim: IdempotencyClaim }
  | { readonly kind: "answered"; readonly answer: string; readonly content: string | null }
  | { readonly kind: "running" }
  | { readonly kind: "reused" };

type Found = {
  readonly standing: number;
  readonly fingerprint: string;
  readonly answer: string | null;
  readonly content: string | null;
};

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
      const stands = standing(writer);
      const dayAgo = new Date(time.getTime() - DAY_MS).toISOString();
      const leaseAgo = new Date(time.getTime() - LEASE_MS).toISOString();
      const { claimed, found } = await transaction(db, {
        claimed: sql`insert into ${idempotency} (organization_id, key, fingerprint, token, creation_time, lease_time)
          select ${organizationId}, ${key}, ${fingerprint}, ${token}, ${time.toISOString()}, ${time.toISOString()}
          where ${stands}
          on conflict (organization_id, key) do update set fingerprint = excluded.fingerprint, token = excluded.token,
            answer = null, content = null, creation_time = excluded.creation_time, lease_time = excluded.lease_time
          where creation_time < ${dayAgo}
            or (answer is null and lease_time < ${leaseAgo} and fingerprint = excluded.fingerprint)
          returning token`,
        found: sql<Found>`select ${stands} as "standing", fingerprint, answer, content from ${idempotency}
          where organization_id = ${organizationId} and key = ${key}`,
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
        settled: sql`update ${idempotency} set answer = ${answer}, content = ${content ?? null}
          where ${of(claim)} and ${answerFits(writer, answerBytes)}`,
        // Where the claim is still without an answer, it did not fit.
        read: sql<{ usage: string }>`select ${usageOf(writer)} as "usage" from ${idempotency} where ${of(claim)}`,
      });
      const [unsettled] = read;
      const refusal = unsettled && quotaRefusal(writer, unsettled.usage, { answerBytes });
      if (refusal) throw refusal;
    },

    /** Keeps a claim from running out while its call is still at work. */
    async renew(claim: IdempotencyClaim): Promise<void> {
      await prepare(db, sql`update ${idempotency} set lease_time = ${now().toISOString()} where ${of(claim)}`).run();
    },

    /** Gives the key back after a failure of the service, unless the call committed after all. */
    async release(claim: IdempotencyClaim): Promise<void> {
      await prepare(db, sql`delete from ${idempotency} where ${of(claim)}`).run();
    },
  };
}
