export type ErrorKind = {
  readonly status: number;
  /**
   * Not stored for the Idempotency-Key: a repeated call may succeed. Neither are statuses from 500 and 429, nor codes
   * that end in `_limit`.
   */
  readonly passes?: true;
  /** The `title` of the problem (RFC 9457). */
  readonly title: string;
  /** What it means and how to fix it, for programmers: in /docs/errors, and as the default `detail`. */
  readonly help: string;
  /** What an agent should do next (MCP). Defaults to `help`. */
  readonly advice?: string;
  /** What the console shows instead of the `detail`. */
  readonly sentence?: string;
  /** What a user of the command line should do next. */
  readonly hint?: string;
  /** The exit code of the command line (docs/cli.md), if it is not that of the status (packages/cli/failure.ts). */
  readonly exit?: "failed" | "usage" | "signIn" | "notFound" | "conflict" | "limit";
};
