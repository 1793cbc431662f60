/**
 * The methods and paths of the REST API, and their operations (contract 16.1). The first request for an operation loads its
 * module: building its schemas takes milliseconds, which would delay the start of the Worker.
 */
import type { z } from "zod";
import type { Operation } from "../../operations/define.ts";
import type { registry } from "../../operations/registry.ts";

export type Route = {
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  /** The path in Hono's syntax. `:name` is a parameter and the name of a field of the operation's input. */
  readonly path: string;
  readonly name: keyof typeof registry;
  readonly load: () => Promise<Operation>;
  readonly tag: string;
  /** The status of a success, 200 by default. */
  readonly status?: 202;
  /**
   * The body is a picture, `file` of the input: as it is, or in a form. Other fields are in that form or in the query. If
   * the input has a `url`, the body may also be JSON with the URL.
   */
  readonly upload?: true;
  /** The body is a file of any kind, `file` of the input, which is not held in memory. Other fields are in the query. */
  readonly streams?: true;
  /** A body is required, even if it is `{}`: a request without one is a mistake that must not create something. */
  readonly needsBody?: true;
};

export type LoadedRoute = Route & { readonly operation: Operation };

type OperationName<M> = keyof { [K in keyof M as M[K] extends Operation ? K : never]: true } & Route["name"];

/** Returns a function that makes routes to the operations of a module. */
const routesTo =
  <M>(tag: string, load: () => Promise<M>) =>
  (
    method: Route["method"],
    path: string,
    name: OperationName<M>,
    further: Pick<Route, "status" | "upload" | "streams" | "needsBody"> = {},
  ): Route => ({ tag, method, path, name, load: async () => (await load())[name] as Operation, ...further });

const articles = routesTo("Articles", () => import("../../operations/articles.ts"));
const bulk = routesTo("Articles", () => import("../../operations/bulk.ts"));
const generation = routesTo("Articles", () => import("../../operations/generation/generate.ts"));
const assist = routesTo("Articles", () => import("../../operations/generation/assist.ts"));
const previews = routesTo("Articles", () => import("../../operations/previews.ts"));
const generations = routesTo("Articles", () => import("../../operations/generation/generations.ts"));
const articleSources = routesTo("Articles", () => import("../../operations/article-sources.ts"));
const proposing = routesTo("Articles", () => import("../../operations/generation/proposing.ts"));
const passages = routesTo("Articles", () => import("../../operations/passages.ts"));
const outlining = routesTo("Articles", () => import("../../operations/generation/outline.ts"));
const starting = routesTo("Articles", () => import("../../operations/generation/starting.ts"));
const revisions = routesTo("Articles", () => import("../../operations/revisions.ts"));
const drafts = routesTo("Articles", () => import("../../operations/drafts.ts"));
const edits = routesTo("Articles", () => import("../../operations/edits.ts"));
const schedules = routesTo("Articles", () => import("../../operations/schedules.ts"));
const approvals = routesTo("Articles", () => import("../../operations/approvals.ts"));
const deletions = routesTo("Articles", () => import("../../operations/deletions.ts"));
const search = routesTo("Articles", () => import("../../operations/search.ts"));
const blogs = routesTo("Blogs", () => import("../../operations/blogs.ts"));
const deletedBlogs = routesTo("Blogs", () => import("../../operations/deleted-blogs.ts"));
const sites = routesTo("Blogs", () => import("../../operations/sites.ts"));
const hosts = routesTo("Blogs", () => import("../../operations/hosts.ts"));
const redirects = routesTo("Blogs", () => import("../../operations/redirects.ts"));
const imports = routesTo("Blogs", () => import("../../operations/imports.ts"));
const movedSlugs = routesTo("Blogs", () => import("../../operations/moved-slugs.ts"));
const readerSearch = routesTo("Blogs", () => import("../../operations/reader-search.ts"));
const terms = routesTo("Blogs", () => import("../../operations/terms.ts"));
const trash = routesTo("Articles", () => import("../../operations/trash.ts"));
const media = routesTo("Media", () => import("../../operations/media.ts"));
const embeds = routesTo("Media", () => import("../../operations/embeds.ts"));
const topics = routesTo("Topics", () => import("../../operations/topics.ts"));
const research = routesTo("Topics", () => import("../../operations/research.ts"));
const contacts = routesTo("Contacts", () => import("../../operations/contacts.ts"));
const redeliveries = routesTo("Webhooks", () => import("../../operations/redeliveries.ts"));
const replacements = routesTo("Webhooks", () => import("../../operations/replacements.ts"));
const subscriptions = routesTo("Webhooks", () => import("../../operations/webhooksubscriptions.ts"));
const events = routesTo("Webhooks", () => import("../../operations/events.ts"));
const deliveries = routesTo("Webhooks", () => import("../../operations/deliveries.ts"));
const credentials = routesTo("Credentials", () => import("../../operations/credentials.ts"));
const revocations = routesTo("Credentials", () => import("../../operations/revocations.ts"));
const caller = routesTo("Credentials", () => import("../../operations/caller.ts"));
const members = routesTo("Members", () => import("../../operations/members.ts"));
const invitations = routesTo("Members", () => import("../../operations/invitations.ts"));
const organization = routesTo("Members", () => import("../../operations/organization.ts"));
const organizationExport = routesTo("Members", () => import("../../operations/organization-export.ts"));
const usage = routesTo("Members", () => import("../../operations/usage.ts"));
const audit = routesTo("Audit", () => import("../../operations/audit.ts"));
const undoing = routesTo("Audit", () => import("../../operations/undoing.ts"));

