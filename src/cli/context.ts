/** What every command gets. */
import type { Client } from "./client.ts";
import type { Output } from "./output.ts";
import type { Credentials } from "./sign-in/credentials.ts";

export type Context = {
  /** The version of this program. */
  readonly version: string;
  readonly env: NodeJS.ProcessEnv;
  readonly output: Output;
  /** Aborted by Ctrl-C. Commands end in good order then; the program exits with 130. */
  readonly signal: AbortSignal;
  readonly now: () => Date;
  /** Tells the person of a pause before something is tried again; seconds. */
  readonly onWait: (seconds: number, why: string) => void;
  readonly stdin: NodeJS.ReadStream;
  readonly credentials: Credentials;
  /** The server that is meant: `--server`, EDGEPRESS_URL, the one last signed in at, or the local one. */
  readonly server: () => Promise<string>;
  /** The service for the person who is signed in, or for the holder of EDGEPRESS_API_KEY. */
  readonly client: () => Promise<Client>;
  /**
   * The id of the blog that is meant: `named` is an id or a vanityId, `undefined` the only blog that there is.
   * Throws a usage error where there are several.
   */
  readonly blog: (named: string | undefined) => Promise<string>;
  /** Asks before something is destroyed: on a terminal the person, elsewhere `--yes` has to be there. */
  readonly confirm: (question: string, yes: boolean | undefined) => Promise<void>;
};
