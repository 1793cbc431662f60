/** Every operation with every single scope: it runs exactly where its scope was given. */
import { beforeAll, describe, expect, it } from "vitest";
import { SCOPES, type Scope } from "../../src/domain/principal.ts";
import { registry } from "../../src/operations/registry.ts";
import { issueKey, issueToken } from "../helpers/requests.ts";
import { call, everyRoute, newWorld, validInput, type OperationName, type World } from "../helpers/operations.ts";
import { refusalOf, storingNothing } from "../helpers/refusals.ts";

/** By hand, from contract 10.4, 10.5 and 10.6: who may do what. Null: whoever has credentials. */
const NEEDS: Record<OperationName, Scope | "operator" | null> = {
  listArticles: "articles:read",
  listAllArticles: "articles:read",
  getArticle: "articles:read",
  saveArticle: "articles:write",
  generateArticle: "articles:write",
  assistArticle: "articles:write",
  changeArticles: "articles:write",
  listGenerations: "articles:read",
  listSchedules: "articles:read",
  getSchedule: "articles:read",
  setSchedule: "articles:write",
  deleteSchedule: "articles:write",
  listDeletions: "articles:read",
  setDeletion: "articles:write",
  cancelDeletion: "articles:write",
  listPreviews: "articles:read",
  createPreview: "articles:write",
  revokePreview: "articles:write",
  listMedia: "articles:read",
  getMedia: "articles:read",
  listMediaUses: "articles:read",
  createMedia: "articles:write",
  replaceMedia: "articles:write",
  updateMedia: "articles:write",
  deleteMedia: "articles:write",
  listTags: "articles:read",
  getTag: "articles:read",
  createTag: "articles:write",
  updateTag: "articles:write",
  deleteTag: "articles:write",
  mergeTag: "articles:write",
  listAuthors: "articles:read",
  getAuthor: "articles:read",
  createAuthor: "articles:write",
  updateAuthor: "articles:write",
  deleteAuthor: "articles:write",
  mergeAuthor: "articles:write",
  listMovedSlugs: "articles:read",
  deleteArticle: "articles:write",
  searchArticles: "articles:read",
  listRevisions: "articles:read",
  getRevision: "articles:read",
  compareRevisions: "articles:read",
  restoreRevision: "articles:write",
  getDraft: "articles:read",
  saveDraft: "articles:write",
  discardDraft: "articles:write",
  publishDraft: "articles:write",
  listTopics: "topics:read",
  getTopic: "topics:read",
  updateTopic: "topics:write",
  refreshTopics: "topics:write",
  showRefresh: "topics:read",
  researchTopics: "topics:read",
  listBlogs: "blogs:read",
  createBlog: "blogs:write",
  updateBlog: "blogs:write",
  getSite: "blogs:read",
  updateSite: "blogs:write",
  showBlog: null,
  searchBlog: null,
  compareLocales: "articles:read",
  listContacts: "contacts:read",
  createContact: "contacts:write",
  getContact: "contacts:read",
  eraseContact: "contacts:write",
  listWebhookSubscriptions: "operator",
  getWebhookSubscription: "operator",
  createWebhookSubscription: "operator",
  updateWebhookSubscription: "operator",
  deleteWebhookSubscription: "operator",
  listDeliveries: "operator",
  getDelivery: "operator",
  pingWebhookSubscription: "operator",
  listDeliveryHours: "operator",
  listDeadLetters: "operator",
  retryDeadLetter: "operator",
  listRevocations: "operator",
  listApiKeys: "operator",
  createApiKey: "operator",
  revokeApiKey: "operator",
  listAccessTokens: "operator",
  createAccessToken: "operator",
  revokeAccessToken: "operator",
  getBlog: "blogs:read",
  listMembers: "operator",
  getMember: "operator",
  updateMember: "operator",
  removeMember: "operator",
  listInvitations: "operator",
  createInvitation: "operator",
  cancelInvitation: "operator",
  showOrganization: "operator",
  updateOrganization: "operator",
  getUsage: "blogs:read",
  showCaller: null,
  listAudit: "operator",
};

