/** The manifests of the agent plugins: what is committed is what the script makes, and fits the published formats. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { generateFiles, PLUGINS, readSource, listSkills } from "../../scripts/lib/plugins.ts";

const read = (file: string): string => readFileSync(file, "utf8");
const committed = (file: string): unknown => JSON.parse(read(path.join(PLUGINS, file)));

/** The formatter lays JSON out in its own way. */
const meaning = (file: string, text: string): unknown => (file.endsWith(".json") ? JSON.parse(text) : text);

describe("what is committed", () => {
  it.each([...generateFiles()])("%s is what npm run plugins makes", (file, text) => {
    expect(meaning(file, read(path.join(PLUGINS, file)))).toEqual(meaning(file, text));
  });

  it("is that, and what people write", () => {
    const { name } = readSource();
    const written = [
      "source.json",
      `${name}/README.md`,
      ...readdirSync(path.join(PLUGINS, "shared")).map((file) => `shared/${file}`),
    ];
    const skills = listSkills().map((skill) => `${name}/skills/${skill}/SKILL.md`);
    const files = readdirSync(PLUGINS, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const found = files.map((entry) => path.relative(PLUGINS, path.join(entry.parentPath, entry.name)));
    expect(found.sort()).toEqual([...generateFiles().keys(), ...written, ...skills].sort());
  });

  it("holds no credentials", () => {
    for (const text of generateFiles("https://press.example.com").values()) {
      expect(text).not.toMatch(/\b(?:epk|ept|whsec)_|Bearer|"headers"|"env"/);
    }
  });
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
