/** Clients that other people's generators make of the document: they compile, and they reach the service. */
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { type Local, NODE, ROOT } from "./local-run.ts";
import { sharedRun } from "./shared.ts";

const FOLDER = path.join(ROOT, "test/openapi-clients");

/** Runs a program in the clients' folder, and returns what it prints. */
async function run(program: string, ...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, words, { cwd: FOLDER }).catch(
    (error: { stdout: string; stderr: string }) => {
      throw new Error(`${program} ${words.join(" ")}:\n${error.stdout}${error.stderr}`, { cause: error });
    },
  );
  return stdout;
}

async function generate(): Promise<void> {
  await run(NODE, path.join(ROOT, "scripts/openapi-document.ts"), "generated/openapi.json");
  await run("npm", "run", "generate");
}

// The document itself is tried in test/http/openapi*.test.ts.
describe.runIf(inject("exhaustive"))("generated clients", () => {
  let local: Local;

  /** Returns a blog of the test's own. */
  async function newBlog(): Promise<string> {
    const response = await fetch(`${local.baseUrl}/api/blogs`, {
      method: "POST",
      headers: { Authorization: `Basic ${btoa(`${local.apiKey}:`)}`, "Content-Type": "application/json" },
      body: JSON.stringify({ name: "Of generated clients" }),
    });
    return ((await response.json()) as { _id: string })._id;
  }

  beforeAll(async () => {
    [{ local }] = await Promise.all([sharedRun(), generate()]);
  });

  it("the programs compile with the generated clients", async () => {
    expect(await run(NODE, path.join(ROOT, "node_modules/typescript/bin/tsc"))).toBe("");
  });

  describe.each(["openapi-typescript", "hey-api"])("the client of %s", (client) => {
    it("creates, updates, lists and deletes an article, and reads a problem", async () => {
      const printed = await run(NODE, `${client}.ts`, local.baseUrl, local.apiKey, await newBlog());
      const { id, ...answers } = JSON.parse(printed) as { id: string };
      expect(answers).toEqual({
        published: true,
        refused: "precondition_failed",
        listed: [{ _id: id, published: true }],
        removed: { _id: id },
      });
    });
  });
});
