/** Generates the manifests of the agent plugins from plugins/source.json and package.json. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { DEFAULT_SERVER, isLoopback } from "../../packages/cli/server.ts";
import { ROOT } from "./wrangler.ts";

/** The marketplace folder, with the catalogs and their only plugin. */
export const PLUGINS = path.join(ROOT, "plugins");

/** The schemas of the manifests. test/plugins/manifests.test.ts checks the parts that matter here. */
const AGENT_PLUGINS = "https://agent-plugins.org/schemas/1.0.0";
const REGISTRY = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

const text = z.string().min(1);

/** The limits come from the formats: `summary` from the registry, `prompts` from Codex. */
const sourceSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/),
  displayName: text.max(30),
  publisher: text,
  summary: text.max(100),
  description: text.max(1024),
  category: text,
  capabilities: z.array(text),
  keywords: z.array(text),
  prompts: z.array(text.max(128)).min(1).max(3),
  serverOption: text,
});

const packageSchema = z.object({ version: text, license: text });

type Source = z.infer<typeof sourceSchema> & z.infer<typeof packageSchema>;
type Json = Readonly<Record<string, unknown>>;

/** Returns plugins/source.json with the version and license of package.json. Throws if a file is invalid. */
export function readSource(): Source {
  const { version, license } = packageSchema.parse(read(path.join(ROOT, "package.json")));
  return { ...sourceSchema.parse(read(path.join(PLUGINS, "source.json"))), version, license };
}

const read = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));

/** Returns the names of the plugin's skills, sorted. They are the names of their folders. */
export function listSkills(plugins = PLUGINS): readonly string[] {
  return readdirSync(path.join(plugins, readSource().name, "skills")).sort();
}

/** Returns content by path in the marketplace folder. `server` is the origin of the service. */
export function generateFiles(server = DEFAULT_SERVER): ReadonlyMap<string, string> {
  const source = readSource();
  const { name } = source;
  const manifests: Readonly<Record<string, Json>> = {
    ".claude-plugin/marketplace.json": makeClaudeMarketplace(source),
    ".agents/plugins/marketplace.json": makeCodexMarketplace(source),
    ".cursor-plugin/marketplace.json": makeCursorMarketplace(source),
    "server.json": makeRegistryServer(source, server),
    [`${name}/plugin.json`]: makeAgentPlugin(source),
    [`${name}/mcp.json`]: makeAgentPluginServers(source, server),
    [`${name}/.claude-plugin/plugin.json`]: makeClaudePlugin(source, server),
    [`${name}/.codex-plugin/plugin.json`]: makeCodexPlugin(source, server),
    [`${name}/.cursor-plugin/plugin.json`]: makeCursorPlugin(source),
    [`${name}/gemini-extension.json`]: makeGeminiExtension(source, server),
  };
  const files = Object.entries(manifests).map(([file, json]) => [file, `${JSON.stringify(json, null, 2)}\n`] as const);
  return new Map([...files, ...makeReferences(name)]);
}

/** Copies the shared references for each skill, because a skill cannot refer to files outside of its folder. */
function makeReferences(name: string): readonly (readonly [string, string])[] {
  const shared = path.join(PLUGINS, "shared");
  const texts = readdirSync(shared).map((file) => [file, readFileSync(path.join(shared, file), "utf8")] as const);
  return listSkills().flatMap((skill) =>
    texts.map(([file, content]) => [`${name}/skills/${skill}/references/${file}`, content] as const),
  );
}

const toEndpoint = (server: string): string => `${server}/mcp`;

const makeCommonFields = ({ name, version, description, publisher, license, keywords }: Source): Json => ({
  name,
  version,
  description,
  author: { name: publisher },
  license,
  keywords,
});

/** The description that Codex shows. The portable manifest has it in the namespace of OpenAI. */
const makeCodexInterface = (source: Source): Json => ({
  displayName: source.displayName,
  shortDescription: source.summary,
  longDescription: source.description,
  developerName: source.publisher,
  category: source.category,
  capabilities: source.capabilities,
  defaultPrompt: source.prompts,
});