/** By hand: what may be called without credentials. */
const PUBLIC: ReadonlySet<OperationName> = new Set([
  "listArticles",
  "getArticle",
  "showBlog",
  "searchBlog",
  "listTags",
  "listAuthors",
] as const);

/** Writes after which what they wrote to is gone. */
const GONE_AFTERWARDS: ReadonlySet<OperationName> = new Set(["publishDraft", "mergeTag", "mergeAuthor"] as const);

it("every operation says here who may call it", () => {
  expect(Object.keys(NEEDS).toSorted()).toEqual(Object.keys(registry).toSorted());
});

let world: World;
const keys = new Map<Scope | "none" | "all", string>();
beforeAll(async () => {
  world = await newWorld();
  const operator = { operatorToken: world.tenant.operatorToken };
  keys.set("none", (await issueKey(operator, [])).secret);
  keys.set("all", (await issueKey(operator, SCOPES)).secret);
  for (const scope of SCOPES) keys.set(scope, (await issueKey(operator, [scope])).secret);
});

describe.each(everyRoute)("$title", ({ route, name }) => {
  const needed = NEEDS[name];

  it("refuses a key without its scope, whatever others it has", async () => {
    const wrong = [...keys].filter(([scope]) => {
      if (needed === null) return false;
      return needed === "operator" || (scope !== needed && scope !== "all");
    });
    expect(wrong.length).toBe(needed === null ? 0 : needed === "operator" ? SCOPES.length + 2 : SCOPES.length);
    await storingNothing(async () => {
      for (const [, apiKey] of wrong) {
        const response = await call(route, validInput(route, world), { as: { apiKey } });
        const problem = await refusalOf(response, needed === "operator" ? "operator_required" : "scope_missing");
        if (needed !== "operator") expect(problem.detail).toContain(needed);
      }
    });
  });

  it("accepts a key with its scope alone, and an operator token", async () => {
    const own = await newWorld();
    const operator = { operatorToken: own.tenant.operatorToken };
    const callers = [{ operatorToken: (await issueToken(operator)).secret }];
    const right =
      needed === "operator" ? [] : [{ apiKey: (await issueKey(operator, needed === null ? [] : [needed])).secret }];
    for (const as of [...right, ...callers]) {
      const response = await call(route, validInput(route, own), { as });
      const text = await response.text();
      // What the first caller deleted or published, the second one finds gone.
      const gone =
        (route.operation.effect === "delete" || GONE_AFTERWARDS.has(name)) && as === callers[0] && right.length > 0;
      expect(gone ? [404] : [200, 202], text).toContain(response.status);
    }
  });

  it("is public only where contract 10.6 says so", async () => {
    const response = await call(route, validInput(route, world));
    if (PUBLIC.has(name)) expect(response.status).toBe(200);
    else await refusalOf(response, "credentials_missing");
  });

  it("asks for the scope before it looks at the input", async () => {
    if (needed === null) return;
    await storingNothing(async () => {
      const input = { ...validInput(route, world), blogId: "nowhere", limit: "x", unknown: {} };
      const response = await call(route, input, { as: { apiKey: keys.get("none") ?? "" } });
      await refusalOf(response, needed === "operator" ? "operator_required" : "scope_missing");
    });
  });
});

describe("scopes", () => {
  it("that do not exist cannot be given", async () => {
    const operator = { operatorToken: world.tenant.operatorToken };
    await storingNothing(async () => {
      for (const scope of [
        "operator",
        "*",
        "articles:*",
        "articles",
        "Articles:Read",
        "articles:read ",
        "admin",
        "",
        null,
      ]) {
        await expect(issueKey(operator, [scope as Scope])).rejects.toThrow("invalid_request");
      }
    });
  });

  it("are given once each", async () => {
    const operator = { operatorToken: world.tenant.operatorToken };
    expect(await issueKey(operator, ["blogs:read", "blogs:read"])).toMatchObject({ scopes: ["blogs:read"] });
  });
});
