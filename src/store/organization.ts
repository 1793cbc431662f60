/**
 * An organization's store. It is closed over its organization and, for a pinned credential, over its
 * blog: no method takes either, and nothing outside this folder can reach a table.
 */
import * as articles from "./articles/articles.ts";
import * as audit from "./access/audit.ts";
import * as blogs from "./blogs/blogs.ts";
import type { Writer } from "./core/commit.ts";
import * as caller from "./access/caller.ts";
import * as contacts from "./blogs/contacts.ts";
import * as credentials from "./access/credentials.ts";
import * as deliveries from "./webhooks/deliveries.ts";
import * as generatedArticles from "./generation/articles.ts";
import * as generations from "./generation/generations.ts";
import * as invitations from "./people/invitations.ts";
import * as locales from "./articles/locales.ts";
import * as members from "./people/members.ts";
import * as organizations from "./people/organizations.ts";
import * as research from "./topics/research.ts";
import * as search from "./articles/search.ts";
import { requireStanding } from "./core/standing.ts";
import * as subscriptions from "./webhooks/subscriptions.ts";
import * as topicRefreshes from "./topics/refreshes.ts";
import * as topics from "./topics/topics.ts";

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
