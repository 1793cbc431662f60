/** Contract 13.1, 13.2 behind a cache that compresses, and so makes the tags of responses weak. */
import { gunzipSync, brotliDecompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { registry } from "../../src/operations/registry.ts";
import { freshGif, newMedia } from "../helpers/pictures.ts";
import { headerOf } from "../helpers/outcome.ts";
import { newIdeas } from "../helpers/ideas.ts";
import type { OperationName } from "../helpers/operations.ts";
import { newMember } from "../helpers/people.ts";
import { sendJson, type Credential } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";
import { subscribe } from "../helpers/webhooks.ts";
import { EdgeCache } from "./edge-cache.ts";

/** What clients send: curl --compressed, browsers, Node's fetch. */
const COMPRESSING = { "Accept-Encoding": "gzip, deflate, br" };

type Write = {
  readonly read: string;
  readonly path: string;
  readonly method: string;
  readonly body?: object;
  /** The content type of the body, if it is not JSON. */
  readonly type?: string;
  readonly isLast?: true;
  /** The write leaves the version as it is, so that it can be sent again. */
  readonly isSteady?: true;
  /** The status of the same write sent once more, if it is none of the usual ones. */
  readonly again?: number;
};

/** Every operation that takes If-Match, on something that was just made. */
const WRITES: Readonly<Partial<Record<OperationName, (tenant: Tenant) => Promise<Write>>>> = {
  saveArticle: async (tenant) => {
    const { _id } = await newArticle(tenant);
    return { read: `/api/articles/${_id}`, path: "/api/articles", method: "POST", body: { _id, title: "Edited" } };
  },
  deleteArticle: async (tenant) => {
    const path = `/api/articles/${(await newArticle(tenant))._id}`;
    return { read: path, path, method: "DELETE" };
  },
  setSchedule: async (tenant) => {
    const path = await scheduled(tenant);
    return { read: path, path, method: "PUT", body: { publishTime: "2032-01-01T09:00" } };
  },
  deleteSchedule: async (tenant) => {
    const path = await scheduled(tenant);
    return { read: path, path, method: "DELETE" };
  },
  setDeletion: async (tenant) => {
    const read = `/api/articles/${(await newArticle(tenant))._id}`;
    return { read, path: `${read}/deletion`, method: "PUT", body: {}, isSteady: true };
  },
  restoreRevision: async (tenant) => {
    const { _id } = await newArticle(tenant, { title: "One" });
    const as = { apiKey: tenant.apiKey };
    await sendJson(200, "/api/articles", { as, body: { _id, title: "Two" } });
    return { read: `/api/articles/${_id}`, path: `/api/articles/${_id}/revisions/1/restore`, method: "POST", body: {} };
  },
  editArticle: async (tenant) => {
    const read = `/api/articles/${(await newArticle(tenant, { content: "One", published: false }))._id}`;
    return { read, path: `${read}/edits`, method: "POST", body: { edits: [{ find: "One", replace: "One, two" }] } };
  },
  saveDraft: async (tenant) => {
    const path = await workingCopy(tenant);
    return { read: path, path, method: "PUT", body: { title: "Edited again" } };
  },
  discardDraft: async (tenant) => {
    const path = await workingCopy(tenant);
    return { read: path, path, method: "DELETE" };
  },
  publishDraft: async (tenant) => {
    const read = await workingCopy(tenant);
    return { read, path: `${read}/publish`, method: "POST", body: {}, isLast: true };
  },
  requestApproval: async (tenant) => {
    const read = `/api/articles/${(await newArticle(tenant, { published: false }))._id}`;
    return { read, path: `${read}/approval`, method: "PUT", body: {}, isSteady: true };
  },
  approve: async (tenant) => {
    const read = await requested(tenant);
    return { read, path: `${read}/approve`, method: "POST", body: { action: "publish" }, isLast: true };
  },
  declineApproval: async (tenant) => {
    const read = await requested(tenant);
    return { read, path: `${read}/decline`, method: "POST", body: {} };
  },
  updateTag: (tenant) => renamedTerm(tenant, "tags"),
  deleteTag: (tenant) => deletedTerm(tenant, "tags"),
  mergeTag: (tenant) => mergedTerm(tenant, "tags"),
  updateAuthor: (tenant) => renamedTerm(tenant, "authors"),
  deleteAuthor: (tenant) => deletedTerm(tenant, "authors"),
  mergeAuthor: (tenant) => mergedTerm(tenant, "authors"),
  updateMedia: async (tenant) => {
    const path = await uploaded(tenant);
    return { read: path, path, method: "PUT", body: { alt: "A harbour" } };
  },
  replaceMedia: async (tenant) => {
    const read = await uploaded(tenant);
    return { read, path: `${read}/file`, method: "PUT", body: freshGif(), type: "image/gif" };
  },
  deleteMedia: async (tenant) => {
    const path = await uploaded(tenant);
    return { read: path, path, method: "DELETE" };
  },
  eraseContact: async (tenant) => {
    const body = { blogId: tenant.blogId, email: "ada@example.com", name: "Ada" };
    const as = credentialFor(tenant, "/api/contacts");
    const { _id } = await sendJson<{ _id: string }>(200, "/api/contacts", { as, body });
    return { read: `/api/contacts/${_id}`, path: `/api/contacts/${_id}`, method: "DELETE" };
  },
  updateBlog: async ({ blogId }) => {
    const path = `/api/blogs/${blogId}`;
    return { read: path, path, method: "PUT", body: { name: "Renamed" } };
  },
  deleteBlog: async ({ blogId }) => {
    const path = `/api/blogs/${blogId}`;
    return { read: path, path, method: "DELETE", again: 403 };
  },
  updateSite: async ({ blogId }) => {
    const path = `/api/blogs/${blogId}/site`;
    return { read: path, path, method: "PUT", body: { description: "Changed" } };
  },
  updateTopic: async (tenant) => {
    const [id] = await newIdeas(tenant, [{}]);
    return { read: `/api/topics/${id}`, path: `/api/topics/${id}`, method: "PATCH", body: { status: "dismissed" } };
  },
  updateWebhookSubscription: async (tenant) => {
    const path = `/api/webhooksubscriptions/${(await subscribe(tenant))._id}`;
    return { read: path, path, method: "PUT", body: { active: false } };
  },
  deleteWebhookSubscription: async (tenant) => {
    const path = `/api/webhooksubscriptions/${(await subscribe(tenant))._id}`;
    return { read: path, path, method: "DELETE" };
  },
  updateMember: async ({ organizationId }) => {
    const path = `/api/members/${(await newMember(organizationId, "reader")).memberId}`;
    return { read: path, path, method: "PUT", body: { role: "writer" } };
  },
  removeMember: async ({ organizationId }) => {
    const path = `/api/members/${(await newMember(organizationId, "reader")).memberId}`;
    return { read: path, path, method: "DELETE" };
  },
};

/** Uploads a picture; returns its path. */
const uploaded = async ({ operatorToken }: Tenant): Promise<string> =>
  `/api/media/${(await newMedia({ operatorToken }))._id}`;

let terms = 0;

/** Stores a tag or an author, and returns its path. */
async function newTerm({ apiKey, blogId }: Tenant, kind: "tags" | "authors"): Promise<string> {
  const body = { blogId, name: `Term ${++terms}` };
  const { _id } = await sendJson<{ _id: string }>(200, `/api/${kind}`, { as: { apiKey }, body });
  return `/api/${kind}/${_id}`;
}

async function renamedTerm(tenant: Tenant, kind: "tags" | "authors"): Promise<Write> {
  const path = await newTerm(tenant, kind);
  return { read: path, path, method: "PUT", body: { name: "Renamed" } };
}

async function deletedTerm(tenant: Tenant, kind: "tags" | "authors"): Promise<Write> {
  const path = await newTerm(tenant, kind);
  return { read: path, path, method: "DELETE" };
}

async function mergedTerm(tenant: Tenant, kind: "tags" | "authors"): Promise<Write> {
  const [path, other] = [await newTerm(tenant, kind), await newTerm(tenant, kind)];
  return { read: path, path: `${path}/merge`, method: "POST", body: { into: other.split("/").at(-1) }, isLast: true };
}

/** Schedules a draft; returns the path of its schedule. */
async function scheduled(tenant: Tenant): Promise<string> {
  const path = `/api/articles/${(await newArticle(tenant, { published: false }))._id}/schedule`;
  const body = { publishTime: "2031-01-01T09:00" };
  await sendJson(200, path, { as: { apiKey: tenant.apiKey }, method: "PUT", body });
  return path;
}

/** Asks for the approval of a draft; returns the path of the request. */
async function requested(tenant: Tenant): Promise<string> {
  const path = `/api/articles/${(await newArticle(tenant, { published: false }))._id}/approval`;
  await sendJson(200, path, { as: { apiKey: tenant.apiKey }, method: "PUT", body: {} });
  return path;
}

/** Makes a working copy; returns its path. */
async function workingCopy(tenant: Tenant): Promise<string> {
  const path = `/api/articles/${(await newArticle(tenant))._id}/draft`;
  await sendJson(200, path, { as: { apiKey: tenant.apiKey }, method: "PUT", body: { title: "Edited" } });
  return path;
}

const VERSIONED = (Object.keys(registry) as OperationName[]).filter((name) => "versioned" in registry[name]);

/** Articles and ideas are for keys, the rest for operators. */
const credentialFor = (tenant: Tenant, path: string): Credential =>
  /articles|topics/.test(path) ? { apiKey: tenant.apiKey } : { operatorToken: tenant.operatorToken };

describe("a tag from a compressed response", () => {
  it.each(VERSIONED)("fits in If-Match, and no more after it: %s", async (name) => {
    const tenant = await newTenant();
    const edge = new EdgeCache();
    const prepare = WRITES[name];
    if (prepare === undefined) throw new Error(`${name} takes If-Match, and has no case here`);
    const { read, path, method, body, type, isLast = method === "DELETE", isSteady, again } = await prepare(tenant);
    const as = credentialFor(tenant, path);
    const etag = headerOf(await edge.fetch(read, { as, headers: COMPRESSING }), "ETag");
    expect(etag).toMatch(/^W\/"/);
    const typed = type === undefined ? {} : { type };
    const write = { as, method, body, ...typed, headers: { ...COMPRESSING, "If-Match": etag } };
    const stale = { ...write, headers: { "If-Match": 'W/"another"' } };
    expect((await edge.fetch(path, stale)).status).toBe(412);
    expect((await edge.fetch(path, write)).status).toBe(200);
    expect((await edge.fetch(path, write)).status).toBe(again ?? (isSteady ? 200 : isLast ? 404 : 412));
  });

  it("of a write fits in the next write", async () => {
    const tenant = await newTenant();
    const edge = new EdgeCache();
    const { _id } = await newArticle(tenant);
    const as = { apiKey: tenant.apiKey };
    let etag = headerOf(await edge.fetch(`/api/articles/${_id}`, { as, headers: COMPRESSING }), "ETag");
    for (const title of ["One", "Two", "Three"]) {
      const headers = { ...COMPRESSING, "If-Match": etag };
      const written = await edge.fetch("/api/articles", { as, body: { _id, title }, headers });
      expect(written.status).toBe(200);
      etag = headerOf(written, "ETag");
      expect(etag).toMatch(/^W\/"/);
    }
  });

  it("of what everybody may read fits in its owner's write", async () => {
    const tenant = await newTenant();
    const edge = new EdgeCache();
    const { _id } = await newArticle(tenant);
    await edge.fetch(`/api/articles/${_id}`);
    const stored = await edge.fetch(`/api/articles/${_id}`, { headers: COMPRESSING });
    expect(stored.from).toBe("HIT");
    const headers = { "If-Match": headerOf(stored, "ETag") };
    const as = { apiKey: tenant.apiKey };
    expect((await edge.fetch("/api/articles", { as, body: { _id, title: "Edited" }, headers })).status).toBe(200);
  });

  it.each(["stored", "not stored"])("is 304 in If-None-Match, %s", async (how) => {
    const tenant = await newTenant();
    const edge = new EdgeCache();
    const { _id } = await newArticle(tenant);
    const as = how === "stored" ? {} : { apiKey: tenant.apiKey };
    for (const path of [`/api/articles/${_id}`, `/api/articles?blogId=${tenant.blogId}`]) {
      const etag = headerOf(await edge.fetch(path, { as, headers: COMPRESSING }), "ETag");
      const again = await edge.fetch(path, { as, headers: { ...COMPRESSING, "If-None-Match": etag } });
      expect([again.status, again.text]).toEqual([304, ""]);
      expect(again.from).toBe(how === "stored" ? "HIT" : "BYPASS");
    }
  });
});

describe("the cache of the rig", () => {
  it.each(["br", "gzip"])("compresses with %s, and leaves alone what asks for neither", async (encoding) => {
    const edge = new EdgeCache();
    const { _id } = await newArticle(await newTenant(), { content: "word ".repeat(1000) });
    const plain = await edge.fetch(`/api/articles/${_id}`, { headers: { "Accept-Encoding": "identity" } });
    expect(plain.headers.get("ETag")).toMatch(/^"/);
    const short = await edge.fetch(`/api/articles/${_id}`, { headers: { "Accept-Encoding": encoding } });
    expect(short.headers.get("Content-Encoding")).toBe(encoding);
    expect(short.bytes.length).toBeLessThan(plain.bytes.length / 5);
    const bytes = encoding === "br" ? brotliDecompressSync(short.bytes) : gunzipSync(short.bytes);
    expect(new TextDecoder().decode(bytes)).toBe(plain.text);
  });
});
