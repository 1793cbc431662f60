/** Generations of a test, by a real model server that behaves as named (test/helpers/model-server.ts). */
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import type { Step } from "../../src/generation/brief.ts";
import { newId } from "../../src/lib/ids.ts";
import { send } from "./requests.ts";
import type { ArticleBody, Tenant } from "./tenant.ts";

export type Generated = { article: ArticleBody; metadata: Record<string, unknown> };

/** What the model server saw of a name. */
export type Asked = { path: string; body: string; headers: Record<string, string>; answered: boolean; gone: boolean };

export type Generating = {
  /** How the model server behaves; "ok" unless said otherwise. */
  readonly behaviour?: string;
  /** The name under which the server knows the test; a new one unless said otherwise. */
  readonly name?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly bindings?: Record<string, unknown>;
};

/** Members that make a generation short. */
export const SHORT = { topic: "Morning walks", keywords: ["walks"], words: 300 };

/** Asks for a generation. */
export function generate(tenant: Tenant, { behaviour = "ok", name = newId(), ...more }: Generating = {}) {
  const { body = SHORT, headers = {}, bindings = {} } = more;
  const settings = { AI_BASE_URL: baseUrl(behaviour, name), AI_MODEL: "test", AI_API_KEY: "sk-secret-of-the-test" };
  return send("/api/articles/generate", {
    as: { apiKey: tenant.apiKey },
    body: { blogId: tenant.blogId, ...body },
    headers,
    bindings: { ...settings, ...bindings } as Partial<Env>,
  });
}

/** Asks for a generation that succeeds. */
export async function generated(tenant: Tenant, options: Generating = {}): Promise<Generated> {
  const response = await generate(tenant, options);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
  return JSON.parse(text) as Generated;
}

/** The base of a model server of this behaviour for this name. */
export const baseUrl = (behaviour: string, name: string): string =>
  `${env.MODELS.url}/${encodeURIComponent(behaviour)}/${name}/v1`;

/** What the model server has seen of a name. */
export async function askedOf(name: string): Promise<Asked[]> {
  return (await fetch(`${env.MODELS.url}/_seen/${name}`)).json();
}

/** Scripts the model server's next answers to a name. */
export async function script(name: string, answers: readonly object[]): Promise<void> {
  await fetch(`${env.MODELS.url}/_script/${name}`, { method: "POST", body: JSON.stringify(answers) });
}

/** Keeps the model server from answering a name's requests; it sees them all the same. */
export const hold = (name: string): Promise<void> => told("_hold", name);

/** Lets it answer what it has held, and everything after that. */
export const release = (name: string): Promise<void> => told("_release", name);

async function told(what: string, name: string): Promise<void> {
  const response = await fetch(`${env.MODELS.url}/${what}/${name}`, { method: "POST" });
  if (!response.ok) throw new Error(await response.text());
}

/** Waits until the model server has seen so many requests of a name. */
export const untilAsked = (name: string, count = 1): Promise<void> =>
  expect.poll(async () => (await askedOf(name)).length).toBeGreaterThanOrEqual(count);

export type Event = { event: string; data: Record<string, unknown> & Partial<Step> };

/** The events of a stream, in their order; comments are left out. */
export function eventsOf(text: string): Event[] {
  return text
    .split("\n\n")
    .filter((block) => block.startsWith("event: "))
    .map((block) => {
      const [, event = "", data = ""] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      return { event, data: JSON.parse(data) as Event["data"] };
    });
}
