/** An organization of a test's own, with its credentials. */
import { env } from "cloudflare:workers";
import { newId } from "../../src/lib/ids.ts";
import { SCOPES, type Scope } from "../../src/domain/principal.ts";
import { newSecret } from "../../src/domain/secrets.ts";
import { sendJson, type Credential } from "./requests.ts";

export type Tenant = {
  readonly organizationId: string;
  readonly operatorToken: string;
  /** An API key with every scope. */
  readonly apiKey: string;
  readonly blogId: string;
};

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
  const blog = await sendJson<{ _id: string }>(200, "/api/blogs", { as: operator, body: { name } });
  return { organizationId, operatorToken: secret, apiKey, blogId: blog._id };
}

/** Creates an API key; returns its secret. */
export async function newKey(as: Credential, scopes: readonly Scope[], more: object = {}): Promise<string> {
  const body = { name: "key", scopes, ...more };
  return (await sendJson<{ secret: string }>(200, "/api/apikeys", { as, body })).secret;
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
  return sendJson<ArticleBody>(200, "/api/articles", { as: { apiKey: tenant.apiKey }, body });
}