export const routes: readonly Route[] = [
  articles("get", "/api/articles", "listArticles"),
  articles("post", "/api/articles", "saveArticle", { needsBody: true }),
  bulk("post", "/api/articles/bulk", "changeArticles"),
  generation("post", "/api/articles/generate", "generateArticle"),
  assist("post", "/api/articles/assist", "assistArticle"),
  outlining("post", "/api/articles/outline", "outlineArticle"),
  articles("get", "/api/articles/:idOrSlug", "getArticle"),
  articles("delete", "/api/articles/:articleId", "deleteArticle"),
  previews("get", "/api/articles/:articleId/previews", "listPreviews"),
  previews("post", "/api/articles/:articleId/previews", "createPreview"),
  previews("delete", "/api/articles/:articleId/previews/:previewId", "revokePreview"),
  articles("get", "/api/organization/articles", "listAllArticles"),
  generations("get", "/api/generations", "listGenerations"),
  passages("get", "/api/articles/:articleId/passages", "listPassages"),
  articleSources("get", "/api/articles/:articleId/sources", "listArticleSources"),
  proposing("post", "/api/articles/:articleId/sources/proposal", "proposeUpdate", { status: 202 }),
  starting("post", "/api/generations", "startGeneration", { status: 202 }),
  outlining("post", "/api/generations/estimate", "estimateGeneration"),
  generations("get", "/api/generations/:generationId", "getGeneration"),
  starting("post", "/api/generations/:generationId/resume", "resumeGeneration", { status: 202 }),
  revisions("get", "/api/articles/:articleId/revisions", "listRevisions"),
  revisions("get", "/api/articles/:articleId/revisions/:revision", "getRevision"),
  revisions("get", "/api/articles/:articleId/revisions/:revision/diff", "compareRevisions"),
  revisions("post", "/api/articles/:articleId/revisions/:revision/restore", "restoreRevision"),
  drafts("get", "/api/articles/:articleId/draft", "getDraft"),
  drafts("put", "/api/articles/:articleId/draft", "saveDraft"),
  drafts("delete", "/api/articles/:articleId/draft", "discardDraft"),
  drafts("post", "/api/articles/:articleId/draft/publish", "publishDraft"),
  edits("post", "/api/articles/:articleId/edits", "editArticle"),
  schedules("get", "/api/articles/:articleId/schedule", "getSchedule"),
  schedules("put", "/api/articles/:articleId/schedule", "setSchedule"),
  schedules("delete", "/api/articles/:articleId/schedule", "deleteSchedule"),
  deletions("put", "/api/articles/:articleId/deletion", "setDeletion"),
  deletions("delete", "/api/articles/:articleId/deletion", "cancelDeletion"),
  deletions("get", "/api/deletions", "listDeletions"),
  approvals("get", "/api/approvals", "listApprovals"),
  approvals("get", "/api/articles/:articleId/approval", "getApproval"),
  approvals("put", "/api/articles/:articleId/approval", "requestApproval"),
  approvals("delete", "/api/articles/:articleId/approval", "withdrawApproval"),
  approvals("post", "/api/articles/:articleId/approval/approve", "approve"),
  approvals("post", "/api/articles/:articleId/approval/decline", "declineApproval"),
  trash("get", "/api/trash", "listTrash"),
  trash("post", "/api/trash/:articleId/restore", "restoreArticle"),
  trash("delete", "/api/trash/:articleId", "deleteTrash"),
  schedules("get", "/api/schedules", "listSchedules"),
  search("get", "/api/search", "searchArticles"),

  blogs("get", "/api/blogs", "listBlogs"),
  blogs("post", "/api/blogs", "createBlog"),
  deletedBlogs("get", "/api/deletedblogs", "listDeletedBlogs"),
  blogs("get", "/api/blogs/:blogId", "getBlog"),
  blogs("put", "/api/blogs/:blogId", "updateBlog"),
  deletedBlogs("delete", "/api/blogs/:blogId", "deleteBlog"),
  deletedBlogs("post", "/api/blogs/:blogId/restore", "restoreBlog"),
  deletedBlogs("delete", "/api/deletedblogs/:blogId", "eraseBlog"),
  sites("get", "/api/blogs/:blogId/site", "getSite"),
  sites("put", "/api/blogs/:blogId/site", "updateSite"),
  hosts("get", "/api/blogs/:blogId/site/hosts", "listHosts"),
  hosts("post", "/api/blogs/:blogId/site/hosts", "addHost"),
  hosts("post", "/api/blogs/:blogId/site/hosts/:host/check", "checkHost"),
  hosts("delete", "/api/blogs/:blogId/site/hosts/:host", "removeHost"),
  redirects("get", "/api/blogs/:blogId/redirects", "listRedirects"),
  redirects("post", "/api/blogs/:blogId/redirects", "addRedirect"),
  redirects("post", "/api/blogs/:blogId/redirects/bulk", "addRedirects"),
  redirects("delete", "/api/blogs/:blogId/redirects/:redirectId", "removeRedirect"),
  imports("get", "/api/blogs/:blogId/imports", "listImports"),
  imports("post", "/api/blogs/:blogId/imports", "createImport", { streams: true }),
  imports("get", "/api/blogs/:blogId/imports/:importId", "getImport"),
  imports("delete", "/api/blogs/:blogId/imports/:importId", "deleteImport"),
  imports("get", "/api/blogs/:blogId/imports/:importId/articles", "listImportedArticles"),
  imports("post", "/api/blogs/:blogId/imports/:importId/start", "startImport"),
  imports("post", "/api/blogs/:blogId/imports/:importId/undo", "undoImport"),
  blogs("get", "/api/blogs/:blogId/locales", "compareLocales"),
  movedSlugs("get", "/api/blogs/:blogId/movedslugs", "listMovedSlugs"),
  blogs("get", "/blogs", "showBlog"),
  blogs("get", "/blogs/:blogId", "showBlog"),
  readerSearch("get", "/blogs/:blogId/search", "searchBlog"),

  terms("get", "/api/tags", "listTags"),
  terms("post", "/api/tags", "createTag"),
  terms("get", "/api/tags/:tagId", "getTag"),
  terms("put", "/api/tags/:tagId", "updateTag"),
  terms("delete", "/api/tags/:tagId", "deleteTag"),
  terms("post", "/api/tags/:tagId/merge", "mergeTag"),
  terms("get", "/api/authors", "listAuthors"),
  terms("post", "/api/authors", "createAuthor"),
  terms("get", "/api/authors/:authorId", "getAuthor"),
  terms("put", "/api/authors/:authorId", "updateAuthor"),
  terms("delete", "/api/authors/:authorId", "deleteAuthor"),
  terms("post", "/api/authors/:authorId/merge", "mergeAuthor"),

  media("get", "/api/media", "listMedia"),
  media("post", "/api/media", "createMedia", { upload: true }),
  media("get", "/api/media/:mediaId", "getMedia"),
  media("put", "/api/media/:mediaId", "updateMedia"),
  media("delete", "/api/media/:mediaId", "deleteMedia"),
  media("put", "/api/media/:mediaId/file", "replaceMedia", { upload: true }),
  media("get", "/api/media/:mediaId/usage", "listMediaUses"),
  embeds("post", "/api/embeds", "createEmbed"),

  topics("get", "/api/topics", "listTopics"),
  topics("get", "/api/topics/:topicId", "getTopic"),
  topics("patch", "/api/topics/:topicId", "updateTopic"),
  topics("post", "/api/topics/refresh", "refreshTopics", { status: 202 }),
  research("post", "/api/topics/research", "researchTopics"),
  topics("get", "/api/topics/refreshes/:refreshId", "showRefresh"),

  contacts("get", "/api/contacts", "listContacts"),
  contacts("post", "/api/contacts", "createContact"),
  contacts("post", "/api/contacts/import", "importContacts"),
  contacts("get", "/api/contacts/:contactId", "getContact"),
  contacts("delete", "/api/contacts/:contactId", "eraseContact"),

  subscriptions("get", "/api/webhooksubscriptions", "listWebhookSubscriptions"),
  subscriptions("post", "/api/webhooksubscriptions", "createWebhookSubscription"),
  subscriptions("get", "/api/webhooksubscriptions/:webhookSubscriptionId", "getWebhookSubscription"),
  subscriptions("put", "/api/webhooksubscriptions/:webhookSubscriptionId", "updateWebhookSubscription"),
  subscriptions("delete", "/api/webhooksubscriptions/:webhookSubscriptionId", "deleteWebhookSubscription"),
  subscriptions("get", "/api/webhooksubscriptions/:webhookSubscriptionId/deliveries", "listDeliveries"),
  subscriptions("get", "/api/webhooksubscriptions/:webhookSubscriptionId/deliveries/:eventId", "getDelivery"),
  redeliveries("post", "/api/webhooksubscriptions/:webhookSubscriptionId/deliveries/:eventId/redeliver", "redeliver", {
    status: 202,
  }),
  redeliveries("post", "/api/webhooksubscriptions/:webhookSubscriptionId/redeliveries", "redeliverMissing", {
    status: 202,
  }),
  replacements("post", "/api/webhooksubscriptions/:webhookSubscriptionId/replacement", "replaceWebhookSubscription"),
  subscriptions("post", "/api/webhooksubscriptions/:webhookSubscriptionId/ping", "pingWebhookSubscription", {
    status: 202,
  }),
  events("get", "/api/events", "listEvents"),
  deliveries("get", "/api/deliveries/hours", "listDeliveryHours"),
  deliveries("get", "/api/deadletters", "listDeadLetters"),
  deliveries("post", "/api/deadletters/:deadLetterId/retry", "retryDeadLetter", { status: 202 }),

  credentials("get", "/api/apikeys", "listApiKeys"),
  credentials("post", "/api/apikeys", "createApiKey"),
  credentials("put", "/api/apikeys/:apiKeyId", "updateApiKey"),
  credentials("delete", "/api/apikeys/:apiKeyId", "revokeApiKey"),
  credentials("post", "/api/apikeys/:apiKeyId/rotate", "rotateApiKey"),
  credentials("get", "/api/accesstokens", "listAccessTokens"),
  credentials("post", "/api/accesstokens", "createAccessToken"),
  credentials("delete", "/api/accesstokens/:accessTokenId", "revokeAccessToken"),
  revocations("get", "/api/revocations", "listRevocations"),

  members("get", "/api/members", "listMembers"),
  members("get", "/api/members/:memberId", "getMember"),
  members("put", "/api/members/:memberId", "updateMember"),
  members("delete", "/api/members/:memberId", "removeMember"),
  invitations("get", "/api/invitations", "listInvitations"),
  invitations("post", "/api/invitations", "createInvitation"),
  invitations("delete", "/api/invitations/:invitationId", "cancelInvitation"),
  organization("get", "/api/organization", "showOrganization"),
  organization("put", "/api/organization", "updateOrganization"),
  organization("delete", "/api/organization", "deleteOrganization"),
  organizationExport("post", "/api/organization/export", "beginExport"),
  organizationExport("get", "/api/organization/export", "exportRows"),
  organizationExport("get", "/api/organization/export/file", "exportFile"),

  usage("get", "/api/usage", "getUsage"),

  caller("get", "/api/me", "showCaller"),

  audit("get", "/api/audit", "listAudit"),
  undoing("post", "/api/audit/undo", "undoChanges"),
];

