/** The commands against the service as `npm start` runs it: what their test files need. */
import { expect } from "vitest";
import { SCOPES } from "../../src/domain/principal.ts";
import type { Local } from "../e2e/local-run.ts";
import { ownOrganization, sharedRun } from "../e2e/shared.ts";
import { errorIn, resultIn, useProgram, type Outcome, type CallOptions } from "./program.ts";

export type Article = {
  _id: string;
  title: string;
  content: string;
  slug: string;
  locale: string;
  published: boolean;
};

let made = 0;

/** A key of the file's own in the demo: each may send a number of requests in a minute. */
async function newKey({ baseUrl, operatorToken }: Local): Promise<{ readonly apiKey: string }> {
  const response = await fetch(`${baseUrl}/api/apikeys`, {
    method: "POST",
    headers: { Authorization: `Token ${operatorToken}`, "Content-Type": "application/json" },
    body: JSON.stringify({ name: "Test of the client", scopes: SCOPES }),
  });
  expect(response.status).toBe(200);
  return { apiKey: ((await response.json()) as { secret: string }).secret };
}

/** The program and the service for the tests of a file: in an organization of its own, unless they are about the demo. */
export async function useService({ demo = false } = {}) {
  const program = useProgram();
  const { local: shared } = await sharedRun();
  const local = { ...shared, ...(await (demo ? newKey(shared) : ownOrganization())) };
  const env = () => ({ EDGEPRESS_URL: local.baseUrl, EDGEPRESS_API_KEY: local.apiKey });
  const edgepress = (args: string[], options: CallOptions = {}): Promise<Outcome> =>
    program.call(args, { ...options, env: { ...env(), ...options.env } });

  /** Runs a command that has to succeed; what it answers with. */
  async function json<T = Article>(args: string[], options: CallOptions = {}): Promise<T> {
    const outcome = await edgepress([...args, "--json"], options);
    expect(outcome, args.join(" ")).toMatchObject({ code: 0, stderr: "" });
    return resultIn(outcome) as T;
  }

  /** Runs a command that has to be refused; its error. */
  async function refused(args: string[], options: CallOptions = {}) {
    const outcome = await edgepress([...args, "--json"], options);
    expect(outcome.stdout).toBe("");
    const error = errorIn(outcome);
    expect(error["exit"]).toBe(outcome.code);
    return error;
  }

  /** A blog of the test's own. */
  async function newBlog(): Promise<string> {
    const { vanityId } = await json<{ vanityId: string }>(["blogs", "create", `Test ${made++} of the client`]);
    return vanityId;
  }

  return { program, local, env, edgepress, json, refused, newBlog };
}
