/** Sends the mails that a request causes: after its response, and within a limit for each recipient. */
import { sharedDatabase } from "../../store/database.ts";
import { sha256 } from "../../lib/hash.ts";
import { log } from "../../lib/log.ts";
import type { Mail } from "../../background/mail/mail.ts";
import { mailerOf } from "../../background/mail/mailer.ts";
import { logFailure, type Arrival } from "./arrival.ts";
import { withinLimit } from "./limits.ts";
import { limitStrangers } from "./strangers.ts";

/** Returns whether mails reach their recipients. If not, a link in a mail proves nothing about who owns an address. */
export const mailsLeave = ({ env, settings }: Arrival): boolean =>
  settings.production && openMailer({ env, settings }) !== null;

const openMailer = ({ env, settings }: Pick<Arrival, "env" | "settings">) =>
  mailerOf({ db: sharedDatabase(env), email: bindingOf(env), local: !settings.production, settings: settings.mail });

/**
 * Sends a mail after the response, so that the response time does not reveal whether a mail is sent. Never throws:
 * failures are only logged.
 */
export function sendMail(arrival: Arrival, mail: Mail): void {
  const mailer = openMailer(arrival);
  if (mailer === null) return log({ level: "warn", requestId: arrival.requestId, message: "no way to send mails" });
  arrival.waitUntil(mailer(mail).catch((error: unknown) => logFailure(arrival, "mail", error)));
}

/**
 * What a mail is about. Each kind is counted by itself: who has a blog's mails sent to somebody else's address must not use
 * up what that person needs for a new password.
 */
export type MailKind = "account" | "invitation" | "reader";

/**
 * Sends a mail, unless its recipient has received too many of its kind in this minute. Never throws: failures are only
 * logged.
 */
export async function sendMailWithinLimit(arrival: Arrival, kind: MailKind, mail: Mail): Promise<void> {
  try {
    await limitMailsTo(arrival, kind, mail.to);
    sendMail(arrival, mail);
  } catch (error) {
    logFailure(arrival, "mail", error);
  }
}

/**
 * Counts a mail that somebody asks for without being signed in, by where they are and by its recipient. Throws `rate_limited`
 * if there are too many of either.
 */
export async function limitAskedMail(
  arrival: Arrival,
  request: Request,
  kind: MailKind,
  address: string,
): Promise<void> {
  await limitStrangers(arrival, request, "mailRequests", { subject: "mail" });
  await limitMailsTo(arrival, kind, address);
}

/** Counts a mail to an address. Throws `rate_limited` if there are too many, so that nobody can flood a mailbox. */
const limitMailsTo = async (arrival: Arrival, kind: MailKind, address: string): Promise<void> =>
  withinLimit(arrival, "mails", `${kind} ${await sha256(address)}`);

/** Returns the mail binding, if there is one. wrangler.toml has it in a comment, because not every account has it. */
const bindingOf = (env: Env & { readonly EMAIL?: SendEmail }): SendEmail | undefined => env.EMAIL;
