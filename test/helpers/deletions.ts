/** Asks for deletions, and carries them out as the cron does, at a time of the test's choice. */
import { env } from "cloudflare:workers";
import { parseSettings } from "../../src/env.ts";
import type { DeletionValue } from "../../src/operations/deletions.ts";
import { DELETIONS } from "../../src/store/articles/system-deletions.ts";
import { fireDue, sendDue, type DueRun } from "../../src/store/articles/system-due.ts";
import { sendJson, type Credential } from "./requests.ts";

/** Deletes what is due so many seconds from now. Returns the organizations with new events. */
export async function deleteAfter(seconds: number, more: Partial<DueRun> = {}): Promise<string[]> {
  const announced: string[] = [];
  const time = new Date(Date.now() + seconds * 1000);
  const run: DueRun = {
    getDatabase: () => env.DB,
    quota: parseSettings(env).quota,
    now: () => time,
    announce: async (ids) => void announced.push(...ids),
    log: () => undefined,
    ...more,
  };
  await sendDue(DELETIONS, env.DB, { now: time, quota: run.quota }, async (messages) => {
    for (const due of messages) await fireDue(DELETIONS, due, run);
  });
  return announced;
}

export const deletion = (as: Credential, articleId: string, headers = {}): Promise<DeletionValue> =>
  sendJson<DeletionValue>(200, `/api/articles/${articleId}/deletion`, { as, method: "PUT", body: {}, headers });
