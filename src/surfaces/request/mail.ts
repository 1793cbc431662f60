/** Mails that a request causes: sent after its response, and limited for each recipient. */
import { getDirectory } from "../../store/database.ts";
import { sha256 } from "../../lib/hash.ts";
import { log } from "../../lib/log.ts";
import type { Mail } from "../../background/mail/mail.ts";
import { makeMailer } from "../../background/mail/mailer.ts";
import { logFailure, type Arrival } from "./arrival.ts";
import { enforceLimit } from "./limits.ts";
import { enforceAnonymousLimits } from "./strangers.ts";

/** Returns whether mails reach their recipients. If not, a link in a mail does not prove who owns the address. */
export const canDeliverMail = ({ env, settings }: Arrival): boolean =>
  settings.production && openMailer({ env, settings }) !== null;

/** Returns the mailer of the deployment, or null if it has none. */
export const openMailer = ({ env, settings }: Pick<Arrival, "env" | "settings">) =>
  makeMailer({
    db: getDirectory(env),
    email: getMailBinding(env),
    local: !settings.production,
    settings: settings.mail,
  });

/** Sends a mail after the response, whose time must not reveal whether there is a mail. Failures are only logged. */
export function sendMail(arrival: Arrival, mail: Mail): void {
  const mailer = openMailer(arrival);
  if (mailer === null) return log({ level: "warn", requestId: arrival.requestId, message: "no way to send mails" });
  arrival.waitUntil(mailer(mail).catch((error: unknown) => logFailure(arrival, "mail", error)));
}

/**
 * Each kind has its own limit: somebody who requests a blog's mails for another person's address must not use up the mails
 * that this person needs for a new password.
 */
export type MailKind = "account" | "invitation" | "reader";

/** Sends a mail, unless its recipient got too many of its kind in this minute. Failures are only logged. */
export async function sendMailWithinLimit(arrival: Arrival, kind: MailKind, mail: Mail): Promise<void> {
  try {
    await enforceMailLimit(arrival, kind, mail.to);
    sendMail(arrival, mail);
  } catch (error) {
    logFailure(arrival, "mail", error);
  }
}

/** Counts a mail that somebody asks for without signing in, by network and by recipient. Throws `rate_limited`. */
export async function enforceRequestedMailLimits(
  arrival: Arrival,
  request: Request,
  kind: MailKind,
  address: string,
): Promise<void> {
  await enforceAnonymousLimits(arrival, request, "mailRequests", { subject: "mail" });
  await enforceMailLimit(arrival, kind, address);
}

/** Counts a mail to an address, so that nobody can flood a mailbox. Throws `rate_limited`. */
const enforceMailLimit = async (arrival: Arrival, kind: MailKind, address: string): Promise<void> =>
  enforceLimit(arrival, "mails", `${kind} ${await sha256(address)}`);

/** Not every account can send mails, so wrangler.toml has this binding in a comment. */
const getMailBinding = (env: Env & { readonly EMAIL?: SendEmail }): SendEmail | undefined => env.EMAIL;
