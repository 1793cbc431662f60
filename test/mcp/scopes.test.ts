/** Which tools and prompts are offered: a client can ask for the scopes that a tool lacks, as far as its person may grant them. */
import { beforeAll, describe, expect, it } from "vitest";
import { MCP_SCOPES, ROLE_GRANTS, type Scope } from "../../src/domain/principal.ts";
import { newWorld, type World } from "../helpers/operations.ts";
import { newIdeas } from "../helpers/ideas.ts";
import { answer, ERAS, post, request } from "../helpers/mcp.ts";
import { connected, fail } from "../helpers/mcp-connected.ts";
import { validCalls, type ToolName } from "../helpers/mcp-tools.ts";
import { storingNothing } from "../helpers/refusals.ts";
import { sample } from "../helpers/sample.ts";

/** By hand: the scopes that each tool needs. */
const NEEDS: Record<ToolName, readonly Scope[]> = {
  list_blogs: ["blogs:read"],
  get_blog: ["blogs:read"],
  list_articles: ["articles:read"],
  search_articles: ["articles:read"],
  get_article: ["articles:read"],
  compare_locales: ["articles:read"],
  list_tags: ["articles:read"],
  list_media: ["articles:read"],
  list_authors: ["articles:read"],
  list_revisions: ["articles:read"],
  compare_revisions: ["articles:read"],
  restore_revision: ["articles:read", "articles:draft"],
  discard_working_copy: ["articles:draft"],
  list_schedules: ["articles:read"],
  list_approvals: ["articles:read"],
  request_approval: ["articles:draft"],
  get_usage: ["blogs:read"],
  research_topics: ["topics:read"],
  list_events: ["events:read"],
  list_topics: ["topics:read"],
  create_article: ["articles:draft"],
  update_article: ["articles:read", "articles:draft"],
  create_preview_link: ["articles:write"],
  edit_article: ["articles:draft"],
  upload_media: ["articles:draft"],
  create_embed: ["articles:draft"],
  publish_article: ["articles:write"],
  unpublish_article: ["articles:write"],
  schedule_article: ["articles:write"],
  generate_article: ["articles:draft"],
  start_generation: ["articles:draft"],
  get_generation: ["articles:read"],
  refresh_topics: ["topics:write"],
  delete_article: ["articles:write"],
};

const names = Object.keys(NEEDS) as ToolName[];

/** By hand: the tools that each prompt tells a model to use, and the one whose scope its own texts need. */
const PROMPT_TOOLS: Readonly<Record<string, { readonly told: readonly ToolName[]; readonly reads: ToolName }>> = {
  translate_article: { told: ["create_article", "get_article"], reads: "get_article" },
  write_post_from_topic: { told: ["create_article", "search_articles"], reads: "list_topics" },
};

const listed = async (method: "tools/list" | "prompts/list", token: string, era = ERAS[0] as (typeof ERAS)[number]) => {
  const { result } = await request(method, {}, { token, era });
  const items = result?.[method === "tools/list" ? "tools" : "prompts"] as { name: string }[];
  return items.map(({ name }) => name).sort();
};

let world: World;
beforeAll(async () => {
  world = await newWorld();
});

const SETS: readonly (readonly Scope[])[] = [
  ...MCP_SCOPES.map((scope) => [scope]),
  ["articles:read", "articles:draft"],
  ["articles:read", "articles:write"],
  ["articles:read", "blogs:read", "topics:read"],
  ["topics:read", "topics:write"],
  ["topics:read", "articles:write"],
  MCP_SCOPES,
];

describe.each(SETS.map((scopes) => ({ scopes })))("granted $scopes", ({ scopes }) => {
  let token: string;
  beforeAll(async () => {
    token = await connected(world.tenant, { scopes });
  });
  // Who may write articles may write drafts.
  const has = (scope: Scope) =>
    scopes.includes(scope === "articles:draft" && scopes.includes("articles:write") ? "articles:write" : scope);
  const allowed = (name: ToolName) => NEEDS[name].every(has);

  it.each(ERAS)("lists all tools that their person may allow (%s)", async (era) => {
    expect(await listed("tools/list", token, era)).toEqual([...names].sort());
  });

  it.each(ERAS)("lists exactly the prompts whose tools they allow (%s)", async (era) => {
    const offered = Object.entries(PROMPT_TOOLS).filter(([, { told, reads }]) => [...told, reads].every(allowed));
    expect(await listed("prompts/list", token, era)).toEqual(offered.map(([name]) => name));
  });

  it("refuses the others with all scopes that they need, and stores nothing", async () => {
    const refused = names.filter((name) => !allowed(name));
    await storingNothing(async () => {
      for (const [nth, name] of refused.entries()) {
        // What is wrong with the input is no business of whoever may not call it.
        for (const input of sample([validCalls[name](world), { nonsense: 1 }], nth, 1)) {
          const response = await post("tools/call", { name, arguments: input }, { token });
          const challenge = response.headers.get("WWW-Authenticate");
          expect([name, response.status, await response.json()]).toMatchObject([name, 403, { code: "scope_missing" }]);
          expect(challenge).toContain('error="insufficient_scope"');
          expect(challenge).toContain('/.well-known/oauth-protected-resource/mcp"');
          expect(
            / scope="([^"]*)"/
              .exec(challenge ?? "")?.[1]
              ?.split(" ")
              .sort(),
          ).toEqual([...new Set([...NEEDS[name], ...scopes])].sort());
        }
      }
    });
  });
});

describe.each(["contributor", "reader"] as const)("the app of a %s", (role) => {
  const may = (name: ToolName) => NEEDS[name].every((scope) => ROLE_GRANTS[role].includes(scope));

  it("is not offered what the role does not allow, and is refused it by the tool: its person cannot grant it", async () => {
    const token = await connected(world.tenant, { role });
    expect(await listed("tools/list", token)).toEqual(names.filter(may).sort());
    await storingNothing(async () => {
      for (const name of names.filter((each) => !may(each)))
        expect(await fail(token, name, validCalls[name](world))).toMatchObject({ code: "scope_missing" });
    });
  });
});

it("a prompt tells a model to use no tools but those that it is offered with", async () => {
  const [topicId = ""] = await newIdeas(world.tenant, [{ title: "Quince" }]);
  const given: Record<string, object> = {
    translate_article: { articleId: world.article._id, locale: "de" },
    write_post_from_topic: { topicId },
  };
  const token = await connected(world.tenant);
  for (const name of await listed("prompts/list", token)) {
    const { messages } = await answer<{ messages: object[] }>(
      "prompts/get",
      { name, arguments: given[name] },
      { token },
    );
    const text = JSON.stringify(messages);
    const told = names.filter((tool) => text.includes(tool)).sort();
    expect([name, told]).toEqual([name, PROMPT_TOOLS[name]?.told]);
  }
});

it("resources need articles:read", async () => {
  const token = await connected(world.tenant, { scopes: ["blogs:read", "articles:write"] });
  expect((await request("resources/list", {}, { token })).result).toMatchObject({ resources: [] });
  const { error } = await request("resources/read", { uri: `edgepress://articles/${world.article._id}` }, { token });
  expect(error).toMatchObject({ code: -32602, data: { code: "scope_missing" } });
});
