/** Runs one command of the client, from its command line to its exit code. */
import { CommanderError } from "commander";
import { toCliError, EXIT, interruptedError, usageError, type CliError } from "./failure.ts";
import { openContext } from "./context.ts";
import { createOutput } from "./output.ts";
import { addCommands, createProgram, type GlobalOptions } from "./program.ts";

/** scripts/build-cli.ts replaces this with the version. */
declare const EDGEPRESS_VERSION: string;

export type Surroundings = Pick<NodeJS.Process, "argv" | "env" | "exit"> & {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  on(name: NodeJS.Signals, listener: () => void): unknown;
};

export async function run(surroundings: Surroundings): Promise<number> {
  const { argv, env, stdin, stdout, stderr } = surroundings;
  const program = createProgram(EDGEPRESS_VERSION);
  const options = (): GlobalOptions => program.opts();
  const output = createOutput({ stdin, stdout, stderr }, env, () => ({
    // If the command line could not be parsed, only the raw arguments tell.
    json: options().json ?? argv.includes("--json"),
    quiet: options().quiet ?? false,
  }));
  const { signal, interrupt } = listenForInterrupts(surroundings);
  const waitUntilWritten = watchOutput(stdout, { signal, interrupt });
  // If standard error cannot be written, the failure cannot be reported anywhere.
  stderr.on("error", () => undefined);
  program.exitOverride().configureOutput({ writeOut: (text) => stdout.write(text), outputError: () => undefined });
  const context = openContext({ version: EDGEPRESS_VERSION, env, stdin, output, signal, options });
  addCommands(program, context);
  const failure = await program.parseAsync(argv).then(
    () => null,
    (error: unknown) => (error instanceof CommanderError ? toUsageError(error) : toCliError(error)),
  );
  const unwritten = await waitUntilWritten();
  // The command's own error takes precedence over an error of the output.
  const hasFailed = failure !== null && failure.exit !== EXIT.interrupted;
  const shown = unwritten === null || hasFailed ? failure : unwritten.error;
  if (shown === null) return EXIT.ok;
  output.error(shown);
  return shown.exit;
}

/** Why standard output could not be written. `error` is null if the reader closed the pipe (`| head`): no mistake. */
type Unwritten = { readonly error: CliError | null } | null;

/**
 * Interrupts the command if standard output cannot be written, so that it cleans up what it has begun on the service.
 * The returned function resolves when everything is written or has failed.
 */
function watchOutput(stdout: NodeJS.WriteStream, { signal, interrupt }: ReturnType<typeof listenForInterrupts>) {
  let unwritten: Unwritten = null;
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    // A closed terminal causes this error after a signal, which has interrupted the command.
    if (signal.aborted) return;
    unwritten = { error: error.code === "EPIPE" ? null : toCliError(error) };
    interrupt();
  });
  return async (): Promise<Unwritten> => {
    await new Promise<void>((resolve) => {
      // The stream calls this callback before it emits the "error" event of the same error.
      stdout.write("", () => setImmediate(resolve));
    });
    return unwritten;
  };
}

/** The first Ctrl-C aborts `signal`, so that the command can clean up. The second one ends the process at once. */
function listenForInterrupts(surroundings: Surroundings): {
  readonly signal: AbortSignal;
  readonly interrupt: () => void;
} {
  const controller = new AbortController();
  const interrupt = () => controller.abort(interruptedError());
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    surroundings.on(name, () => {
      // A closed terminal may send SIGHUP more than once.
      if (controller.signal.aborted && name !== "SIGHUP") surroundings.exit(EXIT.interrupted);
      interrupt();
    });
  }
  return { signal: controller.signal, interrupt };
}

function toUsageError({ code, message, exitCode }: CommanderError): CliError | null {
  if (exitCode === 0) return null;
  if (code === "commander.help") return usageError("Which command?");
  return usageError(message.replace(/^error: /, ""));
}
