/** An error that the user of a script can fix. `runScript` prints its message without a stack trace. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Runs `main`, then `cleanUp`, and exits with the code of `main`, of its `Failure`, or 1 for any other error. */
export async function runScript(main: () => Promise<number>, cleanUp = async (): Promise<void> => {}): Promise<never> {
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

/** Returns true if the message alone helps the user, as with a full disk and other errors of system calls. */
const isForPeople = (error: unknown): error is Error =>
  error instanceof Failure || (error instanceof Error && "syscall" in error);
