/** An organization of a test's own, with its credentials, and requests as a caller sends them. */
import { env, exports } from "cloudflare:workers";
import { newId } from "../../src/lib/ids.ts";
import { SCOPES, type Scope } from "../../src/domain/principal.ts";
import { newSecret } from "../../src/domain/secrets.ts";

export const ORIGIN = "https://edgepress.test";

export type Tenant = {
  readonly organizationId: string;
  readonly operatorToken: string;
  /** An API key with every scope. */
  readonly apiKey: string;
  readonly blogId: string;
};

export type Credential = { readonly apiKey?: string; readonly operatorToken?: string };

/** What a test asks of the service. */
export type Ask = {
  readonly as?: Credential;
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
};

/** Sends one request to the Worker. */
export function ask(path: string, { as = {}, method, body, headers = {} }: Ask = {}): Promise<Response> {
  const all: Record<string, string> = { ...authorization(as), ...headers };
  const init: RequestInit = { method: method ?? (body === undefined ? "GET" : "POST"), redirect: "manual" };
  if (body !== undefined) {
    all["Content-Type"] ??= "application/json";
    init.body = typeof body === "string" ? body : JSON.stringify(body);
  }
  return exports.default.fetch(new Request(new URL(path, ORIGIN), { ...init, headers: all }));
}

/** Sends one request and reads its JSON; fails where the status is another. */
export async function askJson<T = Record<string, unknown>>(status: number, path: string, options?: Ask): Promise<T> {
  const response = await ask(path, options);
  const text = await response.text();
  if (response.status !== status) throw new Error(`${path}: ${response.status}, not ${status}: ${text}`);
  return JSON.parse(text) as T;
}

/** The Authorization header of a credential. */
export function authorization({ apiKey, operatorToken }: Credential): Record<string, string> {
  if (apiKey !== undefined) return { Authorization: `Basic ${btoa(apiKey)}` };
  return operatorToken === undefined ? {} : { Authorization: `Token ${operatorToken}` };
}

/** Creates an organization with an operator token, an API key with every scope, and a blog. */
export async function newTenant(name = "Tenant"): Promise<Tenant> {
  const organizationId = newId();
  const { secret, hash, hint } = await newSecret("token");
  const time = new Date().toISOString();
  await env.DB.batch([
    env.DB.prepare("insert into organizations (id, name, creation_time) values (?, ?, ?)").bind(
      organizationId,
      name,
      time,
    ),
    env.DB.prepare(
      `insert into credentials (id, organization_id, kind, name, hash, hint, scopes, creation_time)
       values (?, ?, 'token', 'first', ?, ?, '[]', ?)`,
    ).bind(newId(), organizationId, hash, hint, time),
  ]);
  const operator = { operatorToken: secret };
  const apiKey = await newKey(operator, SCOPES);
  const blog = await askJson<{ _id: string }>(200, "/api/blogs", { as: operator, body: { name } });
  return { organizationId, operatorToken: secret, apiKey, blogId: blog._id };
}

/** Creates an API key; returns its secret. */
export async function newKey(as: Credential, scopes: readonly Scope[], more: object = {}): Promise<string> {
  const body = { name: "key", scopes, ...more };
  return (await askJson<{ secret: string }>(200, "/api/apikeys", { as, body })).secret;
}

/** The article that a test reads back. */
export type ArticleBody = {
  _id: string;
  blogId: string;
  title: string;
  description: string;
  content: string;
  slug: string;
  locale: string;
  coverUrl: string;
  published: boolean;
  creationTime: string;
  lastEditTime: string;
};

/** Creates an article; published unless said otherwise. */
export function newArticle(tenant: Tenant, fields: Partial<ArticleBody> = {}): Promise<ArticleBody> {
  const body = { blogId: tenant.blogId, title: "An article", published: true, ...fields };
  return askJson<ArticleBody>(200, "/api/articles", { as: { apiKey: tenant.apiKey }, body });
}
