/**
 * The examples of the reference, and every command of a guide, run as they are shown, against a service. All of them are made
 * by the same code: some operations are asked for, each in another language, and with `npm run test:exhaustive` all in all.
 */
import { execFile, execFileSync } from "node:child_process";
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { parse } from "yaml";
import { SAMPLE_IDS } from "../../scripts/docs/samples.ts";
import { freePort, NODE, ROOT, type Local } from "../e2e/local-run.ts";
import { sharedRun } from "../e2e/shared.ts";
import { newId } from "../../src/lib/ids.ts";
import { sample, spread } from "../helpers/sample.ts";
import { runCommand } from "./command-line.ts";
import { readGuide, saveFiles } from "./guides.ts";
import { readPages } from "./pages.ts";
import { startPython } from "./python.ts";
import { checkTypes, startTypeScript } from "./typescript.ts";
import { PICTURE, newWorld, type World } from "./world.ts";

type Example = { readonly operation: string; readonly language: string; readonly text: string };

/** What a test cannot bring about, and what the example is answered with instead. */
const REFUSED: Readonly<Record<string, string>> = {
  // The event of a delivery has an identifier that no call but the log of deliveries tells.
  "webhooksubscriptions.delivery": "no such",
  "webhooksubscriptions.redeliver": "no such",
  // A dead letter is an event that a queue has given up.
  "deadletters.retry": "no such dead letter",
  // Without a model, none is started.
  "generations.get": "no such generation",
  "generations.resume": "no such generation",
  // Nothing is generated from sources.
  "sources.propose": "no sources",
  // Files are named by organizations and images.
  "organization.file": "no such file",
};

const examples = examplesOf(await readPages());
const languages = Map.groupBy(examples, ({ language }) => language);
/** The operations that change nothing, as their examples in curl show. */
const reading = new Set(
  (languages.get("curl") ?? [])
    .filter(({ text }) => !/ (?:-X|--json|--data\S*) /.test(text))
    .map(({ operation }) => operation),
);

