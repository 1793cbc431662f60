/**
 * Tests of an `npm start` that fails: it was killed half way, meets an error that it did not expect, and its workerd ends.
 * They are for a file that has such a run: to start one for them alone takes long.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it, vi } from "vitest";
import * as z from "zod";
import { demoOrganization } from "../../scripts/demo/index.ts";
import { executeLocally } from "../../scripts/lib/local-database.ts";
import { blogs, everything, fieldNotes, get, names, token, whole } from "./demo.ts";
import { newState, processesOn, start, WAIT, type Local, type Run } from "./local-run.ts";

/** How long it may take until something is written, or workerd is there again, in milliseconds. */
const POLL = { timeout: 30_000, interval: 100 };

/**
 * A first start that was killed while it loaded the demo: the third article was there, and the demo was not complete.
 * Another one where the kill came too late.
 */
export async function killHalfway(): Promise<{ state: string; port: number }> {
  const half = fieldNotes.articles[2];
  for (let tries = 1; tries <= 8; tries++) {
    const state = newState();
    const victim = await start(state);
    await vi.waitFor(
      async () => {
        const blog = z
          .object({ _id: z.string() })
          .parse(await (await fetch(`${victim.baseUrl}/blogs/field-notes`)).json());
        const url = `${victim.baseUrl}/api/articles/${half?.slug}?blogId=${blog._id}`;
        expect((await fetch(url)).status).toBe(200);
      },
      { ...WAIT, interval: 5 },
    );
    await victim.killGroup();
    await vi.waitFor(async () => expect(await processesOn(state)).toEqual([]), WAIT);
    if (!existsSync(path.join(state, "local.json"))) return { state, port: victim.port };
  }
  throw new Error("every start was complete before it was killed");
}

type Uses = () => { readonly state: string; readonly run: Run; readonly local: Local };

const topicsOf = ({ baseUrl, blogId }: Local, key: string) =>
  fetch(`${baseUrl}/api/topics?blogId=${blogId}`, { headers: { Authorization: `Basic ${btoa(`${key}:`)}` } });

/** The id of the workerd of a run that is none of those before it. Throws if there is none. */
function workerdOf({ port }: Run, before: ReadonlySet<number>): number {
  const processes = execFileSync("ps", ["-eo", "pid,args"], { encoding: "utf8" }).split("\n");
  const found = processes.filter((line) => line.includes(`--socket-addr=entry=127.0.0.1:${port}`));
  const pid = found.map((line) => Number.parseInt(line, 10)).find((each) => !before.has(each));
  if (pid === undefined) throw new Error("there is none");
  return pid;
}

/** The tests of a run on what {@link killHalfway} has left. They come before others write articles. */
export function testFailures(uses: Uses): void {
  it("completes a start that was killed while it loaded the demo", async () => {
    const { run, local } = uses();
    const found = await everything(local);
    expect(found.blogs).toBe(demoOrganization.blogs.length);
    expect(names(found.articles)).toEqual(whole);
    const hooks = await get(`${run.baseUrl}/api/webhooksubscriptions`, blogs, token(local.operatorToken));
    expect(hooks).toHaveLength(1);
    await vi.waitFor(() => expect(run.output()).toMatch(/article\.updated +verified/), WAIT);
  });

  it("logs an unexpected error with the places in the source, and shows it", async () => {
    const { state, run, local } = uses();
    executeLocally(state, "ALTER TABLE topics RENAME TO missing_topics;");
    // A key that the Worker has not seen yet: for others, the stack ends in D1's own code.
    expect((await topicsOf(local, local.readOnlyKey)).status).toBe(503);
    executeLocally(state, "ALTER TABLE missing_topics RENAME TO topics;");
    const place = /no such table: topics.*\(src\/store\/topics\/topics\.ts:\d+:\d+\)/;
    await vi.waitFor(() => expect(readFileSync(path.join(state, "edgepress.log"), "utf8")).toMatch(place), POLL);
    // The terminal gets it through a pipe, a moment after the log.
    await vi.waitFor(() => expect(run.output()).toMatch(place), POLL);
  });

  it("answers again when workerd was killed, and the next one while it started, with all it had", async () => {
    const { run, local } = uses();
    const before = await (await topicsOf(local, local.apiKey)).json();
    const killed = new Set<number>();
    while (killed.size < 2) {
      const pid = await vi.waitFor(() => workerdOf(run, killed), { ...POLL, interval: 5 });
      process.kill(pid, "SIGKILL");
      killed.add(pid);
    }
    await vi.waitFor(async () => expect((await fetch(`${local.baseUrl}/healthz`)).status).toBe(200), POLL);
    expect(await (await topicsOf(local, local.apiKey)).json()).toEqual(before);
  });
}
