/** Every operation with its routes and a valid input, and functions that send its requests. */
import { env } from "cloudflare:workers";
import { TEXTS } from "../../src/domain/article-fields.ts";
import { getInputSources, listPathParameters, type LoadedRoute } from "../../src/surfaces/rest/routes.ts";
import { loadedRoutes } from "../../src/surfaces/rest/openapi/openapi.ts";
import type { registry } from "../../src/operations/registry.ts";
import { send, sendJson, type Send, type Credential } from "./requests.ts";
import { newTenant, type ArticleBody, type Tenant } from "./tenant.ts";
import { approvalInputs } from "./approval-inputs.ts";
import { historyInputs } from "./history-inputs.ts";
import { importInputs, newImport } from "./imports.ts";
import { mediaInputs } from "./media-inputs.ts";
import { GUIDE, newHost, siteInputs } from "./site-inputs.ts";
import { termInputs } from "./term-inputs.ts";
import { topicInputs } from "./topic-inputs.ts";
import {
  newCopy,
  newDeadLetter,
  newDeletedBlog,
  newDeletion,
  newDelivery,
  newHistory,
  newGeneration,
  newIdea,
  newSchedule,
  newSource,
  worldSource,
  newSizedMedia,
} from "./world-rows.ts";
import { newMember } from "./people.ts";

export type OperationName = keyof typeof registry;
export type Input = Readonly<Record<string, unknown>>;

/** An organization with one of each resource. */
export type World = {
  readonly tenant: Tenant;
  readonly article: ArticleBody;
  readonly draft: ArticleBody;
  /** A published article with a working copy, as `article` has one, too. */
  readonly edited: ArticleBody;
  /** A published article with a source that has changed. */
  readonly sourced: ArticleBody;
  /** Drafts of which somebody has asked that they are published. */
  readonly asked: ArticleBody;
  readonly otherAsked: ArticleBody;
  /** Articles in the trash. */
  readonly trashedId: string;
  readonly otherTrashedId: string;
  readonly topicId: string;
  readonly refreshId: string;
  readonly contactId: string;
  readonly subscriptionId: string;
  readonly previewId: string;
  /** Two deleted blogs: one to restore, one to delete for good. */
  readonly deletedBlogId: string;
  readonly erasableBlogId: string;
  /** The event of a delivery to the subscription. */
  readonly deliveredEventId: string;
  readonly deadLetterId: string;
  readonly tagId: string;
  readonly otherTagId: string;
  readonly authorId: string;
  readonly otherAuthorId: string;
  readonly mediaId: string;
  readonly host: string;
  readonly redirectId: string;
  /** Checked, done, and failed. */
  readonly importId: string;
  readonly doneImportId: string;
  readonly failedImportId: string;
  /** Failed, and can be resumed. */
  readonly generationId: string;
  readonly apiKeyId: string;
  readonly accessTokenId: string;
  readonly memberId: string;
  readonly invitationId: string;
  /** The e-mail address to which the invitation was sent. */
  readonly invited: string;
};

