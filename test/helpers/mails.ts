/** Helpers for the tests of accounts and subscriptions: new e-mail addresses, and the links in mails. */
import { env } from "cloudflare:workers";
import { sendJson } from "./requests.ts";
import type { Tenant } from "./tenant.ts";

/** The session cookie. With this prefix, browsers accept it only over https. */
export const COOKIE = "__Secure-edgepress.session_token";

let serial = 0;

/** Returns an e-mail address that no other test uses. */
export const freshAddress = (): string => `someone-${++serial}-${crypto.randomUUID().slice(0, 8)}@example.com`;

/** Returns the path of the link in the latest mail to an address. Throws if there is none. */
export async function mailedLink(to: string): Promise<string> {
  const mail = await env.DB.prepare("select body from local_mails where recipient = ? order by id desc limit 1")
    .bind(to)
    .first<{ body: string }>();
  const [link] = /https?:\S+/.exec(mail?.body ?? "") ?? [];
  if (link === undefined) throw new Error(`no link in a mail to ${to}: ${mail?.body}`);
  return new URL(link).pathname;
}

/** What readers of the tests' blogs get. */
export const NEWSLETTER = "A letter a month";

/** Lets readers subscribe to a blog. */
export const letSubscribe = ({ apiKey, blogId }: Pick<Tenant, "apiKey" | "blogId">, newsletter = NEWSLETTER) =>
  sendJson(200, `/api/blogs/${blogId}/site`, { as: { apiKey }, method: "PUT", body: { newsletter } });
