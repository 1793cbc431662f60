/** What everybody is told about a refusal with one code. */
export type ErrorKind = {
  /** The HTTP status. */
  readonly status: number;
  /** What is wrong, the same for every refusal with this code: the `title` of the problem (RFC 9457). */
  readonly title: string;
  /** What it means and what to do about it, for programmers: the `detail` where a refusal brings none, and /docs/errors. */
  readonly help: string;
  /** What an agent should do next (MCP); without it, `help`. */
  readonly advice?: string;
  /** What the console says to people instead of the `detail`. */
  readonly sentence?: string;
  /** What somebody at a terminal should do next. */
  readonly hint?: string;
  /** How the client ends: a name of its exit codes (docs/cli.md). */
  readonly exit: "failed" | "usage" | "signIn" | "notFound" | "conflict" | "limit";
};
