/** Maps the methods and paths of the REST API to operations (contract 16.1). */
import type { z } from "zod";
import type { Operation } from "../operations/define.ts";
import { registry } from "../operations/registry.ts";

export type Route = {
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  /** The path in Hono's syntax. `:name` is a parameter and the name of a field of the operation's input. */
  readonly path: string;
  readonly operation: Operation;
  readonly tag: string;
  /** The status of a success; 200 if left out. */
  readonly status?: 202;
  /** The body is a picture, the field `file` of the input: as it is, or in a form. Other fields are in that form or in the query. If the input has a `url`, the body may be JSON with that instead. */
  readonly upload?: true;
  /** A body must be sent, although it may be `{}`: without one, a mistake would create something. */
  readonly needsBody?: true;
};

const articles = { tag: "Articles" } as const;
const blogs = { tag: "Blogs" } as const;
const topics = { tag: "Topics" } as const;
const contacts = { tag: "Contacts" } as const;
const webhooks = { tag: "Webhooks" } as const;
const media = { tag: "Media" } as const;
const people = { tag: "Members" } as const;
const credentials = { tag: "Credentials" } as const;

export const routes = [
  { ...articles, method: "get", path: "/api/articles", operation: registry.listArticles },
  { ...articles, method: "post", path: "/api/articles", operation: registry.saveArticle, needsBody: true },
  { ...articles, method: "post", path: "/api/articles/bulk", operation: registry.changeArticles },
  { ...articles, method: "post", path: "/api/articles/generate", operation: registry.generateArticle },
  { ...articles, method: "post", path: "/api/articles/assist", operation: registry.assistArticle },
  { ...articles, method: "get", path: "/api/articles/:idOrSlug", operation: registry.getArticle },
  { ...articles, method: "delete", path: "/api/articles/:articleId", operation: registry.deleteArticle },
  { ...articles, method: "get", path: "/api/articles/:articleId/previews", operation: registry.listPreviews },
  { ...articles, method: "post", path: "/api/articles/:articleId/previews", operation: registry.createPreview },
  {
    ...articles,
    method: "delete",
    path: "/api/articles/:articleId/previews/:previewId",
    operation: registry.revokePreview,
  },
  { ...articles, method: "get", path: "/api/organization/articles", operation: registry.listAllArticles },
  { ...articles, method: "get", path: "/api/generations", operation: registry.listGenerations },
  { ...articles, method: "get", path: "/api/articles/:articleId/revisions", operation: registry.listRevisions },
  { ...articles, method: "get", path: "/api/articles/:articleId/revisions/:revision", operation: registry.getRevision },
  {
    ...articles,
    method: "get",
    path: "/api/articles/:articleId/revisions/:revision/diff",
    operation: registry.compareRevisions,
  },
  {
    ...articles,
    method: "post",
    path: "/api/articles/:articleId/revisions/:revision/restore",
    operation: registry.restoreRevision,
  },
  { ...articles, method: "get", path: "/api/articles/:articleId/draft", operation: registry.getDraft },
  { ...articles, method: "put", path: "/api/articles/:articleId/draft", operation: registry.saveDraft },
  { ...articles, method: "delete", path: "/api/articles/:articleId/draft", operation: registry.discardDraft },
  { ...articles, method: "post", path: "/api/articles/:articleId/draft/publish", operation: registry.publishDraft },
  { ...articles, method: "get", path: "/api/articles/:articleId/schedule", operation: registry.getSchedule },
  { ...articles, method: "put", path: "/api/articles/:articleId/schedule", operation: registry.setSchedule },
  { ...articles, method: "delete", path: "/api/articles/:articleId/schedule", operation: registry.deleteSchedule },
  { ...articles, method: "put", path: "/api/articles/:articleId/deletion", operation: registry.setDeletion },
  { ...articles, method: "delete", path: "/api/articles/:articleId/deletion", operation: registry.cancelDeletion },
  { ...articles, method: "get", path: "/api/deletions", operation: registry.listDeletions },
  { ...articles, method: "get", path: "/api/schedules", operation: registry.listSchedules },
  { ...articles, method: "get", path: "/api/search", operation: registry.searchArticles },

  { ...blogs, method: "get", path: "/api/blogs", operation: registry.listBlogs },
  { ...blogs, method: "post", path: "/api/blogs", operation: registry.createBlog },
  { ...blogs, method: "get", path: "/api/blogs/:blogId", operation: registry.getBlog },
  { ...blogs, method: "put", path: "/api/blogs/:blogId", operation: registry.updateBlog },
  { ...blogs, method: "get", path: "/api/blogs/:blogId/site", operation: registry.getSite },
  { ...blogs, method: "put", path: "/api/blogs/:blogId/site", operation: registry.updateSite },
  { ...blogs, method: "get", path: "/api/blogs/:blogId/site/hosts", operation: registry.listHosts },
  { ...blogs, method: "post", path: "/api/blogs/:blogId/site/hosts", operation: registry.addHost },
  { ...blogs, method: "post", path: "/api/blogs/:blogId/site/hosts/:host/check", operation: registry.checkHost },
  { ...blogs, method: "delete", path: "/api/blogs/:blogId/site/hosts/:host", operation: registry.removeHost },
  { ...blogs, method: "get", path: "/api/blogs/:blogId/locales", operation: registry.compareLocales },
  { ...blogs, method: "get", path: "/api/blogs/:blogId/movedslugs", operation: registry.listMovedSlugs },
  { ...blogs, method: "get", path: "/blogs", operation: registry.showBlog },
  { ...blogs, method: "get", path: "/blogs/:blogId", operation: registry.showBlog },
  { ...blogs, method: "get", path: "/blogs/:blogId/search", operation: registry.searchBlog },

  { ...blogs, method: "get", path: "/api/tags", operation: registry.listTags },
  { ...blogs, method: "post", path: "/api/tags", operation: registry.createTag },
  { ...blogs, method: "get", path: "/api/tags/:tagId", operation: registry.getTag },
  { ...blogs, method: "put", path: "/api/tags/:tagId", operation: registry.updateTag },
  { ...blogs, method: "delete", path: "/api/tags/:tagId", operation: registry.deleteTag },
  { ...blogs, method: "post", path: "/api/tags/:tagId/merge", operation: registry.mergeTag },
  { ...blogs, method: "get", path: "/api/authors", operation: registry.listAuthors },
  { ...blogs, method: "post", path: "/api/authors", operation: registry.createAuthor },
  { ...blogs, method: "get", path: "/api/authors/:authorId", operation: registry.getAuthor },
  { ...blogs, method: "put", path: "/api/authors/:authorId", operation: registry.updateAuthor },
  { ...blogs, method: "delete", path: "/api/authors/:authorId", operation: registry.deleteAuthor },
  { ...blogs, method: "post", path: "/api/authors/:authorId/merge", operation: registry.mergeAuthor },

  { ...media, method: "get", path: "/api/media", operation: registry.listMedia },
  { ...media, method: "post", path: "/api/media", operation: registry.createMedia, upload: true },
  { ...media, method: "get", path: "/api/media/:mediaId", operation: registry.getMedia },
  { ...media, method: "put", path: "/api/media/:mediaId", operation: registry.updateMedia },
  { ...media, method: "delete", path: "/api/media/:mediaId", operation: registry.deleteMedia },
  { ...media, method: "put", path: "/api/media/:mediaId/file", operation: registry.replaceMedia, upload: true },
  { ...media, method: "get", path: "/api/media/:mediaId/usage", operation: registry.listMediaUses },

  { ...topics, method: "get", path: "/api/topics", operation: registry.listTopics },
  { ...topics, method: "get", path: "/api/topics/:topicId", operation: registry.getTopic },
  { ...topics, method: "patch", path: "/api/topics/:topicId", operation: registry.updateTopic },
  { ...topics, method: "post", path: "/api/topics/refresh", operation: registry.refreshTopics, status: 202 },
  { ...topics, method: "post", path: "/api/topics/research", operation: registry.researchTopics },
  { ...topics, method: "get", path: "/api/topics/refreshes/:refreshId", operation: registry.showRefresh },

  { ...contacts, method: "get", path: "/api/contacts", operation: registry.listContacts },
  { ...contacts, method: "post", path: "/api/contacts", operation: registry.createContact },
  { ...contacts, method: "get", path: "/api/contacts/:contactId", operation: registry.getContact },
  { ...contacts, method: "delete", path: "/api/contacts/:contactId", operation: registry.eraseContact },

  { ...webhooks, method: "get", path: "/api/webhooksubscriptions", operation: registry.listWebhookSubscriptions },
  { ...webhooks, method: "post", path: "/api/webhooksubscriptions", operation: registry.createWebhookSubscription },
  {
    ...webhooks,
    method: "get",
    path: "/api/webhooksubscriptions/:webhookSubscriptionId",
    operation: registry.getWebhookSubscription,
  },
  {
    ...webhooks,
    method: "put",
    path: "/api/webhooksubscriptions/:webhookSubscriptionId",
    operation: registry.updateWebhookSubscription,
  },
  {
    ...webhooks,
    method: "delete",
    path: "/api/webhooksubscriptions/:webhookSubscriptionId",
    operation: registry.deleteWebhookSubscription,
  },
  {
    ...webhooks,
    method: "get",
    path: "/api/webhooksubscriptions/:webhookSubscriptionId/deliveries",
    operation: registry.listDeliveries,
  },
  {
    ...webhooks,
    method: "get",
    path: "/api/webhooksubscriptions/:webhookSubscriptionId/deliveries/:eventId",
    operation: registry.getDelivery,
  },
  {
    ...webhooks,
    method: "post",
    path: "/api/webhooksubscriptions/:webhookSubscriptionId/ping",
    operation: registry.pingWebhookSubscription,
    status: 202,
  },
  { ...webhooks, method: "get", path: "/api/deliveries/hours", operation: registry.listDeliveryHours },
  { ...webhooks, method: "get", path: "/api/deadletters", operation: registry.listDeadLetters },
  {
    ...webhooks,
    method: "post",
    path: "/api/deadletters/:deadLetterId/retry",
    operation: registry.retryDeadLetter,
    status: 202,
  },

  { ...credentials, method: "get", path: "/api/apikeys", operation: registry.listApiKeys },
  { ...credentials, method: "post", path: "/api/apikeys", operation: registry.createApiKey },
  { ...credentials, method: "delete", path: "/api/apikeys/:apiKeyId", operation: registry.revokeApiKey },
  { ...credentials, method: "get", path: "/api/accesstokens", operation: registry.listAccessTokens },
  { ...credentials, method: "post", path: "/api/accesstokens", operation: registry.createAccessToken },
  { ...credentials, method: "delete", path: "/api/accesstokens/:accessTokenId", operation: registry.revokeAccessToken },
  { ...credentials, method: "get", path: "/api/revocations", operation: registry.listRevocations },

  { ...people, method: "get", path: "/api/members", operation: registry.listMembers },
  { ...people, method: "get", path: "/api/members/:memberId", operation: registry.getMember },
  { ...people, method: "put", path: "/api/members/:memberId", operation: registry.updateMember },
  { ...people, method: "delete", path: "/api/members/:memberId", operation: registry.removeMember },
  { ...people, method: "get", path: "/api/invitations", operation: registry.listInvitations },
  { ...people, method: "post", path: "/api/invitations", operation: registry.createInvitation },
  { ...people, method: "delete", path: "/api/invitations/:invitationId", operation: registry.cancelInvitation },
  { ...people, method: "get", path: "/api/organization", operation: registry.showOrganization },
  { ...people, method: "put", path: "/api/organization", operation: registry.updateOrganization },

  { ...people, method: "get", path: "/api/usage", operation: registry.getUsage },

  { ...credentials, method: "get", path: "/api/me", operation: registry.showCaller },

  { tag: "Audit", method: "get", path: "/api/audit", operation: registry.listAudit },
] as const satisfies readonly Route[];

