/** The commands `login`, `logout` and `whoami`. */
import type { Command } from "commander";
import { SCOPES } from "../../../src/domain/principal.ts";
import type { Context } from "../context.ts";
import { isAbort, unauthorizedError, usageError } from "../failure.ts";
import { withRetries } from "../retries.ts";
import { makeAuthorizer } from "../sign-in/authorizer.ts";
import { logIn } from "../sign-in/login.ts";
import type { SignIn } from "../sign-in/credentials.ts";
import { revoke } from "../sign-in/oauth.ts";
import { toPrintableLine } from "../terminal.ts";
import { declare } from "./declare.ts";
import { parseList, formatTime } from "./shared.ts";

/** What the commands need. The person may grant less in the browser. */
const WANTED = SCOPES.filter((scope) => !scope.startsWith("contacts:"));

export function addAccountCommands(program: Command, context: Context): void {
  declare(program, "login", "sign in through the browser; the server becomes the default one", {
    takes: [
      ["--scopes <list>", `request these scopes (default: all but contacts:read and contacts:write)`, parseList],
      ["--no-browser", "print the URL to open instead of opening it"],
    ],
    help: LOGIN_EXAMPLES,
    run: (options: LoginOptions) => login(context, options),
  });
  declare(program, "logout", "sign out: end the sign-in on the server and delete it from this machine", {
    example: "logout --server https://press.example.com",
    run: () => logout(context),
  });
  declare(program, "profiles", "list the profiles: each is a server and a sign-in, by a name of yours", {
    help: PROFILE_EXAMPLES,
    run: () => listProfiles(context),
  });
  declare(program, "whoami", "show the server, how you are signed in, and what you can access", {
    example: "whoami --json | jq -r .server",
    run: () => whoami(context),
  });
}

const LOGIN_EXAMPLES = `
Examples:
  $ edgepress login --server https://press.example.com
  $ edgepress login --scopes articles:read,blogs:read --no-browser
  $ edgepress login --scopes contacts:read,contacts:write,blogs:read

The scopes: ${SCOPES.join(", ")}. The commands \`contacts\` need those of contacts.

Scripts do not sign in: they use EDGEPRESS_API_KEY.`;

const PROFILE_EXAMPLES = `
Examples:
  $ edgepress login --profile staging --server https://staging.example.com
  $ edgepress --profile staging articles list
  $ edgepress logout --profile staging

With a profile, EDGEPRESS_URL and EDGEPRESS_API_KEY are not used.`;

async function listProfiles({ output, credentials }: Context): Promise<void> {
  output.list(
    await credentials.listProfiles(),
    [
      { head: "PROFILE", cell: ({ name }) => name },
      { head: "SERVER", cell: ({ server }) => server },
      { head: "SIGNED IN (UTC)", cell: ({ since }) => formatTime(since) },
    ],
    "No profiles. Make one: edgepress login --profile NAME --server URL",
  );
}

type LoginOptions = { readonly scopes?: string[]; readonly browser: boolean };

async function login(context: Context, { scopes = WANTED, browser }: LoginOptions): Promise<void> {
  const { output, credentials, signal, now, onWait, apiKey } = context;
  const unknown = scopes.filter((scope) => !SCOPES.some((each) => each === scope));
  if (unknown.length > 0) throw usageError(`There is no scope ${unknown.join(", ")}.`, `Scopes: ${SCOPES.join(", ")}`);
  const server = await context.server();
  // If the credentials cannot be stored, this throws before the browser opens.
  await credentials.find(server);
  let before: SignIn | null = null;
  const signIn = await logIn({
    server,
    scopes,
    signal,
    now,
    onWait,
    show: (url) => showUrl(context, url, browser),
    async keep(signIn) {
      before = await credentials.keep(server, signIn);
    },
  });
  const organization = await loadOrganization(context, signIn);
  const replaced = before as SignIn | null;
  // Nothing uses the old sign-in. If the server cannot revoke it, it expires.
  if (replaced !== null) await revoke(server, replaced).catch(() => undefined);
  output.result({ server, organization, scopes: signIn.scopes }, () => {
    const where = organization === null ? "" : ` in the organization ${toPrintableLine(organization.name)}`;
    return `Signed in at ${server}${where} (${signIn.scopes.join(", ")}).`;
  });
  if (apiKey() !== undefined)
    output.warn("EDGEPRESS_API_KEY is set, and takes precedence over this sign-in: unset it.");
}

