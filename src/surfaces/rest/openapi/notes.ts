/** Describes for the OpenAPI document what the schemas of an operation do not contain: errors, ETags and examples. */
import type { ErrorCode } from "../../../domain/errors.ts";
import type { Operation } from "../../../operations/define.ts";
import { registry } from "../../../operations/registry.ts";

export type Notes = {
  /** The errors that are specific to the operation. openapi-responses.ts derives those that all of its kind share. */
  readonly refuses?: readonly ErrorCode[];
  /** The response has an ETag. */
  readonly hasEtag?: true;
  /** Examples of request bodies. If left out, the document has one example that is made from those of all fields. */
  readonly bodies?: Readonly<Record<string, { readonly summary: string; readonly value: object }>>;
  /** An example response. Needed if the examples of the single fields do not fit together. */
  readonly answer?: object;
};

const articleBodies = {
  create: {
    summary: "Create and publish",
    value: {
      blogId: "019a9d3c-1b2c-7d3e-8f4a-5b6c7d8e9f0a",
      title: "Slow mornings in Porto",
      description: "Six walks that begin before the city does.",
      content: "# Slow mornings\n\nBegin at the river.",
      slug: "slow-mornings-in-porto",
      locale: "en",
      published: true,
    },
  },
  draft: { summary: "Create a draft", value: { title: "Slow mornings in Porto" } },
  update: {
    summary: "Update: only the fields that are sent change",
    value: { _id: "019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d", published: true },
  },
} as const;

const generationBodies = {
  topic: {
    summary: "About a topic",
    value: { topic: "Six morning walks in Porto", keywords: ["porto walks"], words: 600, published: false },
  },
  idea: { summary: "From a topic idea", value: { topicId: "019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d" } },
  translation: {
    summary: "Translate an article",
    value: { articleId: "019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d", locale: "de" },
  },
} as const;

const assistBodies = {
  passage: {
    summary: "Rework a passage",
    value: { task: "shorten", text: "The first ferry, which is the one that leaves before all others, leaves at six." },
  },
  translation: {
    summary: "Translate a passage",
    value: { task: "translate", text: "The first ferry leaves at six.", locale: "en", targetLocale: "de" },
  },
  titles: {
    summary: "Propose titles",
    value: { task: "titles", text: "The first ferry leaves at six. Whoever takes it has the river for themselves." },
  },
} as const;

const waitingPing = {
  _id: "019a9d3d-0b11-7a4c-9d3e-5f6a7b8c9d0e",
  eventId: "019a9d3d-0b10-7c2a-8b1d-3e4f5a6b7c8d",
  event: "ping",
  state: "open",
  status: null,
  durationMs: null,
  error: null,
  creationTime: "2026-11-20T09:52:59.123Z",
  attemptTime: null,
  settleTime: null,
};

/** What a call of a model may be refused with. */
const MODEL_ERRORS = [
  "ai_refused",
  "generation_limit",
  "ai_unavailable",
  "ai_cut_off",
  "ai_invalid_answer",
  "ai_not_configured",
  "ai_rate_limited",
  "ai_timeout",
] as const;

/** What is refused of files. */
const PICTURES = ["unsupported_image", "image_invalid", "image_too_large", "quota_exceeded"] as const;

