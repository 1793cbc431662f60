/**
 * What an organization may store. Triggers count what it has, in its own row (migrations, 0007_usage); a write that
 * adds to it holds its licence only where it stays within the quota, so two writers never share the last place.
 */
import { sql, type SQL } from "drizzle-orm";
import { DomainError } from "../../errors.ts";
import { utf8Length } from "../../lib/text.ts";
import type { Writer } from "./commit.ts";
import { articles } from "../articles/schema.ts";
import { organizations } from "./schema.ts";
import { jsonObject } from "./sql.ts";

/** `bytes` is of the texts of articles; as much again may be kept of contents in the answers of idempotent calls. */
export type StorageQuota = { readonly articles: number; readonly bytes: number; readonly contacts: number };

type Owner = Pick<Writer, "organizationId" | "quota">;

/** The texts of an article that count. Slug and locale are short: the number of articles bounds them. */
const TEXTS = ["title", "description", "coverUrl", "content"] as const;

type Texts = { readonly [Name in (typeof TEXTS)[number]]?: string | undefined };

const givenIn = (texts: Texts) => TEXTS.filter((name) => texts[name] !== undefined);

/** UTF-8 bytes of the texts that are given. */
export const bytesOf = (texts: Texts): number =>
  givenIn(texts).reduce((sum, name) => sum + utf8Length(texts[name] ?? ""), 0);

/** By how many bytes an update makes an article longer, in SQL beside the article's row; null where it gives no text. */
export function growthOf(texts: Texts): SQL | null {
  const names = givenIn(texts);
  if (names.length === 0) return null;
  const stored = names.map((name) => sql`octet_length(${articles[name]})`);
  return sql`(${bytesOf(texts)} - ${sql.join(stored, sql` - `)})`;
}

/** That the organization's row fulfils a condition. */
const organizationHas = ({ organizationId }: Owner, condition: SQL): SQL =>
  sql`exists (select 1 from ${organizations} where ${organizations.id} = ${organizationId} and ${condition})`;

/** That there is room for one more article with so many bytes of text. */
export const articleFits = (owner: Owner, bytes: number): SQL =>
  organizationHas(
    owner,
    sql`${organizations.articles} < ${owner.quota.articles} and ${organizations.articleBytes} + ${bytes} <= ${owner.quota.bytes}`,
  );

/** That an article may grow by so many bytes; what makes it no longer is allowed above the quota, too. */
export const growthFits = (owner: Owner, growth: SQL): SQL =>
  sql`(${growth} <= 0 or ${organizationHas(owner, sql`${organizations.articleBytes} + ${growth} <= ${owner.quota.bytes}`)})`;

/** That so many bytes of content may be kept with the answer of an idempotent call. */
export const answerFits = (owner: Owner, bytes: SQL | number): SQL =>
  sql`(${bytes} = 0 or ${organizationHas(owner, sql`${organizations.answerBytes} + ${bytes} <= ${owner.quota.bytes}`)})`;

/** That there is room for one more contact. */
export const contactFits = (owner: Owner): SQL =>
  organizationHas(owner, sql`${organizations.contacts} < ${owner.quota.contacts}`);

/** What an organization has stored. */
export type Usage = {
  readonly articles: number;
  readonly articleBytes: number;
  readonly answerBytes: number;
  readonly contacts: number;
};

/** The organization's {@link Usage} as JSON text: one column of a diagnosis. */
export const usageOf = ({ organizationId }: Owner): SQL<string> =>
  sql<string>`(select ${jsonObject({
    articles: organizations.articles,
    articleBytes: organizations.articleBytes,
    answerBytes: organizations.answerBytes,
    contacts: organizations.contacts,
  })} from ${organizations} where ${organizations.id} = ${organizationId})`;

/** What a write would add. */
export type Addition = { readonly [Name in keyof Usage]?: number | undefined };

/** The refusal of a write that would exceed the quota, from the usage that {@link usageOf} read; null where it fits. */
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

/** Rounded up: what is full never looks as if there were room. */
const mebibytes = (bytes: number): string => (Math.ceil((bytes / 1024 / 1024) * 10) / 10).toLocaleString("en");
