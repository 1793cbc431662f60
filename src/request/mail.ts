/** Mails that a request causes: sent after its response, and only so many to each address. */
import { sharedDatabase } from "../store/database.ts";
import { LIMITS } from "../domain/limits.ts";
import { sha256 } from "../lib/hash.ts";
import { log } from "../lib/log.ts";
import type { Mail } from "../mail/mail.ts";
import { mailerOf } from "../mail/mailer.ts";
import { logFailure, type Arrival } from "./arrival.ts";
import { withinLimit } from "./limits.ts";

/** Whether mails reach their recipients: only then does a link prove that an address belongs to its holder. */
export const mailsLeave = ({ env, settings }: Arrival): boolean =>
  settings.production && openMailer({ env, settings }) !== null;

const openMailer = ({ env, settings }: Pick<Arrival, "env" | "settings">) =>
  mailerOf({ db: sharedDatabase(env), email: bindingOf(env), local: !settings.production, settings: settings.mail });

/** Sends a mail after the response, so that the time it takes reveals nothing. Best effort. */
export function sendMail(arrival: Arrival, mail: Mail): void {
  const mailer = openMailer(arrival);
  if (mailer === null) return log({ level: "warn", requestId: arrival.requestId, message: "no way to send mails" });
  arrival.waitUntil(mailer(mail).catch((error: unknown) => logFailure(arrival, "mail", error)));
}

/** Sends a mail, unless its recipient has got too many in this minute. */
export async function sendMailWithinLimit(arrival: Arrival, mail: Mail): Promise<void> {
  try {
    await limitMailsTo(arrival, mail.to);
    sendMail(arrival, mail);
  } catch (error) {
    logFailure(arrival, "mail", error);
  }
}

/** Counts a mail to an address, so that nobody can flood somebody else's mailbox. */
export const limitMailsTo = async (arrival: Arrival, address: string): Promise<void> =>
  withinLimit(arrival, arrival.env.MAIL_LIMIT, await sha256(address), {
    code: "rate_limited",
    quota: LIMITS.mailsPerMinute,
  });

/** The mail binding is commented out in wrangler.toml: not every account has it. */
const bindingOf = (env: Env & { readonly EMAIL?: SendEmail }): SendEmail | undefined => env.EMAIL;
