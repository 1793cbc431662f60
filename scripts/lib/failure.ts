/** Something that the person at the terminal can do something about: shown as one line, without a stack. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Runs a script to its end; a failure becomes its line and its exit code. */
export async function runScript(main: () => Promise<number>, cleanUp: () => Promise<void>): Promise<never> {
  try {
    const code = await main();
    await cleanUp();
    process.exit(code);
  } catch (error) {
    await cleanUp();
    console.error(isForPeople(error) ? error.message : error);
    process.exit(error instanceof Failure ? error.exitCode : 1);
  }
}

/** What the system refuses (a folder that cannot be written, a full disk) says enough, too. */
const isForPeople = (error: unknown): error is Error =>
  error instanceof Failure || (error instanceof Error && "syscall" in error);
