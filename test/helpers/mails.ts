/** What the tests of accounts share: addresses of their own, and the links of mails. */
import { env } from "cloudflare:workers";

/** The session's cookie; its prefix makes browsers keep it for https only. */
export const COOKIE = "__Secure-edgepress.session_token";

let serial = 0;

/** An address that no other test has. */
export const freshAddress = (): string => `someone-${++serial}-${crypto.randomUUID().slice(0, 8)}@example.com`;

/** The path of the link in the last mail to an address. */
export async function mailedLink(to: string): Promise<string> {
  const mail = await env.DB.prepare("select body from local_mails where recipient = ? order by id desc limit 1")
    .bind(to)
    .first<{ body: string }>();
  const [link] = /https?:\S+/.exec(mail?.body ?? "") ?? [];
  if (link === undefined) throw new Error(`no link in a mail to ${to}: ${mail?.body}`);
  return new URL(link).pathname;
}
