/** Generations with a real model server, whose behaviour a test chooses (test/helpers/model-server.ts). */
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import type { Step } from "../../src/ai/generation/brief.ts";
import { newId } from "../../src/lib/ids.ts";
import { send } from "./requests.ts";
import type { ArticleBody, Tenant } from "./tenant.ts";

export type Generated = { article: ArticleBody; metadata: Record<string, unknown> };

/** A request that the model server got. */
export type Asked = { path: string; body: string; headers: Record<string, string>; answered: boolean; gone: boolean };

export type Generating = {
  /** The behaviour of the model server, by default "ok". */
  readonly behaviour?: string;
  /** The name under which the server records the requests, by default a new one. */
  readonly name?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly bindings?: Record<string, unknown>;
};

/** Input fields that make a generation short. */
export const SHORT = { topic: "Morning walks", keywords: ["walks"], words: 300 };

/** Sends a request for a generation. */
export const generate = (tenant: Tenant, generating: Generating = {}) =>
  ask("/api/articles/generate", tenant, generating);

/** Sends a request for help with a text. */
export const assist = (tenant: Tenant, generating: Generating) => ask("/api/articles/assist", tenant, generating);

export type Assisted = {
  text: string | null;
  suggestions: { value: string; picture: string | null; known: boolean }[];
  warnings: string[];
  inputTokens: number;
  cost: number | null;
};

/** Gets help with a text. Throws if that fails. */
export async function assisted(tenant: Tenant, generating: Generating): Promise<Assisted> {
  const response = await assist(tenant, generating);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
  return JSON.parse(text) as Assisted;
}

function ask(path: string, tenant: Tenant, { behaviour = "ok", name = newId(), ...more }: Generating) {
  const { body = SHORT, headers = {}, bindings = {} } = more;
  const settings = { AI_BASE_URL: baseUrl(behaviour, name), AI_MODEL: "test", AI_API_KEY: "sk-secret-of-the-test" };
  return send(path, {
    as: { apiKey: tenant.apiKey },
    body: { blogId: tenant.blogId, ...body },
    headers,
    bindings: { ...settings, ...bindings } as Partial<Env>,
  });
}

/** Generates an article. Throws if the generation fails. */
export async function generated(tenant: Tenant, options: Generating = {}): Promise<Generated> {
  const response = await generate(tenant, options);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
  return JSON.parse(text) as Generated;
}

/** Returns the base URL of a model server with this behaviour, for this name. */
export const baseUrl = (behaviour: string, name: string): string =>
  `${env.MODELS.url}/${encodeURIComponent(behaviour)}/${name}/v1`;

/** Returns the requests that the model server got for a name. */
export async function askedOf(name: string): Promise<Asked[]> {
  return (await fetch(`${env.MODELS.url}/_seen/${name}`)).json();
}

/** Sets the next responses of the model server for a name. */
export async function script(name: string, answers: readonly object[]): Promise<void> {
  await fetch(`${env.MODELS.url}/_script/${name}`, { method: "POST", body: JSON.stringify(answers) });
}

/** Makes the model server hold its responses to a name. It still records the requests. */
export const hold = (name: string): Promise<void> => told("_hold", name);

/** Lets the model server send the responses that it held, and all later ones. */
export const release = (name: string): Promise<void> => told("_release", name);

async function told(what: string, name: string): Promise<void> {
  const response = await fetch(`${env.MODELS.url}/${what}/${name}`, { method: "POST" });
  if (!response.ok) throw new Error(await response.text());
}

/** Waits until the model server got at least `count` requests for a name. */
export const untilAsked = (name: string, count = 1): Promise<void> =>
  expect.poll(async () => (await askedOf(name)).length).toBeGreaterThanOrEqual(count);

export type Event = { event: string; data: Record<string, unknown> & Partial<Step> };

/** Returns the events of a stream in their order, without comments. */
export function eventsOf(text: string): Event[] {
  return text
    .split("\n\n")
    .filter((block) => block.startsWith("event: "))
    .map((block) => {
      const [, event = "", data = ""] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      return { event, data: JSON.parse(data) as Event["data"] };
    });
}
