/** The ways out for mails. */
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { makeMailer } from "../../src/background/mail/mailer.ts";

const mail = { to: "ada@example.com", subject: "Hello", text: "A line\n\nhttps://example.com/" };
const settings = { from: "press@example.com", webhook: null };
const outlets = { db: env.DB, email: undefined, local: false, settings };

/** What the receiver got under a name (test/helpers/receiver.ts). */
const received = async (name: string): Promise<{ body: string; headers: Record<string, string> }[]> =>
  (await fetch(`${env.RECEIVER.url}/_seen/${name}`)).json();

describe("a mailer", () => {
  it("is none where nothing is set up", () => {
    expect(makeMailer(outlets)).toBeNull();
    // A binding without a sender cannot send.
    expect(
      makeMailer({ ...outlets, email: { send: vi.fn() } as never, settings: { ...settings, from: "" } }),
    ).toBeNull();
  });

  it("keeps mails of local runs for the console", async () => {
    await makeMailer({ ...outlets, local: true })?.(mail);
    const row = await env.DB.prepare("select * from local_mails where recipient = ?").bind(mail.to).first();
    expect(row).toMatchObject({ subject: mail.subject, body: mail.text });
  });

  it("gives mails to Cloudflare's binding", async () => {
    const sendMail = vi.fn(async () => ({ messageId: "1" }));
    await makeMailer({ ...outlets, email: { send: sendMail } as never })?.(mail);
    expect(sendMail).toHaveBeenCalledExactlyOnceWith({ from: "press@example.com", ...mail });
  });

  it("posts mails to a webhook, with its token", async () => {
    const url = `${env.RECEIVER.url}/ok/mails`;
    await makeMailer({ ...outlets, settings: { ...settings, webhook: { url, token: "secret" } } })?.(mail);
    const [request] = await received("mails");
    expect(JSON.parse(request?.body ?? "")).toEqual({ from: "press@example.com", ...mail });
    expect(request?.headers["authorization"]).toBe("Bearer secret");
  });

  it.each(["status-500", "redirect-302", "nobody"])("fails where the webhook does not take it: %s", async (path) => {
    const url = path === "nobody" ? env.RECEIVER.refusing : `${env.RECEIVER.url}/${path}/mails`;
    const mailer = makeMailer({ ...outlets, settings: { ...settings, webhook: { url, token: "" } } });
    await expect(mailer?.(mail)).rejects.toThrow(/./);
  });
});
