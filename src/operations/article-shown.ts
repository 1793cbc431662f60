/** Read-only members of articles, in responses and as callers send them back (contract 2.4). */
import { pick } from "../lib/pick.ts";
import { toPublicOrigin } from "../domain/origin.ts";
import { toAbsoluteUrl } from "../domain/site.ts";
import { DomainError } from "../domain/errors.ts";
import type { Page } from "../store/core/paging.ts";
import type { OrganizationStore } from "../store/organization.ts";
import { type ArticleMember, type ArticlePart, wholeArticle } from "./article-members.ts";
import { readOnly, readOnlyMembers } from "./fields.ts";

export const readOnlyInUpdate = {
  ...readOnly,
  description: "Read-only: accepted in an update if it equals the stored value.",
};

const SHOWN = [
  "schedule",
  "workingCopy",
  "origin",
  "createdBy",
  "lastEditedBy",
  "html",
  "text",
  "excerpt",
  "readingMinutes",
  "headings",
  "rendering",
  "url",
] as const satisfies ArticleMember[];

type Shown = (typeof SHOWN)[number];

export const shownInUpdate = readOnlyMembers(pick(wholeArticle.shape, SHOWN), readOnlyInUpdate);

export function splitShown<Sent extends { readonly [Name in Shown]?: unknown }>(sent: Sent) {
  const shown = Object.fromEntries(SHOWN.map((name) => [name, sent[name]]));
  const rest = { ...sent };
  for (const name of SHOWN) delete rest[name];
  return { shown, rest: rest as Omit<Sent, Shown> };
}

/** Returns the read-only members of an article, or of a new one if there is no id. Throws `not_found`. */
export async function readShown(
  store: Pick<OrganizationStore, "findArticle">,
  id: string | undefined,
  baseUrl: () => string,
): Promise<{ readonly value: ArticlePart; readonly version?: string }> {
  if (id === undefined) return { value: { schedule: null, workingCopy: null, publishTime: null } };
  const found = await store.findArticle({ idOrSlug: id, fields: ["_id", "publishTime", ...SHOWN] });
  if (found === null || found.value._id !== id.toLowerCase()) throw new DomainError("not_found");
  setAddress(found.value, baseUrl);
  return found;
}

/** Makes the URL of an article absolute, if it was read. Changes the value. */
export function setAddress(value: ArticlePart, baseUrl: () => string): void {
  if (value.url !== undefined) value.url = toAbsoluteUrl(value.url, baseUrl);
}

/** Makes the URLs of a page absolute, if they were requested. Changes the values. */
export function setAddresses<P extends Page<ArticlePart>>(
  page: P,
  asked: readonly ArticleMember[] | undefined,
  baseUrl: () => string,
): P {
  if (asked?.includes("url")) for (const { value } of page.items) setAddress(value, baseUrl);
  return page;
}

/** Leaves out of an origin, if it was read, what only callers with credentials may know. Changes the value. */
export function hideNames(value: ArticlePart): void {
  if (value.origin !== undefined) value.origin = toPublicOrigin(value.origin);
}

/** Members that can change without a new version of the article. Its origin cannot. */
const UNVERSIONED: ReadonlySet<ArticleMember> = new Set<ArticleMember>([
  ...SHOWN.filter((member) => member !== "origin"),
  "tags",
  "authors",
]);

/** Returns a text that changes with the requested members that can change without a new version; undefined if there are none. */
export function toState(part: ArticlePart, asked: readonly ArticleMember[] | undefined): string | undefined {
  const members = asked?.filter((member) => UNVERSIONED.has(member)) ?? [];
  return members.length === 0 ? undefined : JSON.stringify(members.map((member) => part[member]));
}
