/** What the examples of an operation send. `{blogId}` and the like stand for identifiers (scripts/docs/samples.ts). */
export type Sample = {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** The same by the command line, without the program's name. */
  readonly command?: string;
};
