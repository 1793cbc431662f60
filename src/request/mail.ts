/** Sends the mails that a request causes: after its response, and within a limit for each recipient. */
import { sharedDatabase } from "../store/database.ts";
import { LIMITS } from "../domain/limits.ts";
import { sha256 } from "../lib/hash.ts";
import { log } from "../lib/log.ts";
import type { Mail } from "../mail/mail.ts";
import { mailerOf } from "../mail/mailer.ts";
import { logFailure, type Arrival } from "./arrival.ts";
import { withinLimit } from "./limits.ts";

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

/** Sends a mail, unless its recipient has received too many in this minute. Never throws: failures are only logged. */
export async function sendMailWithinLimit(arrival: Arrival, mail: Mail): Promise<void> {
  try {
    await limitMailsTo(arrival, mail.to);
    sendMail(arrival, mail);
  } catch (error) {
    logFailure(arrival, "mail", error);
  }
}

/** Counts a mail to an address. Throws `rate_limited` if there are too many, so that nobody can flood a mailbox. */
export const limitMailsTo = async (arrival: Arrival, address: string): Promise<void> =>
  withinLimit(arrival, arrival.env.MAIL_LIMIT, await sha256(address), {
    code: "rate_limited",
    quota: LIMITS.mailsPerMinute,
  });

/** Returns the mail binding, if there is one. wrangler.toml has it in a comment, because not every account has it. */
const bindingOf = (env: Env & { readonly EMAIL?: SendEmail }): SendEmail | undefined => env.EMAIL;
