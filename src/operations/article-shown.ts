/** Read-only members of articles, in responses and as callers send them back (contract 2.4). */
import { addressOf } from "../domain/site.ts";
import { DomainError } from "../domain/errors.ts";
import type { Page } from "../store/core/paging.ts";
import type { OrganizationStore } from "../store/organization.ts";
import { type ArticleMember, type ArticlePart, wholeArticle } from "./article-members.ts";
import { readOnly } from "./fields.ts";

export const readOnlyInUpdate = {
  ...readOnly,
  description: "Read-only: accepted in an update if it equals the stored value.",
};

const {
  schedule,
  workingCopy,
  origin,
  createdBy,
  lastEditedBy,
  html,
  text,
  excerpt,
  readingMinutes,
  headings,
  rendering,
  url,
} = wholeArticle.shape;

export const shownInUpdate = {
  schedule: schedule.optional().meta(readOnlyInUpdate),
  workingCopy: workingCopy.optional().meta(readOnlyInUpdate),
  origin: origin.optional().meta(readOnlyInUpdate),
  createdBy: createdBy.optional().meta(readOnlyInUpdate),
  lastEditedBy: lastEditedBy.optional().meta(readOnlyInUpdate),
  html: html.optional().meta(readOnlyInUpdate),
  text: text.optional().meta(readOnlyInUpdate),
  excerpt: excerpt.optional().meta(readOnlyInUpdate),
  readingMinutes: readingMinutes.optional().meta(readOnlyInUpdate),
  headings: headings.optional().meta(readOnlyInUpdate),
  rendering: rendering.optional().meta(readOnlyInUpdate),
  url: url.optional().meta(readOnlyInUpdate),
};

type Shown = keyof typeof shownInUpdate;

const SHOWN = Object.keys(shownInUpdate) as Shown[];

/** Splits the read-only members off a request. */
export function withoutShown<Sent extends { readonly [Name in Shown]?: unknown }>(sent: Sent) {
  const shown = Object.fromEntries(SHOWN.map((name) => [name, sent[name]]));
  const rest = { ...sent };
  for (const name of SHOWN) delete rest[name];
  return { shown, rest: rest as Omit<Sent, Shown> };
}

/** Returns the read-only members of an article, or of a new one if there is no id. Throws `not_found`. */
export async function shownOf(
  store: Pick<OrganizationStore, "findArticle">,
  id: string | undefined,
  baseUrl: () => string,
): Promise<ArticlePart> {
  const fresh = { schedule: null, workingCopy: null, publishTime: null };
  if (id === undefined) return fresh;
  const found = await store.findArticle({
    idOrSlug: id,
    fields: ["_id", "publishTime", ...SHOWN],
  });
  if (found === null || found.value._id !== id.toLowerCase()) throw new DomainError("not_found");
  setAddress(found.value, baseUrl);
  return found.value;
}

/** Makes the URL of an article absolute, if it was read. Changes the value. */
export function setAddress(value: ArticlePart, baseUrl: () => string): void {
  if (value.url !== undefined) value.url = addressOf(value.url, baseUrl);
}

/** Makes the URLs of a page absolute, if they were requested. Changes the values. */
export function addressed<P extends Page<ArticlePart>>(
  page: P,
  asked: readonly ArticleMember[] | undefined,
  baseUrl: () => string,
): P {
  if (asked?.includes("url")) for (const { value } of page.items) setAddress(value, baseUrl);
  return page;
}

/** Returns a text that changes with the members that can change without a new version; undefined if none was read. */
export function stateOf(part: ArticlePart): string | undefined {
  const { schedule, workingCopy, tags, authors, createdBy, lastEditedBy } = part;
  const { html, text, excerpt, readingMinutes, headings, rendering, url } = part;
  const made = [html, text, excerpt, readingMinutes, headings, rendering, url];
  const shown = [schedule, workingCopy, tags, authors, createdBy, lastEditedBy, ...made];
  return shown.every((part) => part === undefined) ? undefined : JSON.stringify(shown);
}
