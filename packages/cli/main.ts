/** The command-line client `edgepress`. */
import { run } from "./run.ts";

process.exitCode = await run(process);
