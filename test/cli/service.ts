/** The commands against the service as `npm start` runs it: what their test files need. */
import { expect } from "vitest";
import { sharedRun } from "../e2e/shared.ts";
import { errorIn, resultIn, useProgram, type Outcome, type RunOptions } from "./program.ts";

export type Article = {
  _id: string;
  title: string;
  content: string;
  slug: string;
  locale: string;
  published: boolean;
};

let made = 0;

/** The program and the service for the tests of a file. */
export async function useService() {
  const program = useProgram();
  const { local } = await sharedRun();
  const env = () => ({ EDGEPRESS_URL: local.baseUrl, EDGEPRESS_API_KEY: local.apiKey });
  const edgepress = (args: string[], options: RunOptions = {}): Promise<Outcome> =>
    program.run(args, { ...options, env: { ...env(), ...options.env } });

  /** Runs a command that has to succeed; what it answers with. */
  async function json<T = Article>(args: string[], options: RunOptions = {}): Promise<T> {
    const outcome = await edgepress([...args, "--json"], options);
    expect(outcome, args.join(" ")).toMatchObject({ code: 0, stderr: "" });
    return resultIn(outcome) as T;
  }

  /** Runs a command that has to be refused; its error. */
  async function refused(args: string[], options: RunOptions = {}) {
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
