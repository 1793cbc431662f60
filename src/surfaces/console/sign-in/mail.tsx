/** The page that shows the mails of a local run, which sends none. */
import { getDirectory } from "../../../store/database.ts";
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { DomainError } from "../../../domain/errors.ts";
import { isLoopbackHost } from "../../../lib/network.ts";
import { listLocalMails } from "../../../store/people/system-mails.ts";
import type { ConsoleEnv } from "../env.ts";
import { page } from "../layout.tsx";
import { recognizePerson } from "../session.ts";
import { Time } from "../time.tsx";

export const localMail = new Hono<ConsoleEnv>();

localMail.get("/", recognizePerson, async (c) => {
  const { env, settings } = c.env.arrival;
  // Accept only loopback host names. Otherwise a website whose name resolves to this machine could read the mails (DNS
  // rebinding).
  if (settings.production || !isLoopbackHost(new URL(c.req.url).hostname))
    throw new DomainError("not_found", "This page does not exist.");
  const mails = await listLocalMails(getDirectory(env));
  return page(
    c,
    "Emails",
    <>
      <p>Local runs do not send emails. The latest ones are shown here and in the terminal.</p>
      {mails.length === 0 && <p>No emails yet.</p>}
      {mails.map(({ recipient, subject, body, creationTime }) => (
        <article class="card mail">
          <h2>{subject}</h2>
          <p class="hint">
            To {recipient}, <Time at={creationTime} />
          </p>
          {body.split("\n\n").map((paragraph) => (
            <p>{/^https?:\S+$/.test(paragraph) ? <a href={paragraph}>{paragraph}</a> : paragraph}</p>
          ))}
        </article>
      ))}
    </>,
  );
});

/** Does not reveal whether an account exists. */
export const MailSent: FC<{ to: string; works?: string; local: boolean }> = ({ to, works = "for an hour", local }) => (
  <>
    <p>
      If <strong>{to}</strong> is your email address, you will get an email with a link. The link works {works}.
    </p>
    {local && (
      <p>
        This is a local run. <a href="/console/mail">View the email</a>
      </p>
    )}
  </>
);
