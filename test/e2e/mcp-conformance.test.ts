/**
 * /mcp and its authorization server before programs that nobody here wrote: the protocol's conformance package and
 * its inspector.
 */
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { sample } from "../helpers/sample.ts";
import { startInspector, type Ended } from "./inspector.ts";
import { freePort, NODE, ROOT } from "./local-run.ts";
import { connectOverHttp, consentOverHttp, registerClient, startProxy } from "./mcp-connection.ts";
import { sharedRun } from "./shared.ts";

const { local } = await sharedRun();
let token: string;
let url: string;
let folder: string;
let inspector: ReturnType<typeof startInspector>;
const closers: (() => unknown)[] = [];

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "edgepress-conformance-"));
  token = await connectOverHttp(local);
  const proxy = await startProxy(local.baseUrl, token);
  inspector = startInspector(folder);
  closers.push(proxy.close, inspector.stop);
  url = `${proxy.url}/mcp`;
});

afterAll(async () => {
  for (const close of closers) await close();
  rmSync(folder, { recursive: true, force: true });
});

const within = (manifest: string, file: string): string => path.join(path.dirname(fileURLToPath(manifest)), file);

const CONFORMANCE = within(import.meta.resolve("@modelcontextprotocol/conformance/package.json"), "dist/index.js");

/** Where Node keeps what it has compiled. */
const COMPILED = path.join(ROOT, "node_modules/.cache/compiled");

/** Runs a program of Node to its end. Not in the environment of the tests: it may read what stands there. */
const runProgram = (program: string, args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const env = { PATH: process.env["PATH"], HOME: folder, NODE_COMPILE_CACHE: COMPILED };
    execFile(NODE, [program, ...args], { env, timeout: 100_000, maxBuffer: 2 ** 24 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: `${stdout}${stderr}` }),
    );
  });

type Check = { readonly id: string; readonly status: string; readonly errorMessage?: string };

/** What checks are about that need a tool of the conformance package's own example server. */
const NEEDS_FIXTURE =
  /^Not testable: server does not list the diagnostic tool|^Tool 'json_schema_2020_12_tool' not found/;

/**
 * Runs all scenarios of a revision in one process, which takes less than one for each that counts; returns the function that
 * reads the checks of a scenario.
 */
async function runRevision(revision: string): Promise<(scenario: string) => Check[]> {
  return runScenarios(["--suite", "all", "--spec-version", revision]);
}

async function runScenarios(which: readonly string[]): Promise<(scenario: string) => Check[]> {
  const results = mkdtempSync(path.join(folder, "results-"));
  const args = ["server", "--url", url, ...which, "-o", results];
  // It fails, as some of them do that are about its own server.
  const { output } = await runProgram(CONFORMANCE, args);
  const runs = readdirSync(results);
  return (scenario) => {
    const run = runs.find((name) => name.replace(/-\d{4}-\d\d-\d\dT.*/, "") === `server-${scenario}`);
    if (run === undefined) throw new Error(output);
    return JSON.parse(readFileSync(path.join(results, run, "checks.json"), "utf8")) as Check[];
  };
}

/**
 * What suits a product's server. The other scenarios call tools, prompts and resources of the package's own example
 * server (`tools-call-*`, `prompts-get-*`, `completion-complete`, `resources-read-*`, `input-required-*`, `elicitation-*`, `json-schema-*` and
 * `http-custom-header-*` in part), or are about what this server does not offer: log messages to the client, sessions and
 * their streams, subscriptions to resources, sampling and roots, tasks (docs/mcp.md, "What is not offered"). The only scenario of 2025-03-26 is
 * about sessions.
 */
const SCENARIOS: Readonly<Record<string, readonly string[]>> = {
  "2025-06-18": ["server-initialize", "ping", "tools-list", "resources-list", "prompts-list"],
  "2025-11-25": [
    "server-initialize",
    "ping",
    "tools-list",
    "json-schema-2020-12",
    "resources-list",
    "prompts-list",
    "dns-rebinding-protection",
  ],
  "2026-07-28": [
    "server-stateless",
    "tools-list",
    "json-schema-2020-12",
    "resources-list",
    "sep-2164-resource-not-found",
    "prompts-list",
    "dns-rebinding-protection",
    "caching",
    "http-header-validation",
    "server-sse-multiple-streams",
    "input-required-result-unsupported-methods",
    "input-required-result-ignore-extra-params",
  ],
};

/** The newest revision. The scenarios of the others are alike, and the inspector speaks an older one. */
const REVISIONS = Object.entries(SCENARIOS)
  .toReversed()
  .slice(0, inject("exhaustive") ? 3 : 1);

describe.each(REVISIONS)("the conformance package, %s", (revision, scenarios) => {
  let checksOf: Awaited<ReturnType<typeof runRevision>>;
  beforeAll(async () => {
    checksOf = await runRevision(revision);
  });

  it.each(scenarios)("%s", (scenario) => {
    const checks = checksOf(scenario);
    const failed = checks.filter(
      ({ status, errorMessage = "" }) => status === "FAILURE" && !NEEDS_FIXTURE.test(errorMessage),
    );
    expect(failed).toEqual([]);
    expect(checks.filter(({ status }) => status === "SUCCESS").length).toBeGreaterThan(0);
  });
});

describe("the conformance package, skills", () => {
  it.each(["sep-2640-skills-enumeration", "sep-2640-skills-manifest"])("%s", async (scenario) => {
    const checksOf = await runScenarios(["--scenario", scenario, "--spec-version", "2026-07-28", "--force"]);
    const checks = checksOf(scenario);
    expect(checks.filter(({ status }) => status === "FAILURE")).toEqual([]);
    expect(checks.filter(({ status }) => status === "SUCCESS").length).toBeGreaterThan(0);
  });
});

