/** Creates the context of one run of the program. */
import { createClient, path, type Client } from "./client.ts";
import type { Context } from "./context.ts";
import { CliError, EXIT, interrupted, usage } from "./failure.ts";
import type { Output } from "./output.ts";
import type { GlobalOptions } from "./program.ts";
import { DEFAULT_SERVER, serverOf } from "./server.ts";
import { keyAuthorizer, signedIn } from "./sign-in/authorizer.ts";
import { openCredentials } from "./sign-in/credentials.ts";
import { spell } from "./progress.ts";
import { isId } from "../../src/lib/ids.ts";

type Opened = {
  readonly version: string;
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: NodeJS.ReadStream;
  readonly output: Output;
  readonly signal: AbortSignal;
  /** Called at each use, because the command line is parsed after the context is created. */
  readonly options: () => GlobalOptions;
};

const now = () => new Date();

export function openContext(opened: Opened): Context {
  const { env, output, signal, version, options } = opened;
  const credentials = openCredentials(env, output.warn);
  const server = async () =>
    serverOf(options().server ?? (env["EDGEPRESS_URL"] || ((await credentials.defaultServer()) ?? DEFAULT_SERVER)));
  const onWait = (seconds: number, why: string) =>
    output.note(`${why} Trying again${seconds < 1 ? "" : ` in ${spell(seconds)}`}.`);
  let client: Promise<Client> | undefined;
  const open = async () => {
    const address = await server();
    const key = env["EDGEPRESS_API_KEY"];
    return createClient({
      server: address,
      authorizer: key ? keyAuthorizer(key) : signedIn(credentials, address, now),
      signal,
      version,
      onWait,
    });
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
    server,
    client: () => (client ??= open()),
    blog: (named) => blogNamed(context, named),
    confirm: (question, yes) => confirmed(context, question, yes === true),
  };
  return context;
}

async function blogNamed({ client }: Context, named: string | undefined): Promise<string> {
  const service = await client();
  if (named === undefined) return onlyBlog(service);
  if (isId(named)) return named;
  // This path shows public details and needs no scope. The credential may lack blogs:read.
  const { value } = await service.get<{ _id: string }>(path`/blogs/${named}`).catch((error: unknown) => {
    if (!(error instanceof CliError) || error.code !== "not_found") throw error;
    const details = { ...error.details, hint: "To see the blogs: edgepress blogs list" };
    throw new CliError(error.code, error.message, error.exit, details);
  });
  return value._id;
}

async function onlyBlog(service: Client): Promise<string> {
  const blogs = await service.all<{ _id: string; vanityId: string }>("/api/blogs");
  const [only, ...others] = blogs;
  if (only === undefined) throw usage("There is no blog yet.", 'Create one: edgepress blogs create "Field Notes"');
  if (others.length === 0) return only._id;
  const names = blogs.slice(0, 10).map(({ vanityId }) => vanityId);
  throw usage(`There are ${blogs.length} blogs. Choose one with --blog.`, `For example: --blog ${names.join(", ")}`);
}

async function confirmed({ output, stdin, signal }: Context, question: string, yes: boolean): Promise<void> {
  if (yes) return;
  if (!output.interactive) {
    const hint = "There is no terminal to ask for confirmation. Pass --yes.";
    throw new CliError("confirmation_required", `${question} It was not confirmed.`, EXIT.usage, { hint });
  }
  const { confirm, isCancel } = await import("@clack/prompts");
  const options = { input: stdin, output: process.stderr, signal };
  const answer = await confirm({ message: question, initialValue: false, ...options });
  if (isCancel(answer)) throw interrupted();
  if (!answer) throw new CliError("declined", "Not deleted.");
}
