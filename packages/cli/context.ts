/** The context that every command gets. */
import type { Client } from "./client.ts";
import type { Output } from "./output.ts";
import type { Credentials } from "./sign-in/credentials.ts";

export type Context = {
  /** The version of this program. */
  readonly version: string;
  readonly env: NodeJS.ProcessEnv;
  readonly output: Output;
  /** Aborted by Ctrl-C. Commands then clean up and end; the program exits with 130. */
  readonly signal: AbortSignal;
  readonly now: () => Date;
  /** Tells the person about a pause before a retry: its length in seconds and the reason. */
  readonly onWait: (seconds: number, why: string) => void;
  readonly stdin: NodeJS.ReadStream;
  readonly credentials: Credentials;
  /**
   * Returns the first server that is given: `--server`, EDGEPRESS_URL, the server of the most recent sign-in, or the
   * local server. Throws a usage error if it is not a valid address.
   */
  readonly server: () => Promise<string>;
  /** Returns the REST client. It authorizes with EDGEPRESS_API_KEY if that is set, else with the stored sign-in. */
  readonly client: () => Promise<Client>;
  /**
   * Returns the id of a blog. `named` is its id or vanityId, or undefined for the organization's only blog. Throws a
   * usage error if `named` is undefined and there is no blog or more than one.
   */
  readonly blog: (named: string | undefined) => Promise<string>;
  /**
   * Asks the person before something is deleted. Resolves if the answer is yes, or without asking if `yes` (`--yes`) is
   * true. Throws `CliError`: `declined`, `interrupted`, or `confirmation_required` if there is no terminal to ask on.
   */
  readonly confirm: (question: string, yes: boolean | undefined) => Promise<void>;
};
