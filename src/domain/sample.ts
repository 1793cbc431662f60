/** The request in an operation's examples. `{blogId}` and the like stand for identifiers (scripts/docs/samples.ts). */
export type Sample = {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** The arguments of the command-line client. */
  readonly command?: string;
};