describe("the conformance package, the authorization server", () => {
  it("its metadata, and the grant of an authorization code", async () => {
    const port = await freePort();
    const clientId = await registerClient(local.baseUrl, `http://127.0.0.1:${port}/callback`);
    const args = [
      "authorization",
      "--url",
      local.baseUrl,
      "--client-id",
      clientId,
      "--resource",
      `${local.baseUrl}/mcp`,
    ];
    const child = spawn(NODE, [CONFORMANCE, ...args, "--port", String(port)], {
      env: { PATH: process.env["PATH"], HOME: folder },
      stdio: ["ignore", "pipe", "pipe"],
    });
    closers.push(() => child.kill());
    let output = "";
    let visited: Promise<unknown> | undefined;
    child.stdout.on("data", (chunk) => {
      output += String(chunk);
      const [asked] = /http\S+\/console\/authorize\?\S+/.exec(output) ?? [];
      // It asks for a browser: this is one.
      if (asked !== undefined) visited ??= visit(asked);
    });
    const [code] = (await once(child, "close")) as [number];
    await visited;
    const plain = stripVTControlCharacters(output);
    expect(code, plain).toBe(0);
    expect(plain).toContain("authorization-server-metadata-endpoint: 2 passed, 0 failed");
    expect(plain).toContain("authorization-code-grant: 1 passed, 0 failed");
  });

  async function visit(address: string): Promise<void> {
    const { pathname, search } = new URL(address);
    await fetch(await consentOverHttp(local, pathname + search));
  }
});

type Inspect = <T>(method: string, ...args: string[]) => Promise<T>;

/** What a tool answers to the arguments. */
const callTool = async (inspect: Inspect, name: string, args: object): Promise<unknown> => {
  const called = ["--tool-name", name, "--tool-args-json", JSON.stringify(args)];
  const { content } = await inspect<{ content: { text: string }[] }>("tools/call", ...called);
  return JSON.parse(content.at(-1)?.text ?? "");
};

/** The identifiers of the articles that are resources. */
async function resources(inspect: Inspect): Promise<string[]> {
  const { resources: listed } = await inspect<{ resources: { uri: string }[] }>("resources/list");
  return listed.map(({ uri }) => uri);
}

const INSPECTIONS: readonly (readonly [string, (inspect: Inspect) => Promise<void>])[] = [
  [
    "lists the tools",
    async (inspect) => expect((await inspect<{ tools: unknown[] }>("tools/list")).tools).toHaveLength(34),
  ],
  [
    "calls a tool",
    async (inspect) => {
      expect(await callTool(inspect, "list_blogs", {})).toMatchObject({
        blogs: expect.arrayContaining([expect.objectContaining({ _id: local.blogId })]),
      });
    },
  ],
  [
    "calls a tool with arguments",
    async (inspect) =>
      expect(await callTool(inspect, "search_articles", { query: "ferry" })).toHaveProperty("articles.0.snippet"),
  ],
  // The oldest one: the suites that run beside this create articles and delete them.
  [
    "lists resources and reads one",
    async (inspect) => {
      const uri = (await resources(inspect)).at(-1) ?? "";
      const { contents } = await inspect<{ contents: { text: string }[] }>("resources/read", "--uri", uri);
      expect(contents[0]?.text).toMatch(/^---\n_id: /);
    },
  ],
  [
    "lists templates of resources",
    async (inspect) => {
      const { resourceTemplates } = await inspect<{ resourceTemplates: unknown[] }>("resources/templates/list");
      expect(resourceTemplates).toHaveLength(2);
    },
  ],
  [
    "lists prompts",
    async (inspect) => {
      const { prompts } = await inspect<{ prompts: { name: string }[] }>("prompts/list");
      expect(prompts.map(({ name }) => name)).toEqual(["write_post_from_topic", "translate_article"]);
    },
  ],
  [
    "gets a prompt",
    async (inspect) => {
      const uri = (await resources(inspect)).at(-1) ?? "";
      const args = [`articleId=${uri.replace("edgepress://articles/", "")}`, "locale=de"];
      const prompt = ["--prompt-name", "translate_article", "--prompt-args", ...args];
      expect((await inspect<{ messages: unknown[] }>("prompts/get", ...prompt)).messages).toHaveLength(2);
    },
  ],
];

describe.each([
  ["legacy", 0],
  ["modern", 1],
  ["auto", 2],
] as const)("the inspector's command line, %s", (era, turn) => {
  const inspect: Inspect = async <T>(method: string, ...args: string[]) => {
    const target = [`${local.baseUrl}/mcp`, "--header", `Authorization: Bearer ${token}`];
    const how = ["--protocol-era", era, "--format", "json", "-q"];
    const { code, output } = await inspector.run([...target, ...how, "--method", method, ...args]);
    if (code !== 0) throw new Error(`${code}: ${output}`);
    return (JSON.parse(output) as { result: T }).result;
  };

  it.each(sample(INSPECTIONS, turn))("%s", (_, works) => works(inspect));
});

it("the inspector finds no error in the tools' schemas", async () => {
  const target = [`${local.baseUrl}/mcp`, "--header", `Authorization: Bearer ${token}`];
  const { code, output } = await inspector.run([...target, "--method", "tools/list", "--strict"]);
  // It counts them only where there are errors or warnings.
  expect([code, /(\d+) errors?,/.exec(output)?.[1] ?? "0"], output.slice(-2000)).toEqual([0, "0"]);
});
