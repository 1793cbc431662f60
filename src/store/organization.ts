/**
 * The store of one organization, and of one blog if the credential is pinned. No method takes an organization as a
 * parameter. Code outside this folder cannot reach a table.
 */
import * as approvals from "./articles/approvals.ts";
import * as articles from "./articles/articles.ts";
import { createArticle } from "./articles/creating.ts";
import * as articleUpdates from "./articles/updating.ts";
import * as audit from "./access/audit.ts";
import * as blogs from "./blogs/blogs.ts";
import * as deletedBlogs from "./blogs/deleting.ts";
import type { Writer } from "./core/writer.ts";
import * as contacts from "./blogs/contacts.ts";
import * as editing from "./articles/editing.ts";
import * as erasing from "./blogs/erasing.ts";
import * as credentials from "./access/credentials.ts";
import {
  cancelDeletion,
  deleteUnchanged,
  setDeletionIfChanged,
  listDeletions,
  setDeletion,
} from "./articles/deletions.ts";
import { beginExport, exportRows } from "./export/export.ts";
import * as deliveries from "./webhooks/deliveries.ts";
import { findFeedPlace, readFeed } from "./webhooks/feed.ts";
import { readRoom, readTokensToday } from "./generation/ceiling.ts";
import * as generatedArticles from "./generation/articles.ts";
import { findProposable, storeProposal } from "./generation/proposals.ts";
import * as generations from "./generation/generations.ts";
import { findTurn, keepGeneration } from "./generation/keeping.ts";
import * as generationReading from "./generation/reading.ts";
import * as hosts from "./blogs/hosts.ts";
import * as imports from "./imports/imports.ts";
import * as importing from "./blogs/importing.ts";
import * as invitations from "./people/invitations.ts";
import * as locales from "./articles/locales.ts";
import * as library from "./media/library.ts";
import * as uploads from "./media/uploads.ts";
import * as moved from "./articles/moved.ts";
import * as members from "./people/members.ts";
import { deleteOrganization, eraseOrganization, restoreOrganization } from "./people/deleting-organizations.ts";
import * as organizations from "./people/organizations.ts";
import * as previews from "./articles/previews.ts";
import * as redeliveries from "./webhooks/redeliveries.ts";
import { replaceSubscription } from "./webhooks/replacing.ts";
import * as redirects from "./redirects/redirects.ts";
import * as research from "./topics/research.ts";
import { restoreArticle } from "./articles/restoring.ts";
import { listMakers } from "./articles/makers.ts";
import { listRevisions } from "./articles/revisions.ts";
import { findRevision, findStates, restoreRevision } from "./articles/states.ts";
import * as schedules from "./articles/schedules.ts";
import { listRevocations } from "./access/revoked.ts";
import * as search from "./articles/search.ts";
import { requireAuthorized } from "./core/standing.ts";
import * as sites from "./blogs/sites.ts";
import * as subscriptions from "./webhooks/subscriptions.ts";
import { countTermReach } from "./terms/copies.ts";
import { findTerm, listTerms, makeTermFinder } from "./terms/reading.ts";
import * as terms from "./terms/terms.ts";
import { deleteTrash, listTrash } from "./articles/trash.ts";
import * as topicRefreshes from "./topics/refreshes.ts";
import * as topics from "./topics/topics.ts";
import * as undoing from "./access/undoing.ts";
import * as usage from "./people/usage.ts";
import { publishWorkingCopy } from "./articles/publishing-copies.ts";
import { discardWorkingCopy, saveWorkingCopy } from "./articles/saving-copies.ts";
import { findSources } from "./articles/sources.ts";
import { findWorkingCopy } from "./articles/working-copies.ts";

const methods = {
  approve: approvals.approve,
  declineApproval: approvals.declineApproval,
  findApproval: approvals.findApproval,
  listApprovals: approvals.listApprovals,
  requestApproval: approvals.requestApproval,
  withdrawApproval: approvals.withdrawApproval,
  ...articles,
  createArticle,
  ...articleUpdates,
  ...audit,
  ...blogs,
  ...deletedBlogs,
  listContacts: contacts.listContacts,
  createContact: contacts.createContact,
  importContacts: importing.importContacts,
  findContact: erasing.findContact,
  eraseContact: erasing.eraseContact,
  ...credentials,
  cancelDeletion,
  deleteUnchanged,
  setDeletionIfChanged,
  listDeletions,
  setDeletion,
  ...deliveries,
  ...editing,
  beginExport,
  exportRows,
  findFeedPlace,
  readFeed,
  findRevision,
  findStates,
  ...generatedArticles,
  ...generations,
  findTurn,
  readRoom,
  readTokensToday,
  keepGeneration,
  ...generationReading,
  ...hosts,
  ...imports,
  ...invitations,
  listMakers,
  listRevisions,
  ...locales,
  ...members,
  listMedia: library.listMedia,
  findMedia: library.findMedia,
  findMediaByHash: library.findMediaByHash,
  listMediaUses: library.listMediaUses,
  ...uploads,
  listMovedSlugs: moved.listMovedSlugs,
  ...organizations,
  deleteOrganization,
  eraseOrganization,
  restoreOrganization,
  createPreview: previews.createPreview,
  listPreviews: previews.listPreviews,
  revokePreview: previews.revokePreview,
  ...redeliveries,
  ...redirects,
  replaceSubscription,
  ...research,
  restoreArticle,
  restoreRevision,
  listRevocations,
  ...schedules,
  ...search,
  requireAuthorized,
  findSite: sites.findSite,
  updateSite: sites.updateSite,
  ...subscriptions,
  findTerm,
  makeTermFinder,
  listTerms,
  countTermReach,
  ...terms,
  ...topicRefreshes,
  ...topics,
  listTrash,
  deleteTrash,
  listTouched: undoing.listTouched,
  findOther: undoing.findOther,
  isProgram: undoing.isProgram,
  countFurther: undoing.countFurther,
  findBefore: undoing.findBefore,
  isTrashedBy: undoing.isTrashedBy,
  ...usage,
  discardWorkingCopy,
  findSources,
  findProposable,
  storeProposal,
  findWorkingCopy,
  publishWorkingCopy,
  saveWorkingCopy,
};

type Methods = typeof methods;
type Bound<F> = F extends (writer: Writer, ...rest: infer Rest) => infer Answer ? (...rest: Rest) => Answer : never;

/** All functions of the modules above, without their first parameter, the writer. */
export type OrganizationStore = { readonly [Name in keyof Methods]: Bound<Methods[Name]> } & {
  /** Returns the store for undoing what somebody has done to an article: it writes nothing once somebody else has changed that. */
  readonly undoing: (touched: undoing.Touched, by: undoing.UndoneBy) => OrganizationStore;
};

/** Returns the store of the writer's organization. */
export function openOrganizationStore(writer: Writer): OrganizationStore {
  const bound = Object.entries(methods).map(([name, method]) => [
    name,
    (...rest: unknown[]) => (method as (...all: unknown[]) => unknown)(writer, ...rest),
  ]);
  return {
    ...Object.fromEntries(bound),
    undoing: (touched, by) => openOrganizationStore(undoing.undoingWriter(writer, touched, by)),
  } as OrganizationStore;
}
