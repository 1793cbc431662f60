/** Every operation with every single scope: it runs exactly where its scope was given. */
import { beforeAll, describe, expect, it } from "vitest";
import { SCOPES, type Scope } from "../../src/domain/principal.ts";
import { registry } from "../../src/operations/registry.ts";
import { issueKey, type Credential } from "../helpers/requests.ts";
import {
  call,
  everyRoute,
  everyWrite,
  newWorld,
  validInput,
  type OperationName,
  type World,
} from "../helpers/operations.ts";
import { quiet, refusalOf, storingNothing } from "../helpers/refusals.ts";
import { sample } from "../helpers/sample.ts";

/** By hand, from contract 10.4, 10.5 and 10.6: who may do what. Null: whoever has credentials. */
const NEEDS: Record<OperationName, Scope | "operator" | null> = {
  listArticles: "articles:read",
  listAllArticles: "articles:read",
  getArticle: "articles:read",
  saveArticle: "articles:draft",
  generateArticle: "articles:draft",
  assistArticle: "articles:draft",
  outlineArticle: "articles:draft",
  changeArticles: "articles:write",
  listGenerations: "articles:read",
  startGeneration: "articles:draft",
  estimateGeneration: "articles:draft",
  getGeneration: "articles:read",
  resumeGeneration: "articles:draft",
  listSchedules: "articles:read",
  getSchedule: "articles:read",
  setSchedule: "articles:write",
  deleteSchedule: "articles:write",
  listApprovals: "articles:read",
  getApproval: "articles:read",
  requestApproval: "articles:draft",
  withdrawApproval: "articles:draft",
  approve: "articles:write",
  declineApproval: "articles:write",
  listDeletions: "articles:read",
  setDeletion: "articles:write",
  cancelDeletion: "articles:write",
  listTrash: "articles:read",
  restoreArticle: "articles:write",
  deleteTrash: "articles:write",
  listPreviews: "articles:read",
  createPreview: "articles:write",
  revokePreview: "articles:write",
  listMedia: "articles:read",
  getMedia: "articles:read",
  listMediaUses: "articles:read",
  createMedia: "articles:draft",
  createEmbed: "articles:draft",
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
  listPassages: "articles:read",
  listArticleSources: "articles:read",
  proposeUpdate: "articles:draft",
  getRevision: "articles:read",
  compareRevisions: "articles:read",
  restoreRevision: "articles:draft",
  getDraft: "articles:read",
  saveDraft: "articles:draft",
  discardDraft: "articles:draft",
  editArticle: "articles:draft",
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
  deleteBlog: "operator",
  listDeletedBlogs: "operator",
  restoreBlog: "operator",
  eraseBlog: "operator",
  getSite: "blogs:read",
  updateSite: "blogs:write",
  listHosts: "blogs:read",
  addHost: "blogs:write",
  checkHost: "blogs:write",
  removeHost: "blogs:write",
  importContacts: "contacts:write",
  listRedirects: "blogs:read",
  addRedirect: "blogs:write",
  addRedirects: "blogs:write",
  createImport: "articles:write",
  listImports: "articles:read",
  getImport: "articles:read",
  listImportedArticles: "articles:read",
  startImport: "articles:write",
  undoImport: "articles:write",
  deleteImport: "articles:write",
  removeRedirect: "blogs:write",
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
  redeliver: "operator",
  replaceWebhookSubscription: "operator",
  redeliverMissing: "operator",
  pingWebhookSubscription: "operator",
  listEvents: "events:read",
  listDeliveryHours: "operator",
  listDeadLetters: "operator",
  retryDeadLetter: "operator",
  listRevocations: "operator",
  listApiKeys: "operator",
  createApiKey: "operator",
  updateApiKey: "operator",
  rotateApiKey: "operator",
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
  beginExport: "operator",
  deleteOrganization: "operator",
  exportRows: "operator",
  exportFile: "operator",
  getUsage: "blogs:read",
  showCaller: null,
  listAudit: "operator",
  undoChanges: "articles:write",
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

it("contract 16.2: every operation says here who may call it", () => {
  expect(Object.keys(NEEDS).toSorted()).toEqual(Object.keys(registry).toSorted());
});

/** The secrets of an organization's keys: one with each scope alone, one with none and one with all. */
async function keysOf({ tenant }: World): Promise<Map<Scope | "none" | "all", string>> {
  const operator = { operatorToken: tenant.operatorToken };
  const kinds = [["none", []], ["all", SCOPES], ...SCOPES.map((scope) => [scope, [scope]] as const)] as const;
  const keys = new Map<Scope | "none" | "all", string>();
  for (const [kind, scopes] of kinds) keys.set(kind, (await issueKey(operator, scopes)).secret);
  return keys;
}

let world: World;
let keys: Awaited<ReturnType<typeof keysOf>>;
beforeAll(async () => {
  world = await newWorld();
  keys = await keysOf(world);
});

describe.each(everyRoute)("$title", ({ route, name, turn }) => {
  const needed = NEEDS[name];

  it("is public only where contract 10.6 says so", async () => {
    const response = await call(route, validInput(route, world));
    if (PUBLIC.has(name)) expect(response.status).toBe(200);
    else {
      expect(response.headers.get("WWW-Authenticate")).toMatch(/^Basic /);
      await refusalOf(response, "credentials_missing");
    }
  });

  it.skipIf(needed === null)("refuses a key without its scope, before it looks at the input", async () => {
    const code = needed === "operator" ? "operator_required" : "scope_missing";
    const right = new Set([needed, "all", needed === "articles:draft" && "articles:write"]);
    const wrong = [...keys].filter(([scope]) => needed === "operator" || !right.has(scope));
    expect(wrong.length).toBeGreaterThanOrEqual(SCOPES.length - 1);
    await storingNothing(async () => {
      for (const [, apiKey] of sample(wrong, turn)) {
        const problem = await refusalOf(await call(route, validInput(route, world), { as: { apiKey } }), code);
        if (needed !== "operator") expect(problem.detail).toContain(needed);
      }
      const input = { ...validInput(route, world), blogId: "nowhere", limit: "x", unknown: {} };
      await refusalOf(await call(route, input, { as: { apiKey: keys.get("none") ?? "" } }), code);
    });
  });
});

describe("every operation", () => {
  // A world for each kind of caller: what one of them deletes, the other one still finds.
  let ofKeys: World;
  let ofOperator: World;
  let right: Awaited<ReturnType<typeof keysOf>>;
  beforeAll(async () => {
    [ofKeys, ofOperator] = [await newWorld(), await newWorld()];
    right = await keysOf(ofKeys);
  });

  const reads = everyRoute.filter(({ route }) => route.operation.effect === "read");
  it.each([...reads, ...everyWrite])(
    "accepts an operator token, and a key with its scope alone: $title",
    async (each) => {
      await quiet();
      const needed = NEEDS[each.name];
      const accepted = async (of: World, as: Credential) => {
        const response = await call(each.route, validInput(each.route, of), { as });
        expect([200, 202], `${Object.keys(as)[0]}: ${await response.text()}`).toContain(response.status);
      };
      await accepted(ofOperator, { operatorToken: ofOperator.tenant.operatorToken });
      // Most are about what is published; contract/drafts-only.test.ts tries what articles:draft alone allows.
      const scope = needed === "articles:draft" ? "articles:write" : (needed ?? "none");
      if (scope !== "operator") await accepted(ofKeys, { apiKey: right.get(scope) ?? "" });
    },
  );
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
});
