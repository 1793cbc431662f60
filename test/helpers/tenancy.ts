/** What other organizations, keys pinned to another blog and anonymous callers may not do, for each operation. */
import type { ErrorCode } from "../../src/errors.ts";
import { SCOPES } from "../../src/domain/principal.ts";
import { issueKey, issueToken, sendJson } from "./requests.ts";
import { newWorld, type Input, type OperationName, type World } from "./operations.ts";

/** A world whose private texts all contain `MARK`, with a second blog. */
export type Victim = World & {
  readonly vanityId: string;
  /** A draft in the first blog, with `MARK` in every text. */
  readonly marked: { readonly _id: string; readonly slug: string };
  /** A key with every scope that is pinned to the second blog. */
  readonly pinnedKey: string;
};

/** Part of every private text of a victim. No response to another caller may contain it. */
export const MARK = "victim-secret";

/** The expected result: an error code, an empty list, published articles, a public page, or only the caller's own. */
export type Outcome = ErrorCode | "empty" | "published" | "public" | "own";

export type Attempt = readonly [input: Input, outcome: Outcome];
export type Attempts = {
  readonly foreign: readonly Attempt[];
  readonly pinned: readonly Attempt[];
  readonly anonymous: readonly Attempt[];
};

/** Creates the organization that the other callers try to reach. */
export async function newVictim(): Promise<Victim> {
  const world = await newWorld("Victim");
  const as = { operatorToken: world.tenant.operatorToken };
  const { blogId } = world.tenant;
  const create = <T>(path: string, body: object) => sendJson<T>(200, path, { as, body });
  const second = await create<{ _id: string }>("/api/blogs", { name: "Second" });
  const marked = await create<{ _id: string; slug: string }>("/api/articles", {
    blogId,
    title: MARK,
    description: MARK,
    content: MARK,
    slug: `${MARK}-${blogId}`,
    coverUrl: `https://${MARK}.example.com/`,
  });
  await create("/api/contacts", { blogId, email: `${MARK}@example.com`, name: MARK });
  await create("/api/webhooksubscriptions", { url: `https://${MARK}.example.com/`, events: ["contact.created"] });
  await issueToken(as, { name: MARK });
  const pinned = await issueKey(as, SCOPES, { name: "Pinned", blogId: second._id });
  const blogs = await sendJson<{ _id: string; vanityId: string }[]>(200, "/api/blogs", { as });
  // Uses the key once, so that the time of its last use is stored and later calls change no row.
  await sendJson(200, "/api/blogs", { as: { apiKey: pinned.secret } });
  const vanityId = blogs.find(({ _id }) => _id === blogId)?.vanityId ?? "";
  return { ...world, vanityId, marked, pinnedKey: pinned.secret };
}

const all = (attempts: readonly Attempt[], outcome: Outcome): Attempt[] => attempts.map(([input]) => [input, outcome]);

/** For operations that need a scope. `pinned` are the attempts of a pinned key. */
const member = (foreign: readonly Attempt[], pinned: readonly Attempt[]): Attempts => ({
  foreign,
  pinned,
  anonymous: all(foreign, "credentials_missing"),
});

const operator = (foreign: readonly Attempt[]): Attempts => ({
  foreign,
  pinned: all(foreign, "operator_required"),
  anonymous: all(foreign, "credentials_missing"),
});

type Cases = Record<OperationName, (victim: Victim, attacker: World) => Attempts>;

