/** All operations. The surfaces, the documentation and the tenancy tests use this list. */
import type { Operation } from "./define.ts";
import * as articles from "./articles.ts";
import * as audit from "./audit.ts";
import * as blogs from "./blogs.ts";
import * as bulk from "./bulk.ts";
import * as caller from "./caller.ts";
import * as contacts from "./contacts.ts";
import * as credentials from "./credentials.ts";
import * as deletions from "./deletions.ts";
import * as deliveries from "./deliveries.ts";
import * as drafts from "./drafts.ts";
import * as embeds from "./embeds.ts";
import * as assist from "./generation/assist.ts";
import * as generate from "./generation/generate.ts";
import * as generations from "./generation/generations.ts";
import * as hosts from "./hosts.ts";
import * as imports from "./imports.ts";
import * as invitations from "./invitations.ts";
import * as media from "./media.ts";
import * as members from "./members.ts";
import * as movedSlugs from "./moved-slugs.ts";
import * as organization from "./organization.ts";
import * as previews from "./previews.ts";
import * as readerSearch from "./reader-search.ts";
import * as redirects from "./redirects.ts";
import * as research from "./research.ts";
import * as revisions from "./revisions.ts";
import * as revocations from "./revocations.ts";
import * as schedules from "./schedules.ts";
import * as search from "./search.ts";
import * as sites from "./sites.ts";
import * as terms from "./terms.ts";
import * as topics from "./topics.ts";
import * as usage from "./usage.ts";
import * as webhooksubscriptions from "./webhooksubscriptions.ts";

const modules = {
  ...articles,
  ...audit,
  ...blogs,
  ...bulk,
  ...caller,
  ...contacts,
  ...credentials,
  ...deletions,
  ...deliveries,
  ...drafts,
  ...embeds,
  ...assist,
  ...generate,
  ...generations,
  ...hosts,
  ...imports,
  ...invitations,
  ...media,
  ...members,
  ...movedSlugs,
  ...organization,
  ...previews,
  ...readerSearch,
  ...redirects,
  ...research,
  ...revisions,
  ...revocations,
  ...schedules,
  ...search,
  ...sites,
  ...terms,
  ...topics,
  ...usage,
  ...webhooksubscriptions,
};

type Modules = typeof modules;

export const registry = Object.fromEntries(
  Object.entries(modules).filter(([, value]) => typeof value === "object" && "anonymous" in value && "run" in value),
) as { readonly [Name in keyof Modules as Modules[Name] extends Operation ? Name : never]: Modules[Name] };
