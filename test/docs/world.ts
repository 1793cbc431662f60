/** What the examples of the reference are about: makes the things whose identifiers they name. */
import { expect, vi } from "vitest";
import { SCOPES } from "../../src/domain/principal.ts";
import { WAIT } from "../e2e/local-run.ts";
import { ownOrganization } from "../e2e/shared.ts";
import type { Shared } from "../e2e/shared-run.ts";
import { newVisitor } from "../e2e/visitor.ts";

type Body = Readonly<Record<string, unknown>>;
type Answer = { readonly _id: string } & Readonly<Record<string, unknown>>;

/** Identifiers that were made for examples, by their names in scripts/docs/samples.ts. */
type Made = Record<string, string>;

/** A small picture: a PNG of ten by ten pixels. */
export const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP4z8CAB+GTG8HSALfKY52fTcuYAAAAAElFTkSuQmCC",
  "base64",
);

export type World = Awaited<ReturnType<typeof newWorld>>;

let made = 0;

/**
 * The things of an organization of its own: several languages together would send more than an organization may in a
 * minute. The operations in `reading` change nothing, so all of them get the same things.
 */
export async function newWorld({ local }: Shared, reading: ReadonlySet<string>) {
  const { apiKey: worldKey, operatorToken } = await ownOrganization();
  let blogOfArticles: Promise<string> | undefined;
  let blogOfTopics: Promise<string> | undefined;
  const kept: Made = {};

  async function call(method: string, path: string, body?: Body, isOperator = false): Promise<Answer> {
    const authorization = isOperator ? `Token ${operatorToken}` : `Basic ${btoa(`${worldKey}:`)}`;
    const response = await fetch(`${local.baseUrl}${path}`, {
      method,
      headers: { Authorization: authorization, "Content-Type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as Answer;
  }

  const operator = (method: string, path: string, body?: Body) => call(method, path, body, true);

  const apiKey = String((await operator("POST", "/api/apikeys", { name: "Examples", scopes: SCOPES }))["secret"]);

  async function newBlog(operation: string): Promise<string> {
    const { _id } = await call("POST", "/api/blogs", { name: `Examples ${made++}`, locales: ["en", "de"] });
    if (operation.startsWith("topics.re")) {
      await call("PUT", `/api/blogs/${_id}`, { topicSources: [{ kind: "feed", url: local.feedUrl }] });
    }
    if (["blogs.restore", "blogs.erase"].includes(operation)) await operator("DELETE", `/api/blogs/${_id}`);
    return _id;
  }

  /** A blog whose source has been read. */
  async function newBlogOfTopics(): Promise<string> {
    const blogId = await newBlog("topics.refresh");
    await call("POST", "/api/topics/refresh", { blogId });
    await vi.waitFor(async () => expect(await call("GET", `/api/topics?blogId=${blogId}`)).not.toEqual([]), WAIT);
    return blogId;
  }

  /**
   * An article, published unless it is to be. It has a former state, a working copy or a schedule where an example needs
   * one, and all of them where it is only read.
   */
  async function newArticle(operation: string, blogId: string): Promise<string> {
    const texts = {
      blogId,
      title: `Example ${made++}`,
      content: "Begin at the river.",
      published: operation !== "schedules.set",
    };
    const { _id } = await call("POST", "/api/articles", texts);
    const isRead = reading.has(operation);
    const hasState = isRead || operation.startsWith("revisions.");
    if (hasState) await call("POST", "/api/articles", { _id, content: "After." });
    const hasCopy =
      isRead || operation.startsWith("approvals.") || (operation.startsWith("drafts.") && operation !== "drafts.save");
    if (hasCopy) await call("PUT", `/api/articles/${_id}/draft`, { title: "Later" });
    const hasSchedule = isRead || operation === "schedules.delete";
    if (hasSchedule) await call("PUT", `/api/articles/${_id}/schedule`, { unpublishTime: "2034-12-24T18:00:00Z" });
    if (isRead || operation.startsWith("approvals.")) await call("PUT", `/api/articles/${_id}/approval`, {});
    if (operation.startsWith("trash.")) await call("DELETE", `/api/articles/${_id}`);
    if (operation === "deletions.cancel") await call("PUT", `/api/articles/${_id}/deletion`, {});
    return _id;
  }

  async function newMember(): Promise<string> {
    const email = `member-${made++}@example.com`;
    const { link } = await operator("POST", "/api/invitations", { email, role: "writer" });
    const page = await newVisitor(local.baseUrl).post(`${String(link)}/sign-up`, {
      name: "Ada",
      email,
      password: "correct horse battery staple",
    });
    if (page.status !== 200) throw new Error(`the invitation was answered with ${page.status}`);
    const members = (await operator("GET", "/api/members")) as unknown as { _id: string; email: string }[];
    return members.find((member) => member.email === email)?._id ?? "";
  }

  async function newPicture(): Promise<string> {
    const response = await fetch(`${local.baseUrl}/api/media`, {
      method: "POST",
      headers: { Authorization: `Basic ${btoa(`${worldKey}:`)}`, "Content-Type": "image/png" },
      body: PICTURE,
    });
    return ((await response.json()) as Answer)._id;
  }

  const idOf = async (answer: Promise<Answer>): Promise<string> => (await answer)._id;

  /** Makes each kind of thing; those that belong to another one find it in `ids`. */
  const makers: Readonly<Record<string, (operation: string, ids: Made) => Promise<string>>> = {
    blogId: (operation) => newBlog(operation),
    articleId: async (operation, ids) =>
      newArticle(operation, (ids["blogId"] ??= await (blogOfArticles ??= newBlog(operation)))),
    previewId: (_, ids) => idOf(call("POST", `/api/articles/${ids["articleId"]}/previews`, {})),
    tagId: async (operation, ids) => {
      ids["blogId"] ??= await newBlog(operation);
      return idOf(call("POST", "/api/tags", { blogId: ids["blogId"], name: "Walks" }));
    },
    authorId: async (operation, ids) => {
      ids["blogId"] ??= await newBlog(operation);
      return idOf(call("POST", "/api/authors", { blogId: ids["blogId"], name: "Grace Hopper" }));
    },
    host: async (operation, ids) => {
      const host = `example-${made++}.example.com`;
      if (operation === "hosts.add") return host;
      await call("POST", `/api/blogs/${ids["blogId"]}/site/hosts`, { host });
      return host;
    },
    redirectId: (_, ids) =>
      idOf(call("POST", `/api/blogs/${ids["blogId"]}/redirects`, { from: `/example-${made++}`, to: "/archive" })),
    importId: async (operation, ids) => {
      const imports = `/api/blogs/${ids["blogId"]}/imports`;
      const posts = [{ id: "1", title: "Example", slug: `example-${made++}`, html: "<p>Text</p>", status: "draft" }];
      const id = await idOf(call("POST", imports, { db: [{ data: { posts } }] }));
      const reaches = (state: string) =>
        vi.waitFor(async () => expect(await call("GET", `${imports}/${id}`)).toMatchObject({ state }), WAIT);
      await reaches("checked");
      if (operation !== "imports.undo") return id;
      await call("POST", `${imports}/${id}/start`, {});
      await reaches("done");
      return id;
    },
    topicId: async () => {
      const blogId = await (blogOfTopics ??= newBlogOfTopics());
      const topics = (await call("GET", `/api/topics?blogId=${blogId}`)) as unknown as Answer[];
      return topics[0]?._id ?? "";
    },
    generationId: async () => crypto.randomUUID(),
    refreshId: async () => {
      const blogId = await (blogOfTopics ??= newBlogOfTopics());
      return idOf(call("POST", "/api/topics/refresh", { blogId }));
    },
    webhookSubscriptionId: () =>
      idOf(operator("POST", "/api/webhooksubscriptions", { url: "http://127.0.0.1:9/hook", events: ["blog.created"] })),
    contactId: async (operation) => {
      const blogId = await newBlog(operation);
      return idOf(call("POST", "/api/contacts", { blogId, email: `reader-${made++}@example.com` }));
    },
    mediaId: newPicture,
    apiKeyId: () => idOf(operator("POST", "/api/apikeys", { name: "Example" })),
    accessTokenId: () => idOf(operator("POST", "/api/accesstokens", { name: "Example" })),
    memberId: newMember,
    invitationId: () =>
      idOf(operator("POST", "/api/invitations", { email: `guest-${made++}@example.com`, role: "reader" })),
    otherTagId: (_, ids) => idOf(call("POST", "/api/tags", { blogId: ids["blogId"], name: "Rivers" })),
    otherAuthorId: (_, ids) => idOf(call("POST", "/api/authors", { blogId: ids["blogId"], name: "Mary Jackson" })),
  };

  return {
    apiKey,
    operatorToken,
    call,
    operator,
    /** Puts identifiers of real things, made for it, in the place of the samples in an example's text. */
    async withReal(operation: string, text: string, samples: Readonly<Record<string, string>>): Promise<string> {
      const ids = reading.has(operation) ? kept : {};
      let real = text;
      for (const [name, sample] of Object.entries(samples)) {
        const make = makers[name];
        if (!text.includes(sample) || make === undefined) continue;
        // A picture that is uploaded again is the same thing, which another example may have deleted.
        if (name === "mediaId") ids[name] = await make(operation, ids);
        ids[name] ??= await make(operation, ids);
        real = real.replaceAll(sample, ids[name]);
      }
      return real.replaceAll("ada@example.com", `ada-${made++}@example.com`);
    },
  };
}