/** Agent Plugins 1.0.0, 5. Skills in skills/ and servers in mcp.json need no declaration. */
const makeAgentPlugin = (source: Source): Json => ({
  $schema: `${AGENT_PLUGINS}/plugin.schema.json`,
  ...makeCommonFields(source),
  extensions: { "com.openai": { interface: makeCodexInterface(source) } },
});

/** Agent Plugins 1.0.0, 7.2. URLs cannot contain variables, so the server is fixed. */
const makeAgentPluginServers = (source: Source, server: string): Json => ({
  $schema: `${AGENT_PLUGINS}/mcp.schema.json`,
  mcpServers: { [source.name]: { type: "streamable-http", url: toEndpoint(server) } },
});

/** Claude Code, plugins reference. It asks the user for `userConfig` when the plugin is enabled. */
const makeClaudePlugin = (source: Source, server: string): Json => ({
  ...makeCommonFields(source),
  userConfig: {
    server: { type: "string", title: "Server", description: source.serverOption, default: server },
  },
  mcpServers: { [source.name]: { type: "http", url: toEndpoint("${user_config.server}") } },
});

/** Codex, plugin.json for releases that do not know Agent Plugins. Later ones read the portable manifest. */
const makeCodexPlugin = (source: Source, server: string): Json => ({
  ...makeCommonFields(source),
  skills: "./skills/",
  mcpServers: { [source.name]: { type: "http", url: toEndpoint(server) } },
  interface: makeCodexInterface(source),
});

/** Cursor, plugins reference. An installation may omit folders and files that are not declared. */
const makeCursorPlugin = (source: Source): Json => ({
  ...makeCommonFields(source),
  displayName: source.displayName,
  category: source.category,
  skills: "./skills/",
  mcpServers: "./mcp.json",
});

/** Gemini CLI, extension reference. The command-line client reads EDGEPRESS_URL, too. */
const makeGeminiExtension = (source: Source, server: string): Json => ({
  name: source.name,
  version: source.version,
  description: source.summary,
  mcpServers: { [source.name]: { httpUrl: toEndpoint(`\${EDGEPRESS_URL:-${server}}`) } },
  settings: [{ name: "Server", description: source.serverOption, envVar: "EDGEPRESS_URL", sensitive: false }],
});

const makeClaudeMarketplace = (source: Source): Json => ({
  name: source.name,
  owner: { name: source.publisher },
  description: source.summary,
  plugins: [
    {
      name: source.name,
      source: `./${source.name}`,
      description: source.summary,
      category: source.category.toLowerCase(),
    },
  ],
});

const makeCodexMarketplace = (source: Source): Json => ({
  name: source.name,
  interface: { displayName: source.displayName },
  plugins: [
    {
      name: source.name,
      source: { source: "local", path: `./${source.name}` },
      policy: { installation: "AVAILABLE", authentication: "ON_USE" },
      category: source.category,
    },
  ],
});

const makeCursorMarketplace = (source: Source): Json => ({
  name: source.name,
  owner: { name: source.publisher },
  metadata: { description: source.summary },
  plugins: [{ name: source.name, source: source.name, description: source.summary }],
});

/**
 * The MCP registry's server.json. The registry lists only public https servers, in a namespace of their publisher. For a
 * local server, the namespace is an example, and the host is a variable.
 */
function makeRegistryServer(source: Source, server: string): Json {
  const { hostname } = new URL(server);
  const namespace = isLoopback(server) ? "com.example" : hostname.split(".").toReversed().join(".");
  return {
    $schema: REGISTRY,
    name: `${namespace}/${source.name}`,
    title: source.displayName,
    description: source.summary,
    version: source.version,
    remotes: [{ type: "streamable-http", ...(isLoopback(server) ? ANY_HOST : { url: toEndpoint(server) }) }],
  };
}

const ANY_HOST = {
  url: "https://{host}/mcp",
  variables: {
    host: {
      description: "Host of the Edgepress service, with its port where that is not 443",
      isRequired: true,
      placeholder: "press.example.com",
    },
  },
} as const;
