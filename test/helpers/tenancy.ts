/** What other organizations, keys pinned to another blog and anonymous callers may not do, for each operation. */
import { SCOPES } from "../../src/domain/principal.ts";
import { issueKey, issueToken, sendJson } from "./requests.ts";
import { newWorld } from "./operations.ts";
import { articleCases } from "./tenancy-articles.ts";
import { all, MARK, member, operator, type Attempt, type Cases, type Victim } from "./tenancy-attempts.ts";
import { historyCases } from "./tenancy-history.ts";
import { hostCases } from "./tenancy-hosts.ts";
import { importCases } from "./imports.ts";
import { mediaCases } from "./tenancy-media.ts";
import { termCases } from "./tenancy-terms.ts";

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
  const body = { publishTime: "2032-01-01T09:00" };
  await sendJson(200, `/api/articles/${marked._id}/schedule`, { as, method: "PUT", body });
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

/** Written by hand after contract 1.4, 1.5 and 5.7. Every new operation needs a case here. */
export const cases: Cases = {
  ...articleCases,
  ...historyCases,
  ...termCases,
  ...mediaCases,
  ...importCases,
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
  deleteBlog: ({ tenant: { blogId } }) => operator([[{ blogId }, "blog_forbidden"]]),
  listDeletedBlogs: () => operator([[{}, "own"]]),
  restoreBlog: ({ deletedBlogId, tenant: { blogId } }) =>
    operator([
      [{ blogId: deletedBlogId }, "not_found"],
      [{ blogId }, "not_found"],
    ]),
  eraseBlog: ({ erasableBlogId, tenant: { blogId } }) =>
    operator([
      [{ blogId: erasableBlogId }, "not_found"],
      [{ blogId }, "not_found"],
    ]),
  getSite({ tenant: { blogId }, vanityId }) {
    return member(
      [
        [{ blogId }, "blog_forbidden"],
        [{ blogId: vanityId }, "blog_forbidden"],
      ],
      [[{ blogId }, "blog_forbidden"]],
    );
  },
  updateSite({ tenant: { blogId }, vanityId }) {
    return member(
      [
        [{ blogId, description: "x" }, "blog_forbidden"],
        [{ blogId: vanityId, description: "x" }, "blog_forbidden"],
      ],
      [[{ blogId, description: "x" }, "blog_forbidden"]],
    );
  },
  ...hostCases,
  showBlog({ tenant: { blogId }, vanityId }) {
    const attempts: Attempt[] = [
      [{ blogId }, "public"],
      [{ blogId: vanityId }, "public"],
    ];
    return { foreign: attempts, pinned: attempts, anonymous: attempts };
  },
  searchBlog({ tenant: { blogId }, vanityId }) {
    const attempts: Attempt[] = [
      [{ blogId, q: MARK }, "empty"],
      [{ blogId: vanityId, q: MARK }, "empty"],
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
  listTopics({ tenant: { blogId } }) {
    const attempts: Attempt[] = [
      [{ blogId }, "blog_forbidden"],
      [{ blogId, status: "new" }, "blog_forbidden"],
    ];
    return member(attempts, attempts);
  },
  getTopic: ({ topicId }) => member([[{ topicId }, "not_found"]], [[{ topicId }, "not_found"]]),
  updateTopic({ topicId, article, tenant: { blogId } }) {
    const shown = { _id: topicId, articleId: article._id };
    const attempts: Attempt[] = [
      [{ topicId, status: "dismissed" }, "not_found"],
      [{ topicId, status: "dismissed", ...shown }, "not_found"],
    ];
    const ofBlog: Attempt[0] = { topicId, blogId, status: "dismissed" };
    return member([...attempts, [ofBlog, "not_found"]], [...attempts, [ofBlog, "blog_forbidden"]]);
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
  getContact: ({ contactId }) => member([[{ contactId }, "not_found"]], [[{ contactId }, "not_found"]]),
  eraseContact: ({ contactId }) => member([[{ contactId }, "not_found"]], [[{ contactId }, "not_found"]]),
  createContact({ tenant: { blogId } }) {
    const attempts: Attempt[] = [
      [{ blogId, email: "new@example.com" }, "blog_forbidden"],
      [{ blogId, email: `${MARK}@example.com` }, "blog_forbidden"],
    ];
    return member(attempts, attempts);
  },
  importContacts({ tenant: { blogId } }) {
    const contacts = [{ email: "new@example.com" }];
    const attempts: Attempt[] = [[{ blogId, from: "a", contacts }, "blog_forbidden"]];
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
  getDelivery: ({ subscriptionId, deliveredEventId: eventId }, attacker) =>
    operator([
      [{ webhookSubscriptionId: subscriptionId, eventId }, "not_found"],
      [{ webhookSubscriptionId: attacker.subscriptionId, eventId }, "not_found"],
    ]),
  redeliver: ({ subscriptionId, deliveredEventId: eventId }, attacker) =>
    operator([
      [{ webhookSubscriptionId: subscriptionId, eventId }, "not_found"],
      [{ webhookSubscriptionId: attacker.subscriptionId, eventId }, "not_found"],
    ]),
  redeliverMissing: ({ subscriptionId, deliveredEventId: after }, attacker) =>
    operator([
      [{ webhookSubscriptionId: subscriptionId }, "not_found"],
      [{ webhookSubscriptionId: attacker.subscriptionId, after }, "invalid_cursor"],
    ]),
  replaceWebhookSubscription: ({ subscriptionId }) =>
    operator([[{ webhookSubscriptionId: subscriptionId }, "not_found"]]),
  pingWebhookSubscription: ({ subscriptionId }) => operator([[{ webhookSubscriptionId: subscriptionId }, "not_found"]]),
  listEvents({ tenant: { blogId } }) {
    return member(
      [
        [{}, "own"],
        [{ blogId }, "empty"],
      ],
      [
        [{}, "own"],
        [{ blogId }, "blog_forbidden"],
      ],
    );
  },
  listDeliveryHours: () => operator([[{}, "own"]]),
  listDeadLetters: () => operator([[{}, "own"]]),
  retryDeadLetter: ({ deadLetterId }) => operator([[{ deadLetterId }, "not_found"]]),
  listRevocations: () => operator([[{}, "empty"]]),
  listApiKeys: () => operator([[{}, "own"]]),
  createApiKey({ tenant: { blogId, organizationId } }) {
    return operator([
      [{ name: "x", blogId }, "blog_forbidden"],
      [{ name: "x", organization: organizationId }, "invalid_request"],
    ]);
  },
  updateApiKey: ({ apiKeyId, accessTokenId }) =>
    operator([
      [{ apiKeyId, name: "x" }, "not_found"],
      [{ apiKeyId: accessTokenId, name: "x" }, "not_found"],
    ]),
  rotateApiKey: ({ apiKeyId, accessTokenId }) =>
    operator([
      [{ apiKeyId }, "not_found"],
      [{ apiKeyId: accessTokenId }, "not_found"],
    ]),
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
  updateMember: ({ memberId }) =>
    operator([
      [{ memberId, role: "reader" }, "not_found"],
      [{ memberId, role: "reader", _id: memberId, userId: memberId }, "not_found"],
    ]),
  removeMember: ({ memberId }) => operator([[{ memberId }, "not_found"]]),
  listInvitations: () => operator([[{}, "own"]]),
  createInvitation({ tenant: { organizationId } }) {
    const email = `${MARK}@example.com`;
    return operator([[{ email, role: "reader", organization: organizationId }, "invalid_request"]]);
  },
  cancelInvitation: ({ invitationId }) => operator([[{ invitationId }, "not_found"]]),
  showOrganization: () => operator([[{}, "own"]]),
  updateOrganization: ({ tenant: { organizationId } }) =>
    operator([
      [{ name: "x", organization: organizationId }, "invalid_request"],
      [{ name: "x", _id: organizationId }, "immutable_field"],
    ]),
  beginExport: () => operator([[{}, "own"]]),
  deleteOrganization: () => operator([]),
  exportRows: () => operator([[{ table: "articles" }, "own"]]),
  exportFile: ({ tenant: { organizationId }, mediaId }) =>
    operator([
      [{ key: `${organizationId}/${mediaId}` }, "not_found"],
      [{ key: `../${organizationId}/${mediaId}` }, "not_found"],
    ]),
  getUsage: () => member([[{}, "own"]], [[{}, "blog_forbidden"]]),
  showCaller: () => member([[{}, "own"]], [[{}, "own"]]),
  listAudit: () => operator([[{}, "own"]]),
  undoChanges({ apiKeyId }) {
    const attempts: Attempt[] = [[{ actor: apiKeyId, from: new Date(Date.now() - 3_600_000).toISOString() }, "own"]];
    return member(attempts, attempts);
  },
};
