/** Another organization's application, with every tool: it reaches nothing, and learns nothing. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { newWorld, type World } from "../helpers/operations.ts";
import { request } from "../helpers/mcp.ts";
import { call, connected } from "../helpers/mcp-connected.ts";
import { TOOL_NAMES, type ToolName } from "../helpers/mcp-tools.ts";
import { newVictim } from "../helpers/tenancy.ts";
import { MARK, type Victim } from "../helpers/tenancy-attempts.ts";

let victim: Victim;
let attacker: World;
let token: string;
beforeAll(async () => {
  victim = await newVictim();
  attacker = await newWorld("Attacker");
  token = await connected(attacker.tenant);
});

/** What each tool is tried with, and what comes of it: a code, or nothing. */
const ATTEMPTS: Record<ToolName, () => readonly (readonly [input: Record<string, unknown>, outcome: string])[]> = {
  list_blogs: () => [[{}, "own"]],
  get_blog: () => [
    [{ blogId: victim.tenant.blogId }, "not_found"],
    [{ blogId: victim.vanityId }, "not_found"],
  ],
  list_articles: () => [
    [{}, "own"],
    [{ blogId: victim.tenant.blogId }, "own"],
    [{ blogId: victim.tenant.blogId, published: true }, "own"],
    [{ blogId: victim.tenant.blogId, slug: victim.article.slug }, "own"],
  ],
  search_articles: () => [
    [{ query: MARK }, "own"],
    [{ query: "victim" }, "own"],
    [{ query: "victim", blogId: victim.tenant.blogId }, "blog_forbidden"],
  ],
  // Also what is published: MCP is limited to the organization, where REST is not.
  get_article: () => [
    [{ idOrSlug: victim.article._id }, "not_found"],
    [{ idOrSlug: victim.article.slug }, "not_found"],
    [{ idOrSlug: victim.article.slug, blogId: victim.tenant.blogId }, "not_found"],
    [{ idOrSlug: victim.marked._id }, "not_found"],
  ],
  compare_locales: () => [
    [{ blogId: victim.tenant.blogId }, "blog_forbidden"],
    [{ blogId: victim.tenant.blogId, structure: true }, "blog_forbidden"],
  ],
  list_tags: () => [[{ blogId: victim.tenant.blogId }, "own"]],
  list_media: () => [[{}, "own"]],
  list_authors: () => [[{ blogId: victim.tenant.blogId }, "own"]],
  list_revisions: () => [[{ articleId: victim.article._id }, "not_found"]],
  compare_revisions: () => [[{ articleId: victim.article._id, revision: 1 }, "not_found"]],
  restore_revision: () => [[{ articleId: victim.article._id, revision: 1 }, "not_found"]],
  discard_working_copy: () => [[{ articleId: victim.article._id }, "not_found"]],
  list_schedules: () => [
    [{}, "own"],
    [{ blogId: victim.tenant.blogId }, "own"],
  ],
  list_approvals: () => [
    [{}, "own"],
    [{ blogId: victim.tenant.blogId }, "own"],
  ],
  request_approval: () => [[{ articleId: victim.draft._id }, "not_found"]],
  get_usage: () => [[{}, "own"]],
  list_events: () => [
    [{}, "own"],
    [{ blogId: victim.tenant.blogId }, "own"],
  ],
  research_topics: () => [[{ blogId: victim.tenant.blogId }, "blog_forbidden"]],
  list_topics: () => [[{ blogId: victim.tenant.blogId }, "blog_forbidden"]],
  create_article: () => [[{ blogId: victim.tenant.blogId, title: "x" }, "blog_forbidden"]],
  create_preview_link: () => [[{ articleId: victim.draft._id }, "not_found"]],
  update_article: () => [
    [{ articleId: victim.draft._id, title: "x" }, "not_found"],
    [{ articleId: victim.article._id, title: "x" }, "not_found"],
  ],
  edit_article: () => [
    [{ articleId: victim.draft._id, edits: [{ find: "x", replace: "y" }] }, "not_found"],
    [{ articleId: victim.article._id, edits: [{ find: "x", replace: "y" }] }, "not_found"],
  ],
  create_embed: () => [[{ url: "https://a.example" }, "invalid_request"]],
  upload_media: () => [[{ data: btoa("x") }, "unsupported_image"]],
  publish_article: () => [[{ articleId: victim.draft._id }, "not_found"]],
  unpublish_article: () => [[{ articleId: victim.article._id }, "not_found"]],
  schedule_article: () => [
    [{ articleId: victim.draft._id, publishTime: "2032-01-01T09:00" }, "not_found"],
    [{ articleId: victim.draft._id }, "not_found"],
  ],
  generate_article: () => [
    [{ blogId: victim.tenant.blogId, topic: "x" }, "blog_forbidden"],
    [{ topicId: victim.topicId }, "not_found"],
    [{ articleId: victim.marked._id, locale: "de" }, "not_found"],
  ],
  start_generation: () => [[{ order: { blogId: victim.tenant.blogId, topic: "x" } }, "blog_forbidden"]],
  get_generation: () => [[{ generationId: victim.generationId }, "not_found"]],
  refresh_topics: () => [[{ blogId: victim.tenant.blogId }, "blog_forbidden"]],
  delete_article: () => [
    [{ articleId: victim.article._id }, "not_found"],
    [{ articleId: victim.marked._id }, "not_found"],
  ],
};

const articlesOfVictim = async () =>
  (
    await env.DB.prepare("select * from articles where organization_id = ? order by id")
      .bind(victim.tenant.organizationId)
      .all()
  ).results;

describe.each(TOOL_NAMES)("%s", (name) => {
  it("reaches nothing of another organization", async () => {
    const before = await articlesOfVictim();
    for (const [input, outcome] of ATTEMPTS[name]()) {
      const result = await call<{ code?: string }>(token, name, input);
      const label = `${name} ${JSON.stringify(input)}: ${JSON.stringify(result)}`;
      expect(result.structuredContent.code ?? "own", label).toBe(outcome);
      const ids = [victim.article._id, victim.draft._id, victim.marked._id, victim.topicId, MARK];
      // What the caller named may be named back.
      for (const id of ids.filter((each) => !JSON.stringify(input).includes(each))) expect(label).not.toContain(id);
    }
    expect(await articlesOfVictim()).toEqual(before);
  });
});

it("resources and prompts reach nothing either", async () => {
  const uri = `edgepress://articles/${victim.article._id}`;
  expect((await request("resources/read", { uri }, { token })).error?.code).toBe(-32602);
  const { result } = await request("resources/list", {}, { token });
  expect(JSON.stringify(result)).not.toContain(victim.article._id);
  const cursor = `${victim.tenant.blogId}.`;
  expect((await request("resources/list", { cursor }, { token })).error?.code).toBe(-32602);
  const topic = { name: "write_post_from_topic", arguments: { topicId: victim.topicId } };
  expect((await request("prompts/get", topic, { token })).error).toMatchObject({ data: { code: "not_found" } });
  const translation = { name: "translate_article", arguments: { articleId: victim.article._id, locale: "de" } };
  expect((await request("prompts/get", translation, { token })).error).toMatchObject({ data: { code: "not_found" } });
});