// The type comes from the registry: an operation without an entry here does not compile.
const NOTES: Record<keyof typeof registry, Notes> = {
  listArticles: { refuses: ["blog_forbidden"], hasEtag: true },
  listAllArticles: { hasEtag: true },
  getArticle: { refuses: ["blog_forbidden", "not_found"], hasEtag: true },
  changeArticles: { refuses: ["rate_limited"] },
  listSchedules: { refuses: ["blog_forbidden"], hasEtag: true },
  getSchedule: { refuses: ["not_found"], hasEtag: true },
  setSchedule: { refuses: ["not_found"], hasEtag: true },
  listDeletions: { hasEtag: true },
  setDeletion: { refuses: ["not_found"] },
  cancelDeletion: { refuses: ["not_found"] },
  deleteSchedule: { refuses: ["not_found"] },
  listGenerations: { refuses: [], hasEtag: true },
  listPreviews: { refuses: ["not_found"] },
  createPreview: { refuses: ["not_found", "preview_limit", "not_ready"] },
  revokePreview: { refuses: ["not_found"] },
  listMovedSlugs: { refuses: ["blog_forbidden"], hasEtag: true },
  saveArticle: {
    refuses: [
      "blog_required",
      "immutable_field",
      "blog_forbidden",
      "not_found",
      "slug_taken",
      "term_limit",
      "article_changed",
      "quota_exceeded",
      "event_limit",
    ],
    hasEtag: true,
    bodies: articleBodies,
  },
  deleteArticle: { refuses: ["not_found", "event_limit"] },
  searchArticles: { refuses: ["blog_forbidden"], hasEtag: true },
  listRevisions: { refuses: ["not_found"], hasEtag: true },
  getRevision: { refuses: ["not_found"], hasEtag: true },
  compareRevisions: { refuses: ["not_found"] },
  restoreRevision: { refuses: ["not_found", "slug_taken", "quota_exceeded", "event_limit"], hasEtag: true },
  getDraft: { refuses: ["not_found"], hasEtag: true },
  saveDraft: { refuses: ["not_found", "article_not_published", "quota_exceeded"], hasEtag: true },
  discardDraft: { refuses: ["not_found"] },
  publishDraft: {
    refuses: ["not_found", "slug_taken", "term_limit", "article_changed", "quota_exceeded", "event_limit"],
    hasEtag: true,
  },
  listBlogs: { hasEtag: true },
  getBlog: { refuses: ["not_found", "blog_forbidden"], hasEtag: true },
  createBlog: { refuses: ["blog_forbidden", "vanity_id_taken", "blog_limit", "event_limit"], hasEtag: true },
  updateBlog: {
    refuses: ["immutable_field", "blog_forbidden", "vanity_id_taken"],
    hasEtag: true,
  },
  getSite: { refuses: ["blog_forbidden", "not_ready"], hasEtag: true },
  updateSite: { refuses: ["immutable_field", "blog_forbidden", "not_ready"], hasEtag: true },
  listHosts: { refuses: ["blog_forbidden", "not_ready"] },
  addHost: { refuses: ["blog_forbidden", "host_exists", "host_limit", "not_ready"] },
  checkHost: { refuses: ["blog_forbidden", "not_found", "dns_unavailable", "not_ready"] },
  removeHost: { refuses: ["blog_forbidden", "not_found"] },
  listRedirects: { refuses: ["blog_forbidden"], hasEtag: true },
  addRedirect: {
    refuses: ["blog_forbidden", "not_found", "redirect_exists", "redirect_loop", "redirect_limit", "not_ready"],
  },
  addRedirects: { refuses: ["blog_forbidden", "not_ready"] },
  removeRedirect: { refuses: ["blog_forbidden", "not_found"] },
  createImport: { refuses: ["blog_forbidden", "import_limit", "not_ready"] },
  listImports: { refuses: ["blog_forbidden"] },
  getImport: { refuses: ["blog_forbidden", "not_found"] },
  listImportedArticles: { refuses: ["blog_forbidden", "not_found"] },
  startImport: { refuses: ["blog_forbidden", "not_found", "import_state"] },
  undoImport: { refuses: ["blog_forbidden", "not_found", "import_state"] },
  deleteImport: { refuses: ["blog_forbidden", "not_found", "import_state"] },
  showBlog: { refuses: ["not_found"], hasEtag: true },
  searchBlog: { refuses: ["not_found"], hasEtag: true },
  compareLocales: { refuses: ["blog_forbidden"], hasEtag: true },
  generateArticle: {
    refuses: [
      "blog_required",
      "blog_forbidden",
      "not_found",
      "slug_taken",
      "topic_used",
      "quota_exceeded",
      "event_limit",
      ...MODEL_ERRORS,
    ],
    hasEtag: true,
    bodies: generationBodies,
  },
  assistArticle: {
    refuses: ["blog_required", "blog_forbidden", ...MODEL_ERRORS],
    bodies: assistBodies,
  },
  listTags: { refuses: ["blog_forbidden"], hasEtag: true },
  getTag: { refuses: ["not_found"], hasEtag: true },
  createTag: {
    refuses: ["blog_required", "blog_forbidden", "slug_taken", "term_limit", "quota_exceeded"],
    hasEtag: true,
  },
  updateTag: { refuses: ["not_found", "slug_taken", "quota_exceeded"], hasEtag: true },
  deleteTag: { refuses: ["not_found"] },
  mergeTag: { refuses: ["not_found"], hasEtag: true },
  listAuthors: { refuses: ["blog_forbidden"], hasEtag: true },
  getAuthor: { refuses: ["not_found"], hasEtag: true },
  createAuthor: {
    refuses: ["blog_required", "blog_forbidden", "slug_taken", "term_limit", "quota_exceeded"],
    hasEtag: true,
  },
  updateAuthor: { refuses: ["not_found", "slug_taken", "quota_exceeded"], hasEtag: true },
  deleteAuthor: { refuses: ["not_found"] },
  mergeAuthor: { refuses: ["not_found"], hasEtag: true },
  listMedia: { hasEtag: true },
  getMedia: { refuses: ["not_found"], hasEtag: true },
  listMediaUses: { refuses: ["not_found"] },
  createMedia: { refuses: [...PICTURES, "picture_unreachable", "media_limit"], hasEtag: true },
  replaceMedia: { refuses: [...PICTURES, "not_found", "media_exists"], hasEtag: true },
  updateMedia: { refuses: ["not_found"], hasEtag: true },
  createEmbed: { refuses: [...PICTURES, "picture_unreachable", "media_limit"] },
  deleteMedia: { refuses: ["not_found", "media_in_use"] },
  listTopics: { refuses: ["blog_forbidden"], hasEtag: true },
  getTopic: { refuses: ["not_found"], hasEtag: true },
  updateTopic: { refuses: ["not_found", "topic_used"], hasEtag: true },
  refreshTopics: { refuses: ["blog_required", "blog_forbidden", "no_topic_sources", "rate_limited"] },
  showRefresh: { refuses: ["not_found"] },
  researchTopics: { refuses: ["blog_required", "blog_forbidden", "no_topic_sources"] },
  listContacts: { refuses: ["blog_forbidden"], hasEtag: true },
  importContacts: { refuses: ["blog_required", "blog_forbidden", "not_ready"] },
  getContact: { refuses: ["not_found"], hasEtag: true },
  eraseContact: { refuses: ["not_found"] },
  createContact: {
    refuses: ["blog_required", "blog_forbidden", "contact_exists", "quota_exceeded", "event_limit"],
    hasEtag: true,
  },
  listWebhookSubscriptions: {},
  getWebhookSubscription: { refuses: ["not_found"], hasEtag: true },
  createWebhookSubscription: {
    refuses: ["target_not_allowed", "blog_forbidden", "subscription_limit"],
    hasEtag: true,
  },
  updateWebhookSubscription: {
    refuses: ["immutable_field", "target_not_allowed", "not_found"],
    hasEtag: true,
  },
  deleteWebhookSubscription: { refuses: ["not_found"] },
  listDeliveries: { refuses: ["not_found"], hasEtag: true },
  getDelivery: { refuses: ["not_found"] },
  pingWebhookSubscription: {
    refuses: ["not_found", "subscription_inactive", "event_limit", "delivery_limit"],
    answer: waitingPing,
  },
  listDeliveryHours: {},
  listDeadLetters: { hasEtag: true },
  retryDeadLetter: { refuses: ["not_found"] },
  listRevocations: {},
  listApiKeys: {},
  createApiKey: { refuses: ["blog_forbidden", "credential_limit"] },
  revokeApiKey: { refuses: ["not_found"] },
  listAccessTokens: {},
  createAccessToken: { refuses: ["credential_limit"] },
  revokeAccessToken: { refuses: ["not_found"] },
  listMembers: {},
  getMember: { refuses: ["not_found"], hasEtag: true },
  updateMember: { refuses: ["role_forbidden", "not_found", "last_owner"], hasEtag: true },
  removeMember: { refuses: ["role_forbidden", "not_found", "last_owner"] },
  listInvitations: {},
  createInvitation: { refuses: ["role_forbidden", "member_exists", "invitation_limit"] },
  cancelInvitation: { refuses: ["not_found"] },
  showOrganization: {},
  updateOrganization: {},
  getUsage: { refuses: ["blog_forbidden"] },
  showCaller: {},
  listAudit: { hasEtag: true },
};

const byName = new Map<string, Notes>(
  Object.entries(registry).map(([key, operation]) => [operation.name, NOTES[key as keyof typeof registry]]),
);

/** Returns the notes of an operation. */
export const notesOf = (operation: Operation): Notes => byName.get(operation.name) ?? {};
