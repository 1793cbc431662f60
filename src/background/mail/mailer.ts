/** Sends mails through a webhook, Cloudflare's Email Service or, in local runs, to the log and the database. */
import { log } from "../../lib/log.ts";
import type { Database } from "../../store/core/sql.ts";
import { keepLocalMail } from "../../store/people/system-mails.ts";
import type { Mail, Mailer } from "./mail.ts";

export type MailSettings = {
  readonly from: string;
  readonly webhook: { readonly url: string; readonly token: string } | null;
};

type Outlets = {
  readonly db: Database;
  /** The `send_email` binding; undefined if there is none. */
  readonly email: SendEmail | undefined;
  /** In a local run without a webhook and a binding, mails go to the log and the database. */
  readonly local: boolean;
  readonly settings: MailSettings;
};

const WEBHOOK_MS = 10_000;

/** Returns the mailer of a deployment, or null if none is configured. A webhook comes before the binding. */
export function makeMailer({ db, email, local, settings }: Outlets): Mailer | null {
  const { from, webhook } = settings;
  if (webhook !== null) return (mail) => post(webhook, { from, ...mail });
  if (email !== undefined && from !== "") {
    return async (mail) => {
      await email.send({ from, ...mail });
    };
  }
  if (!local) return null;
  return async (mail) => {
    // The whole mail, so that `npm start` shows it in the terminal. Nothing else logs its text.
    log({ level: "mail", ...mail });
    await keepLocalMail(db, mail, new Date());
  };
}

/** POSTs `{from, to, subject, text}` as JSON. Throws if the status is not 2xx or there is no response in time. */
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
