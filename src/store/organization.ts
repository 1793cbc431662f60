/**
 * An organization's store. It is closed over its organization and, for a pinned credential, over its
 * blog: no method takes either, and nothing outside this folder can reach a table.
 */
import * as articles from "./articles.ts";
import * as audit from "./audit.ts";
import * as blogs from "./blogs.ts";
import type { Writer } from "./commit.ts";
import * as caller from "./caller.ts";
import * as contacts from "./contacts.ts";
import * as credentials from "./credentials.ts";
import * as deliveries from "./deliveries.ts";
import * as generatedArticles from "./generated-articles.ts";
import * as generations from "./generations.ts";
import * as invitations from "./invitations.ts";
import * as locales from "./locales.ts";
import * as members from "./members.ts";
import * as organizations from "./organizations.ts";
import * as research from "./research.ts";
import * as search from "./search.ts";
import { requireStanding } from "./standing.ts";
import * as subscriptions from "./subscriptions.ts";
import * as topicRefreshes from "./topic-refreshes.ts";
import * as topics from "./topics.ts";

const methods = {
  ...articles,
  ...audit,
  ...blogs,
  ...caller,
  ...contacts,
  ...credentials,
  ...deliveries,
  ...generatedArticles,
  ...generations,
  ...invitations,
  ...locales,
  ...members,
  ...organizations,
  ...research,
  ...search,
  requireStanding,
  ...subscriptions,
  ...topicRefreshes,
  ...topics,
};

type Methods = typeof methods;
type Bound<F> = F extends (writer: Writer, ...rest: infer Rest) => infer Answer ? (...rest: Rest) => Answer : never;

/** Every function of the resources, without its first parameter. */
export type OrganizationStore = { readonly [Name in keyof Methods]: Bound<Methods[Name]> };

/** Opens the store of the writer's organization. */
export function openOrganizationStore(writer: Writer): OrganizationStore {
  const bound = Object.entries(methods).map(([name, method]) => [
    name,
    (...rest: unknown[]) => (method as (...all: unknown[]) => unknown)(writer, ...rest),
  ]);
  return Object.fromEntries(bound) as OrganizationStore;
}
