/** The command-line client `edgepress`. */
import { CommanderError } from "commander";
import { asCliError, EXIT, interrupted, usage, type CliError } from "./failure.ts";
import { openContext } from "./open-context.ts";
import { createOutput } from "./output.ts";
import { addCommands, createProgram, type GlobalOptions } from "./program.ts";

/** Put in by scripts/build-cli.ts. */
declare const EDGEPRESS_VERSION: string;

process.exitCode = await run(process.argv);

/** Runs one command; resolves to the exit code. */
async function run(argv: string[]): Promise<number> {
  const { env, stdin, stdout, stderr } = process;
  const program = createProgram(EDGEPRESS_VERSION);
  const options = (): GlobalOptions => program.opts();
  const output = createOutput({ stdin, stdout, stderr }, env, () => ({
    // If the command line could not be read to its end, the raw arguments have to do.
    json: options().json ?? argv.includes("--json"),
    quiet: options().quiet ?? false,
  }));
  const { signal, interrupt } = interruption();
  const writing = watchOutput(stdout, { signal, interrupt });
  // There is nobody left to report this to.
  stderr.on("error", () => undefined);
  program.exitOverride().configureOutput({ outputError: () => undefined });
  const context = openContext({ version: EDGEPRESS_VERSION, env, stdin, output, signal, options });
  addCommands(program, context);
  const failure = await program.parseAsync(argv).then(
    () => null,
    (error: unknown) => (error instanceof CommanderError ? ofCommandLine(error) : asCliError(error)),
  );
  const unwritten = await writing.ended();
  // What the command has failed with by itself comes first.
  const hasFailed = failure !== null && failure.exit !== EXIT.interrupted;
  const shown = unwritten === null || hasFailed ? failure : unwritten.error;
  if (shown === null) return EXIT.ok;
  output.error(shown);
  return shown.exit;
}

type Unwritten = { readonly error: CliError | null } | null;

/**
 * Lets the command end in good order once its output can no longer be written: whatever it has begun on the service has
 * to be cleaned up. `ended` resolves, once everything is written, to what went wrong; its error is null where somebody
 * has just stopped reading (`| head`).
 */
function watchOutput(stdout: NodeJS.WriteStream, { signal, interrupt }: ReturnType<typeof interruption>) {
  let unwritten: Unwritten = null;
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    // A terminal that was closed takes nothing more: the signal says so, too.
    if (signal.aborted) return;
    unwritten = { error: error.code === "EPIPE" ? null : asCliError(error) };
    interrupt();
  });
  return {
    async ended(): Promise<Unwritten> {
      await new Promise<void>((resolve) => {
        // A callback of the stream comes before the event of the same error.
        stdout.write("", () => setImmediate(resolve));
      });
      return unwritten;
    },
  };
}

/** The first Ctrl-C lets a command end in good order; the second does not wait for it. */
function interruption(): { readonly signal: AbortSignal; readonly interrupt: () => void } {
  const controller = new AbortController();
  const interrupt = () => controller.abort(interrupted());
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => {
      // A terminal that is closed sends SIGHUP more than once; nobody is impatient then.
      if (controller.signal.aborted && name !== "SIGHUP") process.exit(EXIT.interrupted);
      interrupt();
    });
  }
  return { signal: controller.signal, interrupt };
}

/** Commander's refusals as ours; null if it is not a refusal: help or the version was shown. */
function ofCommandLine({ code, message, exitCode }: CommanderError): CliError | null {
  if (exitCode === 0) return null;
  if (code === "commander.help") return usage("Which command?");
  return usage(message.replace(/^error: /, ""));
}