const SHELL = ["--norc", "-euo", "pipefail", "-c"];
const hasProgram = (name: string): boolean => {
  try {
    execFileSync(name, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    console.warn(`The examples in ${name} are not run: there is no such program.`);
    return false;
  }
};
/** What a machine lacks is left out. */
const present = { curl: hasProgram("curl"), typescript: true, python: hasProgram("python3"), cli: true };
const python = present.python ? startPython() : null;

/** For a busy machine: what waits for ever fails. */
const LONGEST_MS = 120_000;

const folder = mkdtempSync(path.join(tmpdir(), "edgepress-examples-"));
let typescript: ReturnType<typeof startTypeScript> | undefined;
let local: Local;
/** One for each language. */
let worlds: Record<string, World>;
let world: World;

beforeAll(async () => {
  const shared = await sharedRun();
  ({ local } = shared);
  const made = [...languages.keys()].map(async (name) => [name, await newWorld(shared, reading)] as const);
  worlds = Object.fromEntries(await Promise.all(made));
  world = worlds["curl"] as World;
  writeFileSync(path.join(folder, "edgepress"), `#!/bin/sh\nexec "${NODE}" "${inject("bundle")}" "$@"\n`);
  chmodSync(path.join(folder, "edgepress"), 0o755);
  writeFileSync(path.join(folder, "porto.png"), PICTURE);
  writeFileSync(path.join(folder, "ghost.json"), "{}");
  // curl fails for what is refused, and shows it.
  writeFileSync(path.join(folder, ".curlrc"), "silent\nshow-error\nfail-with-body\n");
});

afterAll(() => {
  python?.stop();
  typescript?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function examplesOf(pages: Awaited<ReturnType<typeof readPages>>): Example[] {
  return pages.flatMap(({ elements }) =>
    elements.flatMap(({ attributes: { "data-of": operation, "data-in": language }, text }) =>
      operation === undefined || language === undefined ? [] : [{ operation, language, text }],
    ),
  );
}

type Settings = {
  readonly apiKey: string;
  readonly operatorToken: string;
  readonly cwd?: string;
  readonly variables?: Record<string, string>;
};

/** Runs a text in a language; returns how it ended, and all that it said. */
function run(language: string, text: string, { apiKey, operatorToken, cwd = folder, variables }: Settings) {
  const env = {
    PATH: `${folder}:${path.dirname(NODE)}:${process.env["PATH"]}`,
    NODE_COMPILE_CACHE: path.join(path.dirname(inject("bundle")), "compiled"),
    HOME: folder,
    CURL_HOME: folder,
    EDGEPRESS_URL: local.baseUrl,
    EDGEPRESS_API_KEY: apiKey,
    EDGEPRESS_OPERATOR_TOKEN: operatorToken,
    ...variables,
  };
  if (language === "python" && python !== null) return python.run({ text, cwd, env });
  if (language === "typescript") return (typescript ??= startTypeScript(folder, env)).run(text);
  // It runs in this process, whose folder is the checkout.
  if (language === "cli") return runCommand(text.replace("export acme", `export ${path.join(folder, "acme")}`), env);
  return new Promise<{ code: number; said: string }>((resolve) => {
    const options = { env, cwd, encoding: "utf8", timeout: LONGEST_MS } as const;
    execFile("bash", [...SHELL, text], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : 1, said: `${stdout}${stderr}` }),
    );
  });
}

it("has examples in curl and Python for every operation, and many in TypeScript and the command line", () => {
  const count = (language: string) => languages.get(language)?.length ?? 0;
  const operations = new Set(examples.map(({ operation }) => operation));
  expect(count("curl")).toBe(operations.size);
  expect(count("python")).toBe(operations.size);
  expect(count("cli")).toBeGreaterThan(40);
  expect(count("typescript")).toBeGreaterThan(95);
});

it("has examples in TypeScript that fit the types of the client", () => {
  checkTypes(
    folder,
    (languages.get("typescript") ?? []).map(({ text }) => text),
  );
});

/** All but the deletion of the organization, for which nobody could call then (test/contract/deleted-organizations). */
const everyOperation = (languages.get("curl") ?? [])
  .map(({ operation }) => operation)
  .filter((operation) => operation !== "organization.delete");
/** Seven in each language; the seed shifts which. */
const turnOf = new Map(spread(everyOperation, 28).map((operation, turn) => [operation, turn]));
const runnable = Map.groupBy(
  examples.filter(({ language }) => present[language as keyof typeof present]),
  ({ operation }) => operation,
);
function isRun({ operation, language }: Example): boolean {
  const turn = turnOf.get(operation);
  return (
    turn !== undefined && sample(runnable.get(operation) ?? [], turn, 1).some((each) => each.language === language)
  );
}

it("runs an example of each operation that is asked for", () => {
  expect(new Set(examples.filter(isRun).map(({ operation }) => operation))).toEqual(new Set(turnOf.keys()));
});

describe.each(Object.keys(present))("in %s", (language) => {
  const ofLanguage = (languages.get(language) ?? []).filter(isRun);
  const runs = present[language as keyof typeof present];
  it.skipIf(!runs).each(ofLanguage.map((example) => [example.operation, example] as const))(
    "%s",
    async (operation, example) => {
      const its = worlds[language] as World;
      const text = await its.withReal(operation, example.text, SAMPLE_IDS);
      const { code, said } = await run(language, text, its);
      const refusal = REFUSED[operation];
      if (refusal === undefined) return expect(code, `${text}\n${said}`).toBe(0);
      // The client tells by 5 that there is no such thing (docs/cli.md); the other languages end with 1.
      expect(code).toBe(language === "cli" ? 5 : 1);
      expect(said).toMatch(language === "python" ? "HTTP Error 404" : refusal);
    },
  );
});

describe("a page", () => {
  const ask = (address: string, method = "GET") => fetch(`${local.baseUrl}${address}`, { method, redirect: "manual" });

  it.each(["/docs", "/docs/articles", "/docs/errors", "/docs/guides/first-webhook"])(
    "%s is served",
    async (address) => {
      const { status, headers } = await ask(address);
      expect([status, headers.get("Content-Type")]).toEqual([200, "text/html; charset=utf-8"]);
      expect(headers.get("Content-Security-Policy")).toContain(
        "default-src 'none'; script-src 'self'; style-src 'self'",
      );
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(headers.get("Referrer-Policy")).toBe("no-referrer");
      expect(headers.get("ETag")).not.toBeNull();
    },
  );

  it("has one address, and other methods and unknown pages are refused", async () => {
    expect((await ask("/docs/")).headers.get("Location")).toBe("/docs");
    expect((await ask("/docs/articles.html")).headers.get("Location")).toBe("/docs/articles");
    expect((await ask("/docs", "POST")).status).toBe(405);
    expect((await ask("/docs/nothing")).status).toBe(404);
  });

  it("explains the code of a problem at the address of its `type`", async () => {
    const problem = (await (await ask("/api/blogs")).json()) as { type: string; code: string };
    expect(problem.type).toBe(`${local.baseUrl}/docs/errors#${problem.code}`);
    expect(await (await fetch(problem.type)).text()).toContain(`id="${problem.code}"`);
  });
});

describe.skipIf(!present.curl)("the guide", () => {
  /** Runs all commands of a guide, with a blog and a key for it; `change` puts what is there in the place of samples. */
  async function follow(name: string, change: (text: string) => string = (text) => text) {
    const guide = readGuide(name);
    // Where the packages of the project are found, as one has those that the guide installs.
    const cwd = mkdtempSync(path.join(ROOT, "node_modules/.cache/guide-"));
    const vanityId = `guide-${name}-${newId().slice(-8)}`;
    const { _id: blogId } = await world.call("POST", "/api/blogs", { name, vanityId, locales: ["en", "de"] });
    const scopes = ["articles:read", "articles:write", "blogs:read"];
    const { secret } = await world.operator("POST", "/api/apikeys", { name, scopes, blogId });
    const article = {
      blogId,
      title: "By train",
      slug: "über-land",
      content: "Ask for <form>the window</form> seat.",
      published: true,
    };
    await world.call("POST", "/api/articles", article);
    saveFiles({ ...guide, files: guide.files.map((file) => ({ name: file.name, text: change(file.text) })) }, cwd);
    const text = change(guide.script).replaceAll("field-notes", vanityId);
    // What the script has started in the background ends with it.
    const whole = `trap 'kill $(jobs -p) 2> /dev/null || true' EXIT\n${text}`;
    const { operatorToken } = world;
    const variables = { BLOG_ID: blogId };
    const outcome = await run("curl", whole, { apiKey: String(secret), operatorToken, cwd, variables });
    const pages = globSync("site/**/*.html", { cwd });
    const built = pages.map((file) => readFileSync(path.join(cwd, file), "utf8"));
    rmSync(cwd, { recursive: true, force: true });
    expect(outcome.code, `${text}\n${outcome.said}`).toBe(0);
    return { said: outcome.said, pages, built, blogId };
  }

  it("to the first webhook ends with a genuine ping, and a log of it", async () => {
    const port = await freePort();
    const { said } = await follow("first-webhook", (text) => text.replaceAll("3000", String(port)));
    expect(said).toMatch(/^ping {2}[0-9a-f-]{36}$/m);
    expect(said).toMatch(/"state":"succeeded"/);
  });

  it("to publishing from CI publishes the file, and its workflow runs the same commands", async () => {
    const { said, blogId } = await follow("publish-from-ci", (text) => text.replaceAll("first-light-1", newId()));
    expect(said).toContain("The boats come in before the sun does.");
    const { files } = readGuide("publish-from-ci");
    const { jobs } = parse(files[0]?.text ?? "") as { jobs: { publish: { steps: { run?: string }[] } } };
    const commands = jobs.publish.steps.flatMap(({ run: command }) => command ?? []);
    const shown = readGuide("publish-from-ci").script;
    expect(commands).toHaveLength(2);
    for (const command of commands) expect(shown).toContain(command.replace("node tools/edgepress.mjs", "edgepress"));
    const left = (await world.call("GET", `/api/articles?blogId=${blogId}`)) as unknown as { slug: string }[];
    expect(left.map(({ slug }) => slug)).not.toContain("first-light");
  });

  it("to translating translates what is missing, and publishes it", async () => {
    const { blogId } = await follow("translate-a-blog");
    const path = `/api/articles?blogId=${blogId}&locale=de`;
    const translated = (await world.call("GET", path)) as unknown as { published: boolean }[];
    expect(translated).toMatchObject([{ published: true }]);
  });

  it("to MCP leads to the authorization server", async () => {
    expect((await follow("agent-by-mcp")).said).toContain("authorization_servers");
  });

  it("to a front end builds a site of what is published, without its HTML", async () => {
    const { said, pages, built } = await follow("front-end");
    expect(said).toContain("1 articles");
    const article = built.find((text) => text.includes("<h1>By train</h1>"));
    expect(article).toContain("<p>Ask for &lt;form>the window&lt;/form> seat.</p>");
    // As hosts look for it, which decode `/en/%C3%BCber-land/`.
    expect(pages).toContain(path.join("site", "en", "über-land", "index.html"));
  });
});
