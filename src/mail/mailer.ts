/** The ways out for mails: Cloudflare's Email Service, a webhook, or (local runs) the console. */
import { log } from "../lib/log.ts";
import type { Database } from "../store/core/sql.ts";
import { keepLocalMail } from "../store/people/system-mails.ts";
import type { Mail, Mailer } from "./mail.ts";

export type MailSettings = {
  /** The sender's address. */
  readonly from: string;
  readonly webhook: { readonly url: string; readonly token: string } | null;
};

type Outlets = {
  readonly db: Database;
  /** The `send_email` binding, where there is one. */
  readonly email: SendEmail | undefined;
  /** Mails stay on this machine. */
  readonly local: boolean;
  readonly settings: MailSettings;
};

/** How long a webhook may take to accept a mail. */
const WEBHOOK_MS = 10_000;

/** The mailer of an environment, or null where none is set up. */
export function mailerOf({ db, email, local, settings }: Outlets): Mailer | null {
  const { from, webhook } = settings;
  if (webhook !== null) return (mail) => post(webhook, { from, ...mail });
  if (email !== undefined && from !== "") {
    return async (mail) => {
      await email.send({ from, ...mail });
    };
  }
  if (!local) return null;
  return async (mail) => {
    // The one thing that is printed whole: `npm start` shows it in the terminal.
    log({ level: "mail", ...mail });
    await keepLocalMail(db, mail, new Date());
  };
}

/** POSTs `{from, to, subject, text}` as JSON; any 2xx status means that the mail is on its way. */
async function post({ url, token }: { url: string; token: string }, mail: Mail & { from: string }): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(token !== "" && { Authorization: `Bearer ${token}` }) },
    body: JSON.stringify(mail),
    redirect: "manual",
    signal: AbortSignal.timeout(WEBHOOK_MS),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`the mail webhook answered ${response.status}`);
}
