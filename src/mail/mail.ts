/** A mail: plain text to one recipient. */
export type Mail = { readonly to: string; readonly subject: string; readonly text: string };

/** Sends a mail, or throws. */
export type Mailer = (mail: Mail) => Promise<void>;

/** Asks somebody to join an organization. */
export function invitationMail(to: string, organization: string, link: string): Mail {
  return {
    to,
    subject: `Join ${organization} on Edgepress`,
    text: `You have been invited to the organization "${organization}" on Edgepress. Accept here:

${link}

The link works once and for seven days. If you do not know what this is about, ignore this mail.`,
  };
}

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
    text: `Somebody, probably you, asked for an account with this address. There is one already. Sign in here:

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
