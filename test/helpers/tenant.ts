/** An organization of a test's own, with its credentials. */
import { env } from "cloudflare:workers";
import { makeVanityId } from "../../src/domain/derived-names.ts";
import { newId } from "../../src/lib/ids.ts";
import { SCOPES, type Scope } from "../../src/domain/principal.ts";
import { newSecret } from "../../src/domain/secrets.ts";
import { listEntries } from "../../src/store/database.ts";
import { sendJson, type Credential } from "./requests.ts";
import { shards } from "./shards.ts";

export type Tenant = {
  readonly organizationId: string;
  readonly operatorToken: string;
  /** An API key with every scope. */
  readonly apiKey: string;
  readonly blogId: string;
};

/**
 * Creates an organization with an operator token, an API key with every scope, and a blog. By SQL, because nearly every test
 * has one: the operations would take four round trips more, and each blog an event that the queue looks at meanwhile. With
 * a shard, it is in that database.
 */
export async function newTenant(name = "Tenant", shard?: "DB_1" | "DB_2"): Promise<Tenant> {
  const [organizationId, blogId] = [newId(), newId()];
  const [token, key] = await Promise.all([newSecret("token"), newSecret("key")]);
  const time = new Date().toISOString();
  if (shard !== undefined) await env.DB.prepare("insert into homes values (?, ?)").bind(organizationId, shard).run();
  const db = shard === undefined ? env.DB : env[`TEST_${shard}`];
  await db.batch([
    db.prepare("insert into organizations (id, name, creation_time) values (?, ?, ?)").bind(organizationId, name, time),
    db
      .prepare(
        `insert into credentials (id, organization_id, kind, name, hash, hint, scopes, creation_time, last_used_time)
       values (?1, ?3, 'token', 'first', ?4, ?5, '[]', ?6, ?6), (?2, ?3, 'key', 'key', ?7, ?8, ?9, ?6, ?6)`,
      )
      .bind(newId(), newId(), organizationId, token.hash, token.hint, time, key.hash, key.hint, JSON.stringify(SCOPES)),
    db
      .prepare(
        `insert into blogs (id, organization_id, name, vanity_id, cover_url, locales, version, creation_time, last_edit_time)
       select ?1, ?2, ?3, iif(exists (select 1 from blogs where vanity_id = ?4), ?4 || '-' || substr(?1, -12), ?4), '',
         '["en"]', ?1, ?5, ?5`,
      )
      .bind(blogId, organizationId, name, makeVanityId(name), time),
  ]);
  if (shard !== undefined) await listEntries({ ...env, ...shards }, shard);
  return { organizationId, operatorToken: token.secret, apiKey: key.secret, blogId };
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