const PATIENCE_MS = 15_000;

/** Returns the organization chosen in the browser; null if the server does not say in time, which is no failure. */
async function loadOrganization(context: Context, { accessToken }: SignIn) {
  // Without it, the client would prefer EDGEPRESS_API_KEY.
  const client = await context.client({ authorizer: makeAuthorizer(`Bearer ${accessToken}`) });
  return client.request("GET /api/me", { signal: AbortSignal.timeout(PATIENCE_MS) }).then(
    // A server of another kind may answer anything.
    ({ value }) => (typeof value?.organization?.name === "string" ? value.organization : null),
    () => null,
  );
}

/** The address is shown even if it is opened: the browser may be on another screen, or may not open. */
async function showUrl({ output }: Context, url: string, browser: boolean): Promise<void> {
  output.request({ authorizationUrl: url }, () => `Open this URL to sign in:\n\n  ${url}\n`);
  if (!browser) return;
  const { default: open } = await import("open");
  await open(url).then(
    (child) => child.on("error", () => undefined),
    () => undefined,
  );
}

async function logout(context: Context): Promise<void> {
  const { output, credentials, apiKey } = context;
  const server = await context.server();
  let before: SignIn | null = null;
  await credentials.change(server, async (stored) => {
    before = stored;
    return null;
  });
  const ended = before as SignIn | null;
  const revoked =
    ended !== null &&
    (await withRetries(() => revoke(server, ended), context).then(
      () => true,
      (error: unknown) => warnNotRevoked(context, error),
    ));
  const said = ended === null ? `You were not signed in at ${server}.` : `Signed out of ${server}.`;
  output.result({ server, signedOut: ended !== null, revoked }, () => said);
  if (apiKey() !== undefined) output.warn("EDGEPRESS_API_KEY is still set.");
}

/** Warns that the server has not revoked a sign-in that is deleted here. Throws `error` if it is an interruption. */
function warnNotRevoked({ output }: Context, error: unknown): false {
  const reason = error instanceof Error ? error.message : String(error);
  output.warn(`The server was not notified: ${reason} Disconnect the client in the console, under Your account.`);
  if (isAbort(error)) throw error;
  return false;
}

async function whoami(context: Context): Promise<void> {
  const { output, credentials, apiKey } = context;
  const server = await context.server();
  const key = apiKey();
  const signIn = key ? null : await credentials.find(server);
  if (!key && signIn === null) {
    const hint = "Sign in with edgepress login, or set EDGEPRESS_API_KEY in scripts";
    throw unauthorizedError(`You are not signed in at ${server}.`, hint);
  }
  const client = await context.client();
  const { value: caller } = await client.request("GET /api/me");
  const blogs = caller.scopes.includes("blogs:read") ? await client.list("GET /api/blogs").all() : null;
  const since = signIn?.since ?? null;
  const shown = blogs?.map(({ _id, name, vanityId }) => ({ _id, name, vanityId })) ?? null;
  output.result({ server, method: key ? "api_key" : "browser", since, ...caller, blogs: shown }, () =>
    output.members([
      ["server", server],
      ["organization", caller.organization.name],
      [
        "signed in",
        key
          ? `with the API key "${caller.name}" (EDGEPRESS_API_KEY)`
          : `through the browser, since ${formatTime(since)} UTC`,
      ],
      ...(caller.expirationTime === null ? [] : [["until", `${formatTime(caller.expirationTime)} UTC`] as const]),
      ["scopes", caller.scopes.join(", ") || "none"],
      ["blogs", shown?.map(({ name, vanityId }) => `${name} (${vanityId})`).join("\n") || "none that you can access"],
    ]),
  );
}
