import { BARE_URLS } from "../lib/addresses.ts";

/** A mail: plain text to one recipient. */
export type Mail = { readonly to: string; readonly subject: string; readonly text: string };

/** Sends a mail, or throws. */
export type Mailer = (mail: Mail) => Promise<void>;

/** Asks somebody to join an organization. */
export function invitationMail(to: string, organization: string, link: string): Mail {
  return {
    to,
    // Without the name: whoever chose it would write to strangers by it.
    subject: "You have been invited to an organization on Edgepress",
    text: `You have been invited to the organization "${quotable(organization)}" on Edgepress. Accept here:

${link}

The link works once and for seven days. If you were not expecting this, ignore this mail.`,
  };
}

/** A name that strangers are shown: short, on one line, without quotation marks, and nothing in it becomes a link. */
function quotable(name: string): string {
  const line = name.replaceAll(/[\p{C}\p{Z}]+/gu, " ").replaceAll('"', "'");
  const characters = Array.from(line.replaceAll(BARE_URLS, "…").replaceAll(HOSTS, "…"));
  return characters.length > MOST_OF_NAME ? `${characters.slice(0, MOST_OF_NAME).join("")}…` : characters.join("");
}

/** Characters. */
const MOST_OF_NAME = 60;

/** Host names and IP addresses, with what mail programs take to be a part of them: addresses of mail, paths. */
const HOSTS = /[^\s"'(<]*[\p{L}\p{M}\p{N}\p{S}_-][.。．｡][\p{L}\p{M}\p{N}\p{S}_-]\S*/gu;

/** Lets somebody who asked for it create an account. */
export function signUpMail(to: string, link: string): Mail {
  return {
    to,
    subject: "Create your Edgepress account",
    text: `Choose a name and a password here to create your account:

${link}

The link works once and for one hour. If you did not ask for it, ignore this mail: no account is created.`,
  };
}

/** The answer to a request for an account where there is one. */
export function accountExistsMail(to: string, link: string): Mail {
  return {
    to,
    subject: "You already have an Edgepress account",
    text: `Somebody, probably you, asked for an account with this address. You already have one. Sign in here:

${link}

If you have forgotten the password, the same page lets you set a new one.`,
  };
}

/** Lets somebody set a new password. */
export function passwordResetMail(to: string, link: string): Mail {
  return {
    to,
    subject: "Set a new Edgepress password",
    text: `Set a new password here:

${link}

The link works once and for one hour. If you did not ask for it, ignore this mail: nothing changes.`,
  };
}
