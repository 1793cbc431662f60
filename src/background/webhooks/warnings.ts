import { listDueWarnings, noteWarning, type Warning } from "../../store/webhooks/system-warnings.ts";
import { writeWebhookMail } from "../mail/mail.ts";
import type { Relay } from "./ports.ts";

/**
 * Warns the operators of webhooks that fail. Each warning is noted before its mails are sent: after a crash, a mail is
 * missing rather than sent twice. A mail that fails is only logged.
 */
export async function warnOfStreaks(relay: Relay): Promise<void> {
  for (const due of await listDueWarnings(relay.db)) {
    const warning = await noteWarning(relay.db, due, relay.now());
    if (warning !== null) await sendMails(relay, warning);
  }
}

async function sendMails({ mailer, baseUrl, log }: Relay, warning: Warning): Promise<void> {
  if (mailer === null) return log({ level: "warn", message: "no way to send mails", subscription: warning.id });
  const { id, name, url, organization, failures, status, error, recipients } = warning;
  const lastFailure = error === "status" || error === null ? `status ${status}` : error;
  const webhook = { id, name, host: new URL(url).host, organization, failures, lastFailure };
  for (const to of recipients) {
    try {
      await mailer(writeWebhookMail(to, webhook, baseUrl && `${baseUrl}/console/webhooks/${id}`));
    } catch (failure) {
      log({ level: "error", message: "mail not sent", subscription: id, error: failure });
    }
  }
}