/** Creates an organization with one of each resource. */
export async function newWorld(name = "World"): Promise<World> {
  const tenant = await newTenant(name);
  const as = { operatorToken: tenant.operatorToken };
  const create = async (path: string, body: object) => (await sendJson<{ _id: string }>(200, path, { as, body }))._id;
  const invited = `${fresh()}@example.com`;
  const write = (body: object) => sendJson<ArticleBody>(200, "/api/articles", { as, body });
  const article = await write({ blogId: tenant.blogId, title: `${name} published`, published: true });
  const draft = await write({ blogId: tenant.blogId, title: `${name} draft` });
  const edited = await write({ blogId: tenant.blogId, title: `${name} edited`, content: "Next", published: true });
  const sourced = await write({ blogId: tenant.blogId, title: `${name} sourced`, content: "Text", published: true });
  await newSource(sourced._id);
  const trash = async () => {
    const { _id } = await write({ blogId: tenant.blogId, title: `${name} deleted` });
    await sendJson(200, `/api/articles/${_id}`, { as, method: "DELETE" });
    return _id;
  };
  await newHistory(article._id);
  await newHistory(draft._id);
  await newCopy(article._id);
  await newCopy(edited._id);
  const ask = async () => {
    const made = await write({ blogId: tenant.blogId, title: `${name} asked` });
    await sendJson(200, `/api/articles/${made._id}/approval`, { as, method: "PUT", body: {} });
    return made;
  };
  await newSchedule(draft);
  await newDeletion(draft);
  const subscriptionId = await create("/api/webhooksubscriptions", { url: hook("world"), events: [] });
  return {
    tenant,
    article,
    draft,
    edited,
    sourced,
    asked: await ask(),
    otherAsked: await ask(),
    deletedBlogId: await newDeletedBlog(tenant),
    erasableBlogId: await newDeletedBlog(tenant),
    trashedId: await trash(),
    otherTrashedId: await trash(),
    previewId: await create(`/api/articles/${draft._id}/previews`, { expiresInSeconds: 86_400 }),
    ...(await newIdea(tenant)),
    contactId: await create("/api/contacts", { blogId: tenant.blogId, email: "reader@example.com" }),
    subscriptionId,
    deliveredEventId: await newDelivery(tenant, subscriptionId),
    deadLetterId: await newDeadLetter(tenant),
    tagId: await create("/api/tags", { blogId: tenant.blogId, name: "A tag" }),
    otherTagId: await create("/api/tags", { blogId: tenant.blogId, name: "Another tag" }),
    authorId: await create("/api/authors", { blogId: tenant.blogId, name: "An author" }),
    otherAuthorId: await create("/api/authors", { blogId: tenant.blogId, name: "Another author" }),
    host: await newHost(tenant),
    redirectId: await create(`/api/blogs/${tenant.blogId}/redirects`, { from: "/world", to: "/archive" }),
    importId: await newImport(tenant, "checked"),
    doneImportId: await newImport(tenant, "done"),
    failedImportId: await newImport(tenant, "failed"),
    generationId: await newGeneration(tenant),
    mediaId: await newSizedMedia(as),
    apiKeyId: await create("/api/apikeys", { name: "a key", blogId: tenant.blogId }),
    accessTokenId: await create("/api/accesstokens", { name: "a token" }),
    memberId: (await newMember(tenant.organizationId, "writer")).memberId,
    invitationId: await create("/api/invitations", { email: invited, role: "reader" }),
    invited,
  };
}

const hook = (name: string): string => `${env.RECEIVER.url}/ok/${name}`;

let serial = 0;
const fresh = (): string => `fresh-${++serial}`;

/** What an article and a working copy have. */
const texts = (V = "Valid") => ({
  ...Object.fromEntries(TEXTS.map((name) => [name, V])),
  slug: fresh(),
  locale: "en",
  coverUrl: COVER,
});
const COVER = "https://images.example.com/a.jpg";