/** Paths that differ only in the names of parameters are the same. */
const withoutParameterNames = (path: string): string => path.replaceAll(/:\w+/g, ":");

/**
 * Returns the path of a route in the OpenAPI document, which does not allow paths that differ only in the names of
 * parameters: they all use the names of the first route.
 */
export function findDocumentedPath({ path }: Route): string {
  const first = routes.find((route) => withoutParameterNames(route.path) === withoutParameterNames(path));
  return first?.path ?? path;
}

export const listPathParameters = (path: string): string[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);

/** Returns whether requests with this method can have a body. */
export const carriesBody = (method: Route["method"]): boolean => ["post", "put", "patch"].includes(method);

/**
 * Returns which input fields come from the query and which from the body; the path's parameters come from neither. GET,
 * DELETE and uploads use the query, POST, PUT and PATCH the body.
 */
export function getInputSources({ method, path, operation, upload, streams }: LoadedRoute): {
  query: string[];
  body: string[];
} {
  const fromPath = listPathParameters(path);
  const rest = Object.keys(operation.input.shape).filter((name) => !fromPath.includes(name));
  if (upload || streams) return { query: rest.filter((name) => !["file", "url"].includes(name)), body: [] };
  return carriesBody(method) ? { query: [], body: rest } : { query: rest, body: [] };
}

/**
 * Returns whether a request must have a body (contract 2.2). No body means `{}` if there are no fields, or for a POST
 * without required fields.
 */
export function requiresBody(route: LoadedRoute): boolean {
  const { body } = getInputSources(route);
  if (route.upload || route.streams || route.needsBody) return true;
  if (route.method !== "post") return body.length > 0;
  const { shape } = route.operation.input;
  return body.some((name) => !(shape[name] as z.ZodType).safeParse(undefined).success);
}