/** Returns a path without the names of its parameters. Paths that differ only in these names are the same. */
const placeOf = (path: string): string => path.replaceAll(/:\w+/g, ":");

/**
 * Returns the path of a route in the OpenAPI document. OpenAPI allows only one path for routes that differ in the names
 * of parameters, so all of them use the names of the first route.
 */
export function documentedPath({ path }: Route): string {
  const first = routes.find((route) => placeOf(route.path) === placeOf(path));
  return first?.path ?? path;
}

/** Returns the names of the parameters in a path. */
export const pathParameters = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);

/** Returns whether the API reads the body of requests with this method. */
export const carriesBody = (method: Route["method"]): boolean => ["post", "put", "patch"].includes(method);

/**
 * Returns the names of the input fields that come from the query and from the body. The path's parameters are in
 * neither. POST, PUT and PATCH use the body for all other fields; GET and DELETE use the query, and so do uploads, whose
 * body is the file, or JSON that names its `url` beside the other fields.
 */
export function inputSources({ method, path, operation, upload }: Route): { query: string[]; body: string[] } {
  const fromPath = pathParameters(path);
  const rest = Object.keys(operation.input.shape).filter((name) => !fromPath.includes(name));
  if (upload) return { query: rest.filter((name) => !["file", "url"].includes(name)), body: [] };
  return carriesBody(method) ? { query: [], body: rest } : { query: rest, body: [] };
}

/**
 * Returns whether a request must have a body (contract 2.2). Those that need none are a POST without a field that must be
 * sent, and what has no fields at all: there no body means `{}`.
 */
export function requiresBody(route: Route): boolean {
  const { body } = inputSources(route);
  if (route.upload || route.needsBody) return true;
  if (route.method !== "post") return body.length > 0;
  const { shape } = route.operation.input;
  return body.some((name) => !(shape[name] as z.ZodType).safeParse(undefined).success);
}
