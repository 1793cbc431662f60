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
  let isReadNoFurther = false;
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    // A terminal that was closed takes nothing more; the command still ends in good order.
    if (signal.aborted) return;
    // Somebody stops reading (`| head`): that is not a failure, and ends in good order, too.
    isReadNoFurther = error.code === "EPIPE";
    if (isReadNoFurther) return interrupt();
    output.error(asCliError(error));
    process.exit(EXIT.failed);
  });
  // There is nobody left to report this to.
  stderr.on("error", () => undefined);
  program.exitOverride().configureOutput({ outputError: () => undefined });
  const context = openContext({ version: EDGEPRESS_VERSION, env, stdin, output, signal, options });
  addCommands(program, context);
  try {
    await program.parseAsync(argv);
    return EXIT.ok;
  } catch (error) {
    const failure = error instanceof CommanderError ? ofCommandLine(error) : asCliError(error);
    if (failure === null || (isReadNoFurther && failure.exit === EXIT.interrupted)) return EXIT.ok;
    output.error(failure);
    return failure.exit;
  }
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
