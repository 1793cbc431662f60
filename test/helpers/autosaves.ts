/** Saves as the editor's script does. */
import { env } from "cloudflare:workers";
import { parseSettings } from "../../src/env.ts";
import { MINUTE_MS } from "../../src/lib/time.ts";
import { fireAutosaved } from "../../src/store/articles/system-autosaved.ts";
import type { DueRun } from "../../src/store/articles/system-due.ts";
import { hiddenFields, type Browser, type Values } from "./console.ts";
import { outcome } from "./outcome.ts";
import type { ArticleBody, Tenant } from "./tenant.ts";

export type Answer = {
  id?: string;
  version: string;
  savedTime: string;
  published?: boolean;
  slug?: string;
  code?: string;
  by?: string | null;
  values: Record<string, string>;
  theirs?: {
    version: string;
    savedTime: string;
    by: string | null;
    published: boolean;
    values: Record<string, string>;
  };
  errors?: { path: string; message: string }[];
};

export const JSON_ONLY = { Accept: "application/json" };

/** Returns what the script sends with each save: the organization, the person, and the version that the page has. */
export async function opened(browser: Browser, path: string): Promise<Record<string, string>> {
  const { text } = await browser.get(path);
  const [, person = ""] = /data-person="([^"]+)"/.exec(text) ?? [];
  const { _organization = "", version = "" } = hiddenFields(text, path);
  return { _organization, _person: person, version };
}

/** Sends a save as the script does. */
export async function autosave(
  browser: Browser,
  path: string,
  values: Values,
  headers: Record<string, string> = JSON_ONLY,
) {
  const { status, text, headers: sent } = await browser.post(`${path}/autosave`, values, headers);
  const isJson = sent.get("Content-Type")?.startsWith("application/json") ?? false;
  return { status, isJson, headers: sent, answer: (isJson ? JSON.parse(text) : {}) as Answer };
}

/** Whether an article has a working copy. */
export const draftOf = (tenant: Tenant, { _id }: Pick<ArticleBody, "_id">) =>
  outcome(`/api/articles/${_id}/draft`, { as: { operatorToken: tenant.operatorToken } });

/** Stores the events that are due so many minutes from now, as the cron does. */
export async function runIn(minutes: number, more: Partial<DueRun> = {}): Promise<string[]> {
  const announced: string[] = [];
  await fireAutosaved(env.DB, {
    getDatabase: () => env.DB,
    quota: parseSettings(env).quota,
    now: () => new Date(Date.now() + minutes * MINUTE_MS),
    announce: async (ids) => void announced.push(...ids),
    log: () => undefined,
    ...more,
  });
  return announced;
}
