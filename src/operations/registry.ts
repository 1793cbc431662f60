/** All that the service can do. Every surface, the documentation and the tenancy tests walk this list. */
import { deleteArticle, getArticle, listArticles, saveArticle } from "./articles.ts";
import { listAudit } from "./audit.ts";
import { createBlog, listBlogs, showBlog, updateBlog } from "./blogs.ts";
import { createContact, listContacts } from "./contacts.ts";
import {
  createAccessToken,
  createApiKey,
  listAccessTokens,
  listApiKeys,
  revokeAccessToken,
  revokeApiKey,
} from "./credentials.ts";
import {
  createWebhookSubscription,
  deleteWebhookSubscription,
  listDeliveries,
  listWebhookSubscriptions,
  pingWebhookSubscription,
  updateWebhookSubscription,
} from "./webhooksubscriptions.ts";

export const registry = {
  listArticles,
  getArticle,
  saveArticle,
  deleteArticle,
  listBlogs,
  createBlog,
  updateBlog,
  showBlog,
  listContacts,
  createContact,
  listWebhookSubscriptions,
  createWebhookSubscription,
  updateWebhookSubscription,
  deleteWebhookSubscription,
  listDeliveries,
  pingWebhookSubscription,
  listApiKeys,
  createApiKey,
  revokeApiKey,
  listAccessTokens,
  createAccessToken,
  revokeAccessToken,
  listAudit,
} as const;
