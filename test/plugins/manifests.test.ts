/** The manifests of the agent plugins: they agree with each other, and fit the published formats. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { license, version } from "../../package.json";
import { listFiles, listSkills, makeServedSkills, PLUGIN, PLUGINS, SERVED_SKILLS } from "../../scripts/lib/plugins.ts";

const read = (file: string): string => readFileSync(path.join(PLUGINS, file), "utf8");
const committed = (file: string) => JSON.parse(read(file));

describe("the manifests", () => {
  const plugin = committed("edgepress/plugin.json");
  const { interface: shown } = plugin.extensions["com.openai"];
  const registry = committed("server.json");
  const short = registry.description;
  const { name, description, author, keywords } = plugin;

  it.each([".claude-plugin", ".codex-plugin", ".cursor-plugin"])("describe the plugin alike: %s", (folder) => {
    const same = { name: PLUGIN, version, description, author, license, keywords };
    expect(committed(`edgepress/${folder}/plugin.json`)).toMatchObject(same);
    expect(plugin).toMatchObject(same);
  });

  it("have one name, version and summary", () => {
    expect(name).toBe(PLUGIN);
    expect(registry).toMatchObject({ name: `com.example/${PLUGIN}`, title: shown.displayName, version });
    expect(committed("edgepress/gemini-extension.json")).toMatchObject({ name, version, description: short });
    const listed = [{ name, description: short }];
    expect(committed(".claude-plugin/marketplace.json")).toMatchObject({ name, description: short, plugins: listed });
    const metadata = { description: short };
    expect(committed(".cursor-plugin/marketplace.json")).toMatchObject({ name, metadata, plugins: listed });
    expect(committed(".agents/plugins/marketplace.json")).toMatchObject({ name, plugins: [{ name }] });
  });

  it("say the same to every release of Codex, within its limits", () => {
    expect(committed("edgepress/.codex-plugin/plugin.json").interface).toEqual(shown);
    expect(shown).toMatchObject({ shortDescription: short, longDescription: description });
    expect(shown.defaultPrompt.length).toBeLessThanOrEqual(3);
    expect(shown.defaultPrompt.filter((prompt: string) => prompt.length > 128)).toEqual([]);
  });

  it("hold no credentials", () => {
    for (const file of listFiles(PLUGINS)) {
      expect(read(file), file).not.toMatch(/\b(?:epk|ept|whsec)_[0-9a-zA-Z]|"headers"|"env"/);
    }
  });
});

it("the server has the same skills (npm run plugins)", () => {
  expect(readFileSync(SERVED_SKILLS, "utf8")).toBe(makeServedSkills());
});

it.each(listSkills())("%s has the shared texts, and no others", (skill) => {
  const references = `${PLUGIN}/skills/${skill}/references`;
  const texts = readdirSync(path.join(PLUGINS, "shared"));
  expect(readdirSync(path.join(PLUGINS, references))).toEqual(texts);
  for (const file of texts) expect(read(`${references}/${file}`)).toBe(read(`shared/${file}`));
});

/** Names of Agent Plugins: lower case, no two separators in a row. */
const pluginName = z
  .string()
  .max(64)
  .regex(/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/)
  .regex(/^(?!.*(?:--|\.\.))/);

const author = z.strictObject({ name: z.string().min(1), email: z.email().optional() });

const described = {
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  description: z.string().min(1),
  author,
  license: z.literal("MIT"),
  keywords: z.array(z.string()),
};

/** What the published formats ask of the manifests that no program of the registry checks (docs/plugins.md). */
const FORMATS = {
  // Agent Plugins 1.0.0, plugin.json: unknown members belong below `extensions`.
  "edgepress/plugin.json": z.strictObject({
    $schema: z.literal("https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"),
    name: pluginName,
    ...described,
    extensions: z.record(z.string().regex(/^[a-z]+(\.[a-z]+)+$/), z.object()),
  }),
  // Agent Plugins 1.0.0, mcp.json: addresses are literal, nothing in them is expanded.
  "edgepress/mcp.json": z.strictObject({
    $schema: z.literal("https://agent-plugins.org/schemas/1.0.0/mcp.schema.json"),
    mcpServers: z.record(
      pluginName,
      z.strictObject({ type: z.literal("streamable-http"), url: z.url().regex(/^[^{}$]+\/mcp$/) }),
    ),
  }),
  // Cursor's plugin reference.
  "edgepress/.cursor-plugin/plugin.json": z.strictObject({
    name: pluginName,
    displayName: z.string(),
    ...described,
    category: z.string(),
    skills: z.literal("./skills/"),
    mcpServers: z.literal("./mcp.json"),
  }),
  // The MCP registry's server.json of 2025-12-11: a name of a namespace, at most 100 characters of description.
  "server.json": z.strictObject({
    $schema: z.literal("https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"),
    name: z
      .string()
      .max(200)
      .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
    title: z.string().min(1).max(100),
    description: z.string().min(1).max(100),
    version: described.version.max(255),
    remotes: z
      .array(
        z.strictObject({
          type: z.literal("streamable-http"),
          url: z.string().regex(/^https?:\/\/[^\s]+$/),
          variables: z
            .record(
              z.string(),
              z.strictObject({ description: z.string(), isRequired: z.boolean(), placeholder: z.string() }),
            )
            .optional(),
        }),
      )
      .min(1),
  }),
};

/** For each, members that have to be refused. */
const WRONG = {
  "edgepress/plugin.json": { name: "Edge press" },
  "edgepress/mcp.json": { mcpServers: { edgepress: { type: "http", url: "https://a.example" } } },
  "edgepress/.cursor-plugin/plugin.json": { mcp: "./mcp.json" },
  "server.json": { description: "x".repeat(101) },
} satisfies Record<keyof typeof FORMATS, object>;

describe("the published formats", () => {
  it.each(Object.keys(FORMATS) as (keyof typeof FORMATS)[])("ask nothing more of %s", (file) => {
    const manifest = committed(file) as object;
    expect(() => FORMATS[file].parse(manifest)).not.toThrow();
    expect(FORMATS[file].safeParse({ ...manifest, ...WRONG[file] }).success).toBe(false);
  });

  it("let every variable of server.json be used in its address", () => {
    const { remotes } = FORMATS["server.json"].parse(committed("server.json"));
    for (const { url, variables = {} } of remotes) {
      expect([...url.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)).toEqual(Object.keys(variables));
    }
  });
});
