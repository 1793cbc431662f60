/**
 * Storage quotas of organizations. Triggers count what an organization stores, in its own row (migrations, 0007_usage).
 * A write that adds something gets its licence only if the result stays within the quota. This is checked inside the
 * transaction, so two concurrent writers never share the last free place.
 */
import { sql, type SQL } from "drizzle-orm";
import { DomainError } from "../../errors.ts";
import { utf8Length } from "../../lib/text.ts";
import type { Writer } from "./commit.ts";
import { articles } from "../articles/schema.ts";
import { organizations } from "./schema.ts";
import { jsonObject } from "./sql.ts";

/**
 * The most that an organization may store. `bytes` limits the UTF-8 bytes of the texts of all articles. The same number
 * limits, separately, the UTF-8 bytes of contents stored with the responses of idempotent calls.
 */
export type StorageQuota = { readonly articles: number; readonly bytes: number; readonly contacts: number };

type Owner = Pick<Writer, "organizationId" | "quota">;

/** The article fields whose bytes count. Slug and locale are short, so the limit on articles bounds them. */
const TEXTS = ["title", "description", "coverUrl", "content"] as const;

type Texts = { readonly [Name in (typeof TEXTS)[number]]?: string | undefined };

const givenIn = (texts: Texts) => TEXTS.filter((name) => texts[name] !== undefined);

/** Returns the sum of the UTF-8 bytes of the given texts. */
export const bytesOf = (texts: Texts): number =>
  givenIn(texts).reduce((sum, name) => sum + utf8Length(texts[name] ?? ""), 0);

/**
 * Returns by how many bytes an update makes an article longer, as an SQL expression on the article's row. Returns null
 * if the update contains no text.
 */
export function growthOf(texts: Texts): SQL | null {
  const names = givenIn(texts);
  if (names.length === 0) return null;
  const stored = names.map((name) => sql`octet_length(${articles[name]})`);
  return sql`(${bytesOf(texts)} - ${sql.join(stored, sql` - `)})`;
}

/** Returns the condition that the organization exists and its row meets `condition`. */
const organizationHas = ({ organizationId }: Owner, condition: SQL): SQL =>
  sql`exists (select 1 from ${organizations} where ${organizations.id} = ${organizationId} and ${condition})`;

/** Returns the condition that the quota has room for one more article with this many bytes of text. */
export const articleFits = (owner: Owner, bytes: number): SQL =>
  organizationHas(
    owner,
    sql`${organizations.articles} < ${owner.quota.articles} and ${organizations.articleBytes} + ${bytes} <= ${owner.quota.bytes}`,
  );

/**
 * Returns the condition that an article may grow by this many bytes. An update that does not make it longer is always
 * allowed, even if the organization is above its quota.
 */
export const growthFits = (owner: Owner, growth: SQL): SQL =>
  sql`(${growth} <= 0 or ${organizationHas(owner, sql`${organizations.articleBytes} + ${growth} <= ${owner.quota.bytes}`)})`;

/** Returns the condition that the response of an idempotent call may be stored with this many bytes of content. */
export const answerFits = (owner: Owner, bytes: SQL | number): SQL =>
  sql`(${bytes} = 0 or ${organizationHas(owner, sql`${organizations.answerBytes} + ${bytes} <= ${owner.quota.bytes}`)})`;

/** Returns the condition that the quota has room for one more contact. */
export const contactFits = (owner: Owner): SQL =>
  organizationHas(owner, sql`${organizations.contacts} < ${owner.quota.contacts}`);

/** How much an organization has stored. The `…Bytes` fields are UTF-8 bytes. */
export type Usage = {
  readonly articles: number;
  readonly articleBytes: number;
  readonly answerBytes: number;
  readonly contacts: number;
};

/** Returns an SQL expression for the organization's {@link Usage} as JSON text: one column of a diagnosis. */
export const usageOf = ({ organizationId }: Owner): SQL<string> =>
  sql<string>`(select ${jsonObject({
    articles: organizations.articles,
    articleBytes: organizations.articleBytes,
    answerBytes: organizations.answerBytes,
    contacts: organizations.contacts,
  })} from ${organizations} where ${organizations.id} = ${organizationId})`;

/** How much a write would add. */
export type Addition = { readonly [Name in keyof Usage]?: number | undefined };

/**
 * Returns the error `quota_exceeded` for a write that would exceed the quota, or null if it fits. `usage` is the JSON
 * text that {@link usageOf} read.
 */
export function quotaRefusal({ quota }: Owner, usage: string, added: Addition): DomainError | null {
  const used = JSON.parse(usage) as Usage;
  const most: Usage = {
    articles: quota.articles,
    articleBytes: quota.bytes,
    answerBytes: quota.bytes,
    contacts: quota.contacts,
  };
  const names = Object.keys(most) as (keyof Usage)[];
  const full = names.find((name) => (added[name] ?? 0) > 0 && used[name] + (added[name] ?? 0) > most[name]);
  if (full === undefined) return null;
  const shown = full.endsWith("Bytes") ? mebibytes : count;
  return new DomainError("quota_exceeded", REFUSALS[full](shown(used[full]), shown(most[full])));
}

const REFUSALS: Readonly<Record<keyof Usage, (used: string, most: string) => string>> = {
  articles: (used, most) => `The organization has ${used} of at most ${most} articles. Delete some first.`,
  articleBytes: (used, most) =>
    `The texts of the organization's articles take ${used} of at most ${most} MiB, and this one does not fit. Delete or shorten some first.`,
  answerBytes: (used, most) =>
    `The answers kept for Idempotency-Keys take ${used} of at most ${most} MiB; each is kept for a day. Send \`content\` along, or no Idempotency-Key.`,
  contacts: (used, most) =>
    `The organization has ${used} of at most ${most} contacts. Whoever runs the service can raise the limit.`,
};

const count = (number: number): string => number.toLocaleString("en");

/** Formats bytes as MiB with one decimal. Rounds up, so that a full quota never looks as if it had room. */
const mebibytes = (bytes: number): string => (Math.ceil((bytes / 1024 / 1024) * 10) / 10).toLocaleString("en");
