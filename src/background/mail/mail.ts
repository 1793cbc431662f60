import { LIMITS } from "../../domain/limits.ts";
import { SITE_LIMITS } from "../../domain/site.ts";
import { SUBSCRIBING } from "../../domain/subscriber-tokens.ts";
import { getSubscribingWords } from "../../domain/subscribing-words.ts";
import { BARE_URLS } from "../../lib/addresses.ts";
import { fillPlaces } from "../../lib/words.ts";

/** A plain-text mail to one recipient. */
export type Mail = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Further header fields. Only the service itself chooses their values. */
  readonly headers?: Readonly<Record<string, string>>;
};

/** Sends a mail. Rejects if the outlet does not accept it. */
export type Mailer = (mail: Mail) => Promise<void>;

export function writeInvitationMail(to: string, organization: string, link: string): Mail {
  return {
    to,
    // Without the organization's name: a spammer could choose a name to write any subject to strangers.
    subject: "You have been invited to an organization on Edgepress",
    text: `You have been invited to the organization "${toQuotable(organization)}" on Edgepress. Accept here:

${link}

The link works once and for ${LIMITS.invitationDays} days. If you were not expecting this, ignore this email.`,
  };
}

/**
 * Makes user text safe for a mail to strangers: one line of at most `most` characters, without double quotation marks
 * and without anything that mail programs turn into links.
 */
function toQuotable(name: string, most = MOST_OF_NAME): string {
  const line = name.replaceAll(/[\p{C}\p{Z}]+/gu, " ").replaceAll('"', "'");
  const characters = Array.from(line.replaceAll(BARE_URLS, "…").replaceAll(HOSTS, "…"));
  return characters.length > most ? `${characters.slice(0, most).join("")}…` : characters.join("");
}

const MOST_OF_NAME = 60;

/** Matches host names and IP addresses, with the text around them that mail programs link too: user names, paths. */
const HOSTS = /[^\s"'(<]*[\p{L}\p{M}\p{N}\p{S}_-][.。．｡][\p{L}\p{M}\p{N}\p{S}_-]\S*/gu;

/** A webhook that fails, as its operators are told. */
export type FailingWebhook = {
  readonly id: string;
  /** "" for none. */
  readonly name: string;
  readonly host: string;
  readonly organization: string;
  readonly failures: number;
  /** Such as "status 500" or "timeout". */
  readonly lastFailure: string;
};

/** Warns of a webhook that fails, or says that it was deactivated. `link` is its page in the console; "" for none. */
export function writeWebhookMail(to: string, webhook: FailingWebhook, link: string): Mail {
  const { id, name, host, organization, failures, lastFailure } = webhook;
  const isOff = failures >= LIMITS.failureStreak;
  const what = name === "" ? `The webhook to ${host}` : `The webhook "${toQuotable(name)}" to ${host}`;
  const page = link && `\n\n${link}`;
  const advice = isOff
    ? `It is inactive now and gets no events. Once its receiver works again, deliver what it has missed. This also reactivates it:

edgepress webhooks redeliver ${id} --activate${page && `\n\nOr in the console:${page}`}`
    : `After ${LIMITS.failureStreak} failures in a row it is deactivated. Check its receiver. Its deliveries are in the console.${page}`;
  return {
    to,
    subject: isOff ? "A webhook was deactivated" : `A webhook has failed ${failures} times in a row`,
    text: `${what} of the organization "${toQuotable(organization)}" has failed ${failures} times in a row. The last failure: ${lastFailure}.

${advice}

You get this email because you are an owner or an admin of the organization.`,
  };
}

export function writeSignUpMail(to: string, link: string): Mail {
  return {
    to,
    subject: "Create your Edgepress account",
    text: `Choose a name and a password here to create your account:

${link}

The link works once and for one hour. If you did not ask for it, ignore this email. No account will be created.`,
  };
}

/** Writes the mail to a person who asked for an account but already has one. */
export function writeAccountExistsMail(to: string, link: string): Mail {
  return {
    to,
    subject: "You already have an Edgepress account",
    text: `Somebody, probably you, asked for an account with this address. You already have one. Sign in here:

${link}

If you have forgotten the password, the same page lets you set a new one.`,
  };
}

export function writePasswordResetMail(to: string, link: string): Mail {
  return {
    to,
    subject: "Set a new Edgepress password",
    text: `Set a new password here:

${link}

The link works once and for one hour. If you did not ask for it, ignore this email. Nothing will change.`,
  };
}

export function writeAccountDeletedMail(to: string): Mail {
  return {
    to,
    subject: "Your Edgepress account was deleted",
    text: `The account with this email address was deleted, as somebody who was signed in to it asked. It cannot be restored.

If that was not you, tell whoever runs the service.`,
  };
}

/** The header fields by which mail programs offer to unsubscribe with one click (RFC 8058). */
const makeUnsubscribeHeaders = (link: string) => ({
  "List-Unsubscribe": `<${link}>`,
  "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
});

/** A mail to a reader of a blog, in the language of `locale`. `leave` is the address for unsubscribing. */
type ReaderMail = {
  readonly to: string;
  readonly blog: string;
  readonly locale: string;
  readonly link: string;
  readonly leave: string;
};

/** Asks a reader to confirm a subscription. `newsletter` describes what they will get; "" if the blog does not say. */
export function writeConfirmSubscriptionMail(mail: ReaderMail & { readonly newsletter: string }): Mail {
  const { to, blog, newsletter, locale, link, leave } = mail;
  const { words } = getSubscribingWords(locale);
  const promise = fillPlaces(words.confirmPromise, { newsletter: toQuotable(newsletter, SITE_LIMITS.newsletter) });
  return {
    to,
    // Without the blog's name: its owner could choose a name to write any subject to strangers.
    subject: words.confirmSubject,
    text: `${fillPlaces(words.confirmText, { blog: toQuotable(blog) })}

${link}
${newsletter && `\n${promise}\n`}
${fillPlaces(words.confirmEnd, { hours: String(SUBSCRIBING.hours) })}`,
    headers: makeUnsubscribeHeaders(leave),
  };
}

/** For a reader who subscribes again. */
export function writeAlreadySubscribedMail({ to, blog, locale, link, leave }: ReaderMail): Mail {
  const { words } = getSubscribingWords(locale);
  return {
    to,
    subject: words.knownSubject,
    text: `${fillPlaces(words.knownText, { blog: toQuotable(blog) })}

${link}`,
    headers: makeUnsubscribeHeaders(leave),
  };
}

/** For a reader who has just confirmed. */
export function writeSubscribedMail({ to, blog, locale, link, leave }: ReaderMail): Mail {
  const { words } = getSubscribingWords(locale);
  return {
    to,
    subject: words.doneSubject,
    text: `${fillPlaces(words.doneText, { blog: toQuotable(blog) })}

${link}`,
    headers: makeUnsubscribeHeaders(leave),
  };
}