/** Written by hand after contract 1.4, 1.5 and 5.7. Every new operation needs a case here. */
export const cases: Cases = {
  listArticles({ tenant: { blogId }, marked, article }) {
    const published: Attempt[] = [
      [{ blogId }, "published"],
      [{ blogId, published: true }, "published"],
      [{ blogId, slug: article.slug }, "published"],
      [{ blogId, published: false }, "empty"],
      [{ blogId, slug: marked.slug }, "empty"],
      [{ blogId, skip: 10 }, "empty"],
    ];
    return { foreign: all(published, "empty"), pinned: all(published, "blog_forbidden"), anonymous: published };
  },
  getArticle({ tenant: { blogId }, marked, draft, article }) {
    const anonymous: Attempt[] = [
      [{ idOrSlug: article._id }, "public"],
      [{ idOrSlug: article.slug, blogId }, "public"],
      [{ idOrSlug: marked._id }, "not_found"],
      [{ idOrSlug: marked._id.toUpperCase() }, "not_found"],
      [{ idOrSlug: marked.slug }, "not_found"],
      [{ idOrSlug: marked.slug, blogId }, "not_found"],
      [{ idOrSlug: draft._id, fields: "_id" }, "not_found"],
    ];
    const pinned = anonymous.map(([input]): Attempt => [input, "blogId" in input ? "blog_forbidden" : "not_found"]);
    return { foreign: all(anonymous, "not_found"), pinned, anonymous };
  },
  saveArticle({ tenant: { blogId }, article, marked, draft }, attacker) {
    return member(
      [
        [{ blogId, title: "x" }, "blog_forbidden"],
        [{ blogId, title: "x", slug: article.slug }, "blog_forbidden"],
        [{ _id: article._id, title: "x" }, "not_found"],
        [{ _id: marked._id, published: true }, "not_found"],
        [{ _id: draft._id }, "not_found"],
        [{ _id: article._id, blogId: attacker.tenant.blogId }, "not_found"],
        [{ _id: article._id, blogId }, "not_found"],
        [{ _id: attacker.article._id, blogId }, "immutable_field"],
      ],
      [
        [{ blogId, title: "x" }, "blog_forbidden"],
        [{ _id: article._id, blogId, title: "x" }, "blog_forbidden"],
        [{ _id: article._id, title: "x" }, "not_found"],
        [{ _id: marked._id, published: true }, "not_found"],
      ],
    );
  },
  deleteArticle({ article, marked }) {
    const attempts: Attempt[] = [
      [{ articleId: article._id }, "not_found"],
      [{ articleId: marked._id }, "not_found"],
      [{ articleId: article.slug }, "not_found"],
    ];
    return member(attempts, attempts);
  },
  searchArticles({ tenant: { blogId } }) {
    return member(
      [
        [{ query: MARK }, "empty"],
        [{ query: "victim" }, "empty"],
        [{ query: MARK, blogId }, "blog_forbidden"],
      ],
      [
        [{ query: MARK }, "empty"],
        [{ query: MARK, blogId }, "blog_forbidden"],
      ],
    );
  },
  listBlogs: () => member([[{}, "own"]], [[{}, "own"]]),
  getBlog({ tenant: { blogId }, vanityId }) {
    const attempts: Attempt[] = [
      [{ blogId }, "not_found"],
      [{ blogId: vanityId }, "not_found"],
    ];
    return member(attempts, all(attempts, "blog_forbidden"));
  },
  createBlog({ vanityId, tenant }) {
    return member(
      [
        [{ name: "x", vanityId }, "vanity_id_taken"],
        [{ name: "x", organization: tenant.organizationId }, "invalid_request"],
      ],
      [[{ name: "x" }, "blog_forbidden"]],
    );
  },
  updateBlog({ tenant: { blogId }, vanityId }, attacker) {
    const own = attacker.tenant.blogId;
    return member(
      [
        [{ blogId, topicSources: [] }, "blog_forbidden"],
        [{ blogId, name: "x" }, "blog_forbidden"],
        [{ blogId, _id: own }, "blog_forbidden"],
        [{ blogId: vanityId, name: "x" }, "blog_forbidden"],
        [{ blogId: own, _id: blogId }, "immutable_field"],
        [{ blogId: own, vanityId }, "vanity_id_taken"],
      ],
      [[{ blogId, name: "x" }, "blog_forbidden"]],
    );
  },
  showBlog({ tenant: { blogId }, vanityId }) {
    const attempts: Attempt[] = [
      [{ blogId }, "public"],
      [{ blogId: vanityId }, "public"],
    ];
    return { foreign: attempts, pinned: attempts, anonymous: attempts };
  },
  compareLocales({ tenant: { blogId }, marked, article }) {
    const attempts: Attempt[] = [
      [{ blogId }, "blog_forbidden"],
      [{ blogId, slug: article.slug }, "blog_forbidden"],
      [{ blogId, slug: marked.slug }, "blog_forbidden"],
    ];
    return member(attempts, attempts);
  },
  generateArticle({ tenant: { blogId }, marked, article, topicId }, attacker) {
    const topic = "x";
    return member(
      [
        [{ blogId, topic }, "blog_forbidden"],
        [{ topicId }, "not_found"],
        [{ topicId, blogId }, "not_found"],
        [{ topicId, blogId: attacker.tenant.blogId }, "not_found"],
        [{ articleId: marked._id }, "not_found"],
        [{ articleId: article._id, locale: "de" }, "not_found"],
        [{ articleId: article._id, blogId: attacker.tenant.blogId, locale: "de" }, "not_found"],
      ],
      [
        [{ blogId, topic }, "blog_forbidden"],
        [{ topicId }, "not_found"],
        [{ articleId: marked._id }, "not_found"],
        [{ articleId: article._id, locale: "de" }, "not_found"],
      ],
    );
  },
  listTopics({ tenant: { blogId } }) {
    const attempts: Attempt[] = [
      [{ blogId }, "blog_forbidden"],
      [{ blogId, status: "new" }, "blog_forbidden"],
    ];
    return member(attempts, attempts);
  },
  getTopic: ({ topicId }) => member([[{ topicId }, "not_found"]], [[{ topicId }, "not_found"]]),
  updateTopic({ topicId }) {
    const attempts: Attempt[] = [[{ topicId, status: "dismissed" }, "not_found"]];
    return member(attempts, attempts);
  },
  refreshTopics: ({ tenant: { blogId } }) => member([[{ blogId }, "blog_forbidden"]], [[{ blogId }, "blog_forbidden"]]),
  researchTopics: ({ tenant: { blogId } }) =>
    member([[{ blogId }, "blog_forbidden"]], [[{ blogId }, "blog_forbidden"]]),
  showRefresh({ refreshId }) {
    return member([[{ refreshId }, "not_found"]], [[{ refreshId }, "not_found"]]);
  },
  listContacts({ tenant: { blogId } }) {
    return member([[{ blogId }, "blog_forbidden"]], [[{ blogId }, "blog_forbidden"]]);
  },
  createContact({ tenant: { blogId } }) {
    const attempts: Attempt[] = [
      [{ blogId, email: "new@example.com" }, "blog_forbidden"],
      [{ blogId, email: `${MARK}@example.com` }, "blog_forbidden"],
    ];
    return member(attempts, attempts);
  },
  listWebhookSubscriptions: () => operator([[{}, "own"]]),
  getWebhookSubscription: ({ subscriptionId }) => operator([[{ webhookSubscriptionId: subscriptionId }, "not_found"]]),
  createWebhookSubscription({ tenant: { blogId, organizationId } }) {
    const url = "https://hooks.example.com/";
    return operator([
      [{ url, blogId }, "blog_forbidden"],
      [{ url, organization: organizationId }, "invalid_request"],
    ]);
  },
  updateWebhookSubscription({ subscriptionId, tenant }, attacker) {
    const own = attacker.subscriptionId;
    return operator([
      [{ webhookSubscriptionId: subscriptionId, active: false }, "not_found"],
      [{ webhookSubscriptionId: subscriptionId, _id: own }, "not_found"],
      [{ webhookSubscriptionId: own, _id: subscriptionId }, "immutable_field"],
      [{ webhookSubscriptionId: own, organization: tenant.organizationId }, "immutable_field"],
      [{ webhookSubscriptionId: own, blogId: tenant.blogId }, "immutable_field"],
    ]);
  },
  deleteWebhookSubscription: ({ subscriptionId }) =>
    operator([[{ webhookSubscriptionId: subscriptionId }, "not_found"]]),
  listDeliveries: ({ subscriptionId: webhookSubscriptionId }) =>
    operator([[{ webhookSubscriptionId, state: "succeeded" }, "not_found"]]),
  pingWebhookSubscription: ({ subscriptionId }) => operator([[{ webhookSubscriptionId: subscriptionId }, "not_found"]]),
  listDeliveryHours: () => operator([[{}, "own"]]),
  listDeadLetters: () => operator([[{}, "own"]]),
  retryDeadLetter: ({ deadLetterId }) => operator([[{ deadLetterId }, "not_found"]]),
  listApiKeys: () => operator([[{}, "own"]]),
  createApiKey({ tenant: { blogId, organizationId } }) {
    return operator([
      [{ name: "x", blogId }, "blog_forbidden"],
      [{ name: "x", organization: organizationId }, "invalid_request"],
    ]);
  },
  revokeApiKey({ apiKeyId, accessTokenId }) {
    return operator([
      [{ apiKeyId }, "not_found"],
      [{ apiKeyId: accessTokenId }, "not_found"],
    ]);
  },
  listAccessTokens: () => operator([[{}, "own"]]),
  createAccessToken({ tenant: { organizationId } }) {
    return operator([[{ name: "x", organization: organizationId }, "invalid_request"]]);
  },
  revokeAccessToken({ apiKeyId, accessTokenId }) {
    return operator([
      [{ accessTokenId }, "not_found"],
      [{ accessTokenId: apiKeyId }, "not_found"],
    ]);
  },
  listMembers: () => operator([[{}, "own"]]),
  getMember: ({ memberId }) => operator([[{ memberId }, "not_found"]]),
  updateMember: ({ memberId }) => operator([[{ memberId, role: "reader" }, "not_found"]]),
  removeMember: ({ memberId }) => operator([[{ memberId }, "not_found"]]),
  listInvitations: () => operator([[{}, "own"]]),
  createInvitation({ tenant: { organizationId } }) {
    const email = `${MARK}@example.com`;
    return operator([[{ email, role: "reader", organization: organizationId }, "invalid_request"]]);
  },
  cancelInvitation: ({ invitationId }) => operator([[{ invitationId }, "not_found"]]),
  showOrganization: () => operator([[{}, "own"]]),
  updateOrganization: ({ tenant: { organizationId } }) =>
    operator([[{ name: "x", organization: organizationId }, "invalid_request"]]),
  getUsage: () => member([[{}, "own"]], [[{}, "blog_forbidden"]]),
  showCaller: () => member([[{}, "own"]], [[{}, "own"]]),
  listAudit: () => operator([[{}, "own"]]),
};
