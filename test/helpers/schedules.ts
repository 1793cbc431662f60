/** Runs the schedules as the cron does, at a time of the test's choice. */
import { env } from "cloudflare:workers";
import { parseSettings } from "../../src/env.ts";
import { fireDue, sendDue, type DueRun } from "../../src/store/articles/system-due.ts";
import { SCHEDULES } from "../../src/store/articles/system-schedules.ts";
import { sendJson, type Credential } from "./requests.ts";
import type { ArticleBody } from "./tenant.ts";

export type Schedule = {
  articleId: string;
  publishTime: string | null;
  unpublishTime: string | null;
  timeZone: string;
  dueTime: string;
  state: string;
  failure: { code: string; detail: string } | null;
  scheduledBy: { kind: string; id: string };
  published: boolean;
};

/** What an article shows of its schedule. */
export type ScheduleShown = Partial<ArticleBody> & { publishTime?: string | null; schedule?: Schedule | null };

export const shownTo = (as: Credential, articleId: string): Promise<ScheduleShown> =>
  sendJson(200, `/api/articles/${articleId}?fields=published,publishTime,schedule,lastEditTime`, { as });

/** Returns a time in UTC, some minutes from now. */
export const inMinutes = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();

/** Carries out what is due at a time. `database` replaces the real one. Returns the organizations with new events. */
export async function runAt(time: string, more: Partial<DueRun> = {}): Promise<string[]> {
  const announced: string[] = [];
  const run: DueRun = {
    getDatabase: () => env.DB,
    quota: parseSettings(env).quota,
    now: () => new Date(time),
    announce: async (ids) => void announced.push(...ids),
    log: () => undefined,
    ...more,
  };
  await sendDue(SCHEDULES, env.DB, { now: run.now(), quota: run.quota }, async (messages) => {
    for (const due of messages) await fireDue(SCHEDULES, due, run);
  });
  return announced;
}

export const schedule = (as: Credential, articleId: string, body: object): Promise<Schedule> =>
  sendJson<Schedule>(200, `/api/articles/${articleId}/schedule`, { as, method: "PUT", body });