/** Inputs of operations that need others than {@link derived}. Values that must be unique are new with each call. */
const validInputs = {
  listArticles: ({ tenant }) => ({ blogId: tenant.blogId, locale: "en", slug: "a", limit: 5, skip: 0, fields: "_id" }),
  listAllArticles: () => ({ locale: "en", published: true, limit: 5, fields: "_id" }),
  getArticle: ({ article }) => ({
    idOrSlug: article._id,
    blogId: article.blogId,
    locale: "en",
    moved: "follow",
    fields: "_id,title",
  }),
  saveArticle: ({ tenant }) => ({
    blogId: tenant.blogId,
    ...texts(),
    published: true,
    seo: { title: "Valid", noindex: true },
    tags: ["A tag"],
    authors: ["An author"],
  }),
  deleteArticle: ({ article }) => ({ articleId: article._id }),
  searchArticles: ({ tenant: of }) => ({ query: "world", blogId: of.blogId, locale: "en", published: true, limit: 5 }),
  ...historyInputs,
  saveDraft: ({ article }) => ({ articleId: article._id, ...texts(), publishTime: "2026-01-01T00:00:00.000Z" }),
  // Can be repeated: it is still there once.
  editArticle: ({ edited }) => ({ articleId: edited._id, edits: [{ find: "Next", replace: "Next, please" }] }),
  ...termInputs(fresh),
  ...topicInputs(fresh),
  createBlog: () => ({ name: "Valid", vanityId: fresh(), coverUrl: "", locales: ["en"], styleGuide: GUIDE }),
  updateBlog: ({ tenant }) => ({
    blogId: tenant.blogId,
    _id: tenant.blogId,
    name: "Valid",
    vanityId: fresh(),
    coverUrl: "",
    locales: ["en"],
    styleGuide: GUIDE,
    topicSources: [worldSource()],
    topicRefresh: "daily",
  }),
  restoreBlog: ({ deletedBlogId }) => ({ blogId: deletedBlogId }),
  eraseBlog: ({ erasableBlogId }) => ({ blogId: erasableBlogId }),
  ...importInputs,
  ...siteInputs,
  createContact: ({ tenant }) => ({
    blogId: tenant.blogId,
    email: `${fresh()}@example.com`,
    name: "Valid",
    locale: "en",
  }),
  createWebhookSubscription: ({ tenant }) => ({
    name: "Static site",
    url: hook("valid"),
    blogId: tenant.blogId,
    events: ["article.created"],
  }),
  updateWebhookSubscription: ({ subscriptionId, tenant }) => ({
    webhookSubscriptionId: subscriptionId,
    name: "Static site",
    url: hook("valid"),
    // Still those of its delivery, which `redeliver` takes.
    events: ["article.updated"],
    active: true,
    _id: subscriptionId,
    blogId: null,
    organization: tenant.organizationId,
    failureStreak: 0,
    deactivationTime: null,
    endTime: null,
    replaces: null,
  }),
  listDeliveries: ({ subscriptionId: of }) => ({ webhookSubscriptionId: of, state: "succeeded", limit: 5, skip: 0 }),
  redeliverMissing: ({ subscriptionId: of }) => ({
    webhookSubscriptionId: of,
    from: "2026-01-01T00:00:00Z",
    activate: true,
  }),
  ...approvalInputs,
  listTrash: ({ tenant }) => ({ blogId: tenant.blogId, limit: 5, skip: 0 }),
  restoreArticle: ({ trashedId }) => ({ articleId: trashedId, slug: fresh() }),
  deleteTrash: ({ otherTrashedId }) => ({ articleId: otherTrashedId }),
  listSchedules: ({ tenant }) => ({ blogId: tenant.blogId, state: "waiting", limit: 5, skip: 0 }),
  setSchedule: ({ draft }) => ({ articleId: draft._id, publishTime: "2032-01-01T09:00", timeZone: "Europe/Lisbon" }),
  changeArticles: ({ draft }) => ({
    action: "schedule",
    articleIds: [draft._id],
    schedule: { publishTime: "2032-01-01T09:00" },
  }),
  createPreview: ({ draft }) => ({ articleId: draft._id, expiresInSeconds: 60 }),
  listMovedSlugs: ({ tenant }) => ({ blogId: tenant.blogId, limit: 5 }),
  listGenerations: () => ({ state: "failed", limit: 5, skip: 0 }),
  createApiKey: ({ tenant }) => ({
    name: "Valid",
    scopes: ["articles:read"],
    blogId: tenant.blogId,
    expirationTime: "2999-01-01T00:00:00.000Z",
  }),
  // Tests rotate it again and again, and from the first time on it expires.
  rotateApiKey: ({ apiKeyId }) => ({ apiKeyId, expirationTime: null }),
  createAccessToken: () => ({ name: "Valid", expirationTime: "2999-01-01T00:00:00.000Z" }),
  ...mediaInputs,
  createInvitation: () => ({ email: `${fresh()}@example.com`, role: "writer" }),
  updateOrganization: () => ({ name: "Valid" }),
  exportFile: ({ tenant: { organizationId }, mediaId }) => ({ key: `${organizationId}/${mediaId}` }),
} satisfies Partial<Record<OperationName, (world: World) => Input>>;

