/** What every command gets: its process, its output, the client, and questions to the person. */
import { isId } from "../../src/lib/ids.ts";
import { createClient, type Client, type ClientOptions } from "./client.ts";
import { CliError, EXIT, hasCode, interruptedError, usageError } from "./failure.ts";
import type { Output } from "./output.ts";
import { formatDuration } from "./progress.ts";
import type { GlobalOptions } from "./program.ts";
import { DEFAULT_SERVER, parseServer } from "./server.ts";
import { makeKeyAuthorizer, makeSignInAuthorizer } from "./sign-in/authorizer.ts";
import { openCredentials, type Credentials } from "./sign-in/credentials.ts";

export type Context = {
  readonly version: string;
  readonly env: NodeJS.ProcessEnv;
  readonly output: Output;
  /** Aborted by Ctrl-C. Commands then clean up and end; the program exits with 130. */
  readonly signal: AbortSignal;
  readonly now: () => Date;
  /** Tells the person about a pause before a retry. */
  readonly onWait: (seconds: number, why: string) => void;
  readonly stdin: NodeJS.ReadStream;
  readonly credentials: Credentials;
  /** The name of the profile, from `--profile` or EDGEPRESS_PROFILE. Its server and sign-in are used, and nothing of the environment. */
  readonly profile: () => string | undefined;
  /** EDGEPRESS_API_KEY; undefined with a profile. */
  readonly apiKey: () => string | undefined;
  /**
   * Returns `--server`, else the server of the profile, or without one EDGEPRESS_URL, else the server of the most recent
   * sign-in, else the local server. Throws a usage error if it is not a valid address, and for an unknown profile.
   */
  readonly server: () => Promise<string>;
  /** Returns a client that authorizes with the API key if there is one, else with the stored sign-in. */
  readonly client: (options?: Partial<ClientOptions>) => Promise<Client>;
  /** Returns whether requests have a credential. Throws `CliError` if it cannot be read. */
  readonly hasCredential: () => Promise<boolean>;
  /**
   * Returns the id of a blog by its id or vanityId, or of the only blog if `named` is undefined. Throws `not_found`, or
   * a usage error if there is not exactly one blog to choose.
   */
  readonly blog: (named: string | undefined) => Promise<string>;
  /**
   * Asks before something is deleted, unless `yes` (`--yes`) is true. Throws `CliError`: `declined`, `interrupted`, or
   * `confirmation_required` if there is no terminal.
   */
  readonly confirm: (question: string, yes: boolean | undefined) => Promise<void>;
};

type Opened = Pick<Context, "version" | "env" | "stdin" | "output" | "signal"> & {
  /** Called at each use, because the command line is parsed after the context is created. */
  readonly options: () => GlobalOptions;
};

const now = () => new Date();

export function openContext(opened: Opened): Context {
  const { env, output, signal, version, options } = opened;
  const profile = () => options().profile ?? (env["EDGEPRESS_PROFILE"] || undefined);
  const apiKey = () => (profile() === undefined ? env["EDGEPRESS_API_KEY"] || undefined : undefined);
  const credentials = openCredentials(env, output.warn, profile);
  const server = async () => {
    const name = profile();
    const given = options().server ?? (name === undefined ? env["EDGEPRESS_URL"] : undefined);
    const known = given || (await credentials.findDefaultServer());
    if (!known && name !== undefined) {
      throw usageError(`There is no profile ${name}.`, `Make it: edgepress login --profile ${name} --server URL`);
    }
    return parseServer(known || DEFAULT_SERVER);
  };
  const onWait = (seconds: number, why: string) =>
    output.note(`${why} Trying again${seconds < 1 ? "" : ` in ${formatDuration(seconds)}`}.`);
  const authorizer = async () => {
    const key = apiKey();
    return key ? makeKeyAuthorizer(key) : makeSignInAuthorizer(credentials, await server(), now);
  };
  const context: Context = {
    version,
    env,
    output,
    signal,
    now,
    onWait,
    stdin: opened.stdin,
    credentials,
    profile,
    apiKey,
    server,
    async client(more = {}) {
      const own = more.authorizer ?? (await authorizer());
      return createClient({ server: await server(), signal, version, onWait, ...more, authorizer: own });
    },
    hasCredential: async () => (await (await authorizer()).header()) !== null,
    blog: (named) => findBlogId(context, named),
    confirm: (question, yes) => askToConfirm(context, question, yes === true),
  };
  return context;
}

async function findBlogId({ client }: Context, named: string | undefined): Promise<string> {
  const service = await client();
  if (named === undefined) return findOnlyBlog(service);
  if (isId(named)) return named;
  // This path needs no scope. The credential may lack blogs:read.
  const { _id } = await service.blogs.get(named).catch((error: unknown) => {
    if (!hasCode(error, "not_found")) throw error;
    const details = { ...error.details, hint: "To see the blogs: edgepress blogs list" };
    throw new CliError(error.code, error.message, error.exit, details);
  });
  return _id;
}

async function findOnlyBlog(service: Client): Promise<string> {
  const blogs = await service.list("GET /api/blogs").all();
  const [only, ...others] = blogs;
  if (only === undefined) throw usageError("There is no blog yet.", 'Create one: edgepress blogs create "Field Notes"');
  if (others.length === 0) return only._id;
  const names = blogs.slice(0, 10).map(({ vanityId }) => vanityId);
  throw usageError(
    `There are ${blogs.length} blogs. Choose one with --blog.`,
    `For example: --blog ${names.join(", ")}`,
  );
}

async function askToConfirm({ output, stdin, signal }: Context, question: string, yes: boolean): Promise<void> {
  if (yes) return;
  if (!output.interactive) {
    const hint = "There is no terminal to ask for confirmation. Pass --yes.";
    throw new CliError("confirmation_required", `${question} It was not confirmed.`, EXIT.usage, { hint });
  }
  const { confirm, isCancel } = await import("@clack/prompts");
  const options = { input: stdin, output: process.stderr, signal };
  const answer = await confirm({ message: question, initialValue: false, ...options });
  if (isCancel(answer)) throw interruptedError();
  if (!answer) throw new CliError("declined", "Not deleted.");
}
