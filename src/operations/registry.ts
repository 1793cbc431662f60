/** Lists all operations. The surfaces, the documentation and the tenancy tests use this list. */
import { assistArticle } from "./generation/assist.ts";
import { deleteArticle, getArticle, listAllArticles, listArticles, saveArticle } from "./articles.ts";
import { listAudit } from "./audit.ts";
import { changeArticles } from "./bulk.ts";
import { compareLocales, createBlog, getBlog, listBlogs, showBlog, updateBlog } from "./blogs.ts";
import { showCaller } from "./caller.ts";
import { createContact, eraseContact, getContact, importContacts, listContacts } from "./contacts.ts";
import {
  createAccessToken,
  createApiKey,
  listAccessTokens,
  listApiKeys,
  revokeAccessToken,
  revokeApiKey,
} from "./credentials.ts";
import { cancelDeletion, listDeletions, setDeletion } from "./deletions.ts";
import { listDeadLetters, listDeliveryHours, retryDeadLetter } from "./deliveries.ts";
import { discardDraft, getDraft, publishDraft, saveDraft } from "./drafts.ts";
import { createEmbed } from "./embeds.ts";
import { addHost, checkHost, listHosts, removeHost } from "./hosts.ts";
import { generateArticle } from "./generation/generate.ts";
import { listGenerations } from "./generation/generations.ts";
import { createMedia, deleteMedia, getMedia, listMedia, listMediaUses, replaceMedia, updateMedia } from "./media.ts";
import { listMovedSlugs } from "./moved-slugs.ts";
import { createPreview, listPreviews, revokePreview } from "./previews.ts";
import {
  createImport,
  deleteImport,
  getImport,
  listImportedArticles,
  listImports,
  startImport,
  undoImport,
} from "./imports.ts";
import { cancelInvitation, createInvitation, listInvitations } from "./invitations.ts";
import { getMember, listMembers, removeMember, updateMember } from "./members.ts";
import { showOrganization, updateOrganization } from "./organization.ts";
import { researchTopics } from "./research.ts";
import { listRevocations } from "./revocations.ts";
import { compareRevisions, getRevision, listRevisions, restoreRevision } from "./revisions.ts";
import { deleteSchedule, getSchedule, listSchedules, setSchedule } from "./schedules.ts";
import { addRedirect, addRedirects, listRedirects, removeRedirect } from "./redirects.ts";
import { searchBlog } from "./reader-search.ts";
import { searchArticles } from "./search.ts";
import { getSite, updateSite } from "./sites.ts";
import {
  createAuthor,
  createTag,
  deleteAuthor,
  deleteTag,
  getAuthor,
  getTag,
  listAuthors,
  listTags,
  mergeAuthor,
  mergeTag,
  updateAuthor,
  updateTag,
} from "./terms.ts";
import { getTopic, listTopics, refreshTopics, showRefresh, updateTopic } from "./topics.ts";
import { getUsage } from "./usage.ts";
import {
  createWebhookSubscription,
  deleteWebhookSubscription,
  getDelivery,
  listDeliveries,
  getWebhookSubscription,
  listWebhookSubscriptions,
  pingWebhookSubscription,
  updateWebhookSubscription,
} from "./webhooksubscriptions.ts";

export const registry = {
  listArticles,
  listAllArticles,
  getArticle,
  saveArticle,
  changeArticles,
  generateArticle,
  assistArticle,
  listGenerations,
  deleteArticle,
  listPreviews,
  createPreview,
  revokePreview,
  searchArticles,
  listSchedules,
  getSchedule,
  setSchedule,
  deleteSchedule,
  listDeletions,
  setDeletion,
  cancelDeletion,
  listRevisions,
  getRevision,
  compareRevisions,
  restoreRevision,
  getDraft,
  saveDraft,
  discardDraft,
  publishDraft,
  listBlogs,
  getBlog,
  createBlog,
  updateBlog,
  showBlog,
  searchBlog,
  compareLocales,
  listMovedSlugs,
  getSite,
  updateSite,
  listHosts,
  addHost,
  checkHost,
  removeHost,
  listRedirects,
  createImport,
  deleteImport,
  getImport,
  listImportedArticles,
  listImports,
  startImport,
  undoImport,
  addRedirect,
  addRedirects,
  removeRedirect,
  listTags,
  getTag,
  createTag,
  updateTag,
  deleteTag,
  mergeTag,
  listAuthors,
  getAuthor,
  createAuthor,
  updateAuthor,
  deleteAuthor,
  mergeAuthor,
  listMedia,
  getMedia,
  listMediaUses,
  createMedia,
  replaceMedia,
  updateMedia,
  deleteMedia,
  createEmbed,
  listTopics,
  getTopic,
  updateTopic,
  refreshTopics,
  showRefresh,
  researchTopics,
  listContacts,
  createContact,
  importContacts,
  getContact,
  eraseContact,
  getWebhookSubscription,
  listWebhookSubscriptions,
  createWebhookSubscription,
  updateWebhookSubscription,
  deleteWebhookSubscription,
  listDeliveries,
  getDelivery,
  pingWebhookSubscription,
  listDeliveryHours,
  listDeadLetters,
  retryDeadLetter,
  listApiKeys,
  createApiKey,
  revokeApiKey,
  listAccessTokens,
  createAccessToken,
  revokeAccessToken,
  listRevocations,
  getMember,
  listMembers,
  updateMember,
  removeMember,
  listInvitations,
  createInvitation,
  cancelInvitation,
  showOrganization,
  updateOrganization,
  getUsage,
  showCaller,
  listAudit,
} as const;