/** Every route, with a title for its test and its place among them, by which sample.ts chooses. */
export const everyRoute = loadedRoutes.map((route, turn) => {
  return { title: `${route.method.toUpperCase()} ${route.path}`, route, name: route.name, turn };
});

/**
 * A deletion of the draft, which would happen half a minute later, in the midst of another test; and what takes it back. Then a
 * second blog, so that no blog is the only one; and the deletion of the first and of the organization, which everything else needs.
 */
const LAST: readonly OperationName[] = [
  "setDeletion",
  "cancelDeletion",
  "restoreBlog",
  "deleteBlog",
  "deleteOrganization",
];

/** A write's place: what deletes comes late. */
const placeOf = ({ name, route }: (typeof everyRoute)[number]): number =>
  LAST.includes(name) ? 2 + LAST.indexOf(name) : Number(route.operation.effect === "delete");

/**
 * Every route that writes. In this order, all of them can be called with their valid inputs in one world. Call `quiet`
 * before each: deliveries that wait for a subscription that is deleted wait until the next sweep.
 */
export const everyWrite = everyRoute
  .filter(({ route }) => route.operation.effect !== "read")
  .toSorted((one, other) => placeOf(one) - placeOf(other));

/** Returns the valid input of a route's operation: a new operation needs none here, if its sample and what it names are enough. */
export const validInput = (route: LoadedRoute, world: World): Input => {
  const make = (validInputs as Partial<Record<string, (world: World) => Input>>)[route.name];
  return make === undefined ? derived(route, world) : make(world);
};

/** Returns what an operation's own sample sends in this world, and what its members mean by their names. */
function derived({ operation }: LoadedRoute, world: World): Input {
  const { tenant, draft, article, deliveredEventId, ...ids } = world;
  const named: Input = {
    ...ids,
    blogId: tenant.blogId,
    articleId: draft._id,
    idOrSlug: article._id,
    revision: "1",
    webhookSubscriptionId: world.subscriptionId,
    eventId: deliveredEventId,
    limit: 5,
    skip: 0,
  };
  const sample = JSON.stringify({ ...operation.sample?.query, ...operation.sample?.body });
  const sent = sample.replaceAll(/"\{(\w+)\}"/g, (_, name: string) => JSON.stringify(named[name]));
  const members = Object.keys(operation.input.shape).filter((name) => name in named);
  return { ...(JSON.parse(sent) as Input), ...Object.fromEntries(members.map((name) => [name, named[name]])) };
}

/** Returns the request for an input: its path with the query, its method and its body. */
export function requestOf(
  route: LoadedRoute,
  input: Input,
): { path: string; method: string; body?: Input; type?: string } {
  const inPath = listPathParameters(route.path);
  const { query, body } = getInputSources(route);
  const text = (name: string) => encodeURIComponent(String(input[name]));
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => text(name));
  const rest = Object.entries(input).filter(([name]) => !inPath.includes(name));
  const method = route.method.toUpperCase();
  if (body.length > 0) return { path, method, body: Object.fromEntries(rest) };
  const pairs = rest.filter(([name]) => query.includes(name)).map(([name]) => `${name}=${text(name)}`);
  const whole = { path: pairs.length === 0 ? path : `${path}?${pairs.join("&")}`, method };
  if (route.streams) return { ...whole, body: input["file"] as Input, type: "application/octet-stream" };
  return route.upload ? { ...whole, body: input["file"] as Input, type: "image/gif" } : whole;
}

/** Sends the request of a route with this input. */
export function call(route: LoadedRoute, input: Input, options: Omit<Send, "method" | "body"> = {}): Promise<Response> {
  const { path, ...rest } = requestOf(route, input);
  return send(path, { ...options, ...rest });
}

/** Returns a credential that may call a route's operation: the key with every scope, or the operator token. */
export const reaching = ({ operation }: LoadedRoute, { tenant }: World): Credential =>
  operation.scope === "operator" ? { operatorToken: tenant.operatorToken } : { apiKey: tenant.apiKey };
