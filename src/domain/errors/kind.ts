/** The texts of an error code for everybody who may see it. */
export type ErrorKind = {
  /** The HTTP status. */
  readonly status: number;
  /**
   * Set where a repeated call may succeed although nothing was wrong with the service: such a refusal is not kept for the
   * Idempotency-Key. Those of the service (500 and more) and of rate limits (429) are never kept.
   */
  readonly passes?: true;
  /** What is wrong, the same for every error with this code: the `title` of the problem (RFC 9457). */
  readonly title: string;
  /** What it means and how to fix it, for programmers. It is the text of /docs/errors and the default `detail`. */
  readonly help: string;
  /** What an agent should do next (MCP). If it is left out, agents get `help`. */
  readonly advice?: string;
  /** What the console shows instead of the `detail`. */
  readonly sentence?: string;
  /** What a user of the command line client should do next. */
  readonly hint?: string;
  /** The name of the exit code of the command line client (docs/cli.md). */
  readonly exit: "failed" | "usage" | "signIn" | "notFound" | "conflict" | "limit";
};
