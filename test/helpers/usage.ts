/** What an organization has stored: the service's counters, and the same values counted from its rows. */
import { env } from "cloudflare:workers";
import type { Usage } from "../../src/store/core/quota.ts";

const COUNTED = `select articles, article_bytes as articleBytes, answer_bytes as answerBytes, contacts
  from organizations where id = ?1`;

const RECOUNTED = `select (select count(*) from articles where organization_id = ?1) as articles,
  (select coalesce(sum(length(cast(title || description || cover_url || content as blob))), 0)
    from articles where organization_id = ?1) as articleBytes,
  (select coalesce(sum(length(cast(content as blob))), 0) from idempotency where organization_id = ?1) as answerBytes,
  (select count(*) from contacts where organization_id = ?1) as contacts`;

/** Returns both. They must be equal. */
export async function usageOf(organizationId: string): Promise<{ counted: Usage; recounted: Usage }> {
  const results = await env.DB.batch<Usage>(
    [COUNTED, RECOUNTED].map((query) => env.DB.prepare(query).bind(organizationId)),
  );
  const [counted, recounted] = results.map(({ results: [row] }) => row);
  if (counted === undefined || recounted === undefined) throw new Error("there is no such organization");
  return { counted, recounted };
}
