/**
 * The output of the program. Results go to standard output: text for people, one JSON value for programs (`--json`).
 * The rest goes to standard error. With `--json`, that is only `request` and `error`, each as JSON on one line.
 */
import type { CliError } from "./failure.ts";
import { createProgress, silentProgress, type Progress, type Shown } from "./progress.ts";
import { formatTable, type Column } from "./table.ts";
import { truncateLine, makePaint, toPrintable, toPrintableJson, toPrintableLine, type Paint } from "./terminal.ts";

export type Output = ReturnType<typeof createOutput>;

export type Settings = { readonly json: boolean; readonly quiet: boolean };

export type Streams = {
  readonly stdin: { readonly isTTY?: boolean };
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
};

/** `settings` is called at each use, because the command line is parsed later. */
export function createOutput(streams: Streams, env: NodeJS.ProcessEnv, settings: () => Settings) {
  const { stdin, stdout, stderr } = streams;
  const paint = makePaint(stdout, env);
  const alert = makePaint(stderr, env);
  const shown: Shown = { current: null };
  const say = (text: string) => {
    shown.current?.clear();
    stderr.write(`${text}\n`);
    shown.current?.draw();
  };
  const write = (text: string) => {
    shown.current?.clear();
    stdout.write(text);
    shown.current?.draw();
  };
  const result = (value: unknown, text: () => string): void =>
    write(`${settings().json ? toPrintableJson(value) : text()}\n`);
  const asTable = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string =>
    formatTable(columns, rows, { paint, width: getWidth(stdout) });
  return {
    paint,
    /** Whether a program reads the output (`--json`). */
    get json(): boolean {
      return settings().json;
    },
    /** Whether a person can be asked: on a terminal, and without `--json`. */
    get interactive(): boolean {
      return Boolean(stdin.isTTY && stderr.isTTY) && !settings().json;
    },
    /**
     * Writes the command's only result: `value` for programs, `text` for people. `text` must make texts of the service
     * printable, unless it uses `table` or `members`.
     */
    result,
    /** Writes a list as the result: as a table, or `none` if it is empty. */
    list: <Row>(rows: readonly Row[], columns: readonly Column<Row>[], none: string): void =>
      result(rows, () => (rows.length === 0 ? none : asTable(columns, rows))),
    /** Writes one line of a result that has many (`webhooks listen`): JSON on one line, or text. */
    line: (value: unknown, text: () => string): void =>
      write(`${settings().json ? toPrintableJson(value).replaceAll(/\n */g, " ") : text()}\n`),
    raw: write,
    /** Returns a table that is at most as wide as the terminal. Makes the cells printable. */
    table: asTable,
    /** Returns a line for each name and value. Makes the values printable. */
    members: (pairs: readonly (readonly [name: string, value: string])[]): string => formatMembers(pairs, paint),
    /** Writes a remark to standard error; nothing with `--quiet` or `--json`. */
    note: (text: string): void => void (!isQuiet(settings()) && say(toPrintable(text))),
    /** Writes a warning to standard error; nothing with `--json`. */
    warn: (text: string): void => void (!settings().json && say(alert("yellow", `Warning: ${toPrintable(text)}`))),
    /** Writes to standard error what the person must do before the command continues, also with `--quiet`. */
    request: (value: unknown, text: () => string): void => say(settings().json ? toPrintableJson(value, 0) : text()),
    error(error: CliError): void {
      shown.current?.end();
      stderr.write(
        `${settings().json ? toPrintableJson({ error: toErrorJson(error) }, 0) : formatError(error, alert)}\n`,
      );
    },
    /** Starts to show progress; shows nothing with `--quiet` or `--json`. Without `total` there is no bar. */
    progress: (title: string, total?: number): Progress =>
      isQuiet(settings()) ? silentProgress : createProgress({ stream: stderr, shown, title, total }),
  };
}

const isQuiet = (settings: Settings): boolean => settings.json || settings.quiet;

const getWidth = (stream: NodeJS.WriteStream): number | undefined =>
  stream.isTTY ? Math.max(stream.columns || 80, 20) : undefined;

function formatMembers(pairs: readonly (readonly [string, string])[], paint: Paint): string {
  const width = Math.max(...pairs.map(([name]) => name.length)) + 2;
  return pairs
    .map(([name, value]) => {
      const [first = "", ...more] = toPrintable(value).split("\n");
      return [paint("dim", name.padEnd(width)) + first, ...more.map((line) => " ".repeat(width) + line)].join("\n");
    })
    .join("\n");
}

const toErrorJson = ({ code, message, exit, details }: CliError) => {
  const { status, errors, requestId, retryAfter, hint } = details;
  return { code, message, exit, status, errors, requestId, retryAfter, hint };
};

function formatError({ code, message, details }: CliError, paint: Paint): string {
  const { errors = [], hint, requestId, status = 0 } = details;
  // The person has stopped the command on purpose, so the word "Error" is left out.
  if (code === "interrupted" || code === "declined") {
    return [toPrintableLine(message), ...(hint === undefined ? [] : [toPrintable(hint)])].join("\n");
  }
  const fields = errors.filter(({ path, message: wrong }) => !message.includes(wrong) || !message.includes(path));
  return [
    `${paint("red", "Error:")} ${toPrintable(message)}`,
    ...fields.slice(0, 20).map(({ path, message: wrong }) => `  ${toPrintableLine(path)}: ${toPrintableLine(wrong)}`),
    ...(hint === undefined ? [] : [toPrintable(hint)]),
    ...(requestId === undefined || status < 500
      ? []
      : [paint("dim", truncateLine(`Request ${toPrintableLine(requestId)}`, 80))]),
  ].join("\n");
}
