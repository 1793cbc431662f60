/**
 * What the program says. Results go to standard output: tables and sentences for people, one JSON value for
 * programs (`--json`). All else goes to standard error: notes, progress, errors; with `--json` only what is asked of the
 * person (`request`) and the error, each as one JSON object on one line.
 */
import type { CliError } from "./failure.ts";
import { createProgress, silentProgress, type Progress, type Shown } from "./progress.ts";
import { table, type Column } from "./table.ts";
import { fitted, paintFor, printable, printableJson, printableLine, type Paint } from "./terminal.ts";

export type Output = {
  /** Whether a program reads along. */
  readonly json: boolean;
  /** Whether a person can be asked: standard input and error are a terminal, and no program reads along. */
  readonly interactive: boolean;
  /** Colours of standard output. */
  readonly paint: Paint;
  /**
   * The command's result, once: `value` for programs, `text` for people. Texts from the service have to be made
   * `printable` in it, unless it is made by `table` or `members`.
   */
  readonly result: (value: unknown, text: () => string) => void;
  /** Rows for people: as wide as the terminal at most. Cells are made printable here. */
  readonly table: <Row>(columns: readonly Column<Row>[], rows: readonly Row[]) => string;
  /** Names and values below each other, for one thing. Values are made printable here. */
  readonly members: (pairs: readonly (readonly [name: string, value: string])[]) => string;
  /** A line of a result that goes on (`webhooks listen`): JSON on one line, or text. */
  readonly line: (value: unknown, text: () => string) => void;
  /** Bytes for standard output as they are: contents that are piped on. */
  readonly raw: (text: string) => void;
  /** Something worth knowing, on standard error; not with `--quiet` or `--json`. */
  readonly note: (text: string) => void;
  /** Something to look at, on standard error; not with `--json`. */
  readonly warn: (text: string) => void;
  /** What the person has to do before the command goes on, on standard error, also with `--quiet`. */
  readonly request: (value: unknown, text: () => string) => void;
  /** The error that ends the command. */
  readonly error: (error: CliError) => void;
  /** Starts reporting progress; does nothing with `--quiet` or `--json`. `total` if it is known. */
  readonly progress: (title: string, total?: number) => Progress;
};

export type Settings = { readonly json: boolean; readonly quiet: boolean };

export type Streams = {
  readonly stdin: { readonly isTTY?: boolean };
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
};

/** Opens the output; `settings` is asked at each use, as options are read after this is made. */
export function createOutput(streams: Streams, env: NodeJS.ProcessEnv, settings: () => Settings): Output {
  const { stdin, stdout, stderr } = streams;
  const paint = paintFor(stdout, env);
  const alert = paintFor(stderr, env);
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
  return {
    paint,
    get json() {
      return settings().json;
    },
    get interactive() {
      return Boolean(stdin.isTTY && stderr.isTTY) && !settings().json;
    },
    result: (value, text) => write(`${settings().json ? printableJson(value) : text()}\n`),
    line: (value, text) => write(`${settings().json ? printableJson(value).replaceAll(/\n */g, " ") : text()}\n`),
    raw: write,
    table: (columns, rows) => table(columns, rows, { paint, width: widthOfStream(stdout) }),
    members: (pairs) => members(pairs, paint),
    note: (text) => !quiet(settings()) && say(printable(text)),
    warn: (text) => !settings().json && say(alert("yellow", `Warning: ${printable(text)}`)),
    request: (value, text) => say(settings().json ? printableJson(value, 0) : text()),
    error: (error) => {
      shown.current?.end();
      stderr.write(`${settings().json ? printableJson({ error: errorJson(error) }, 0) : errorText(error, alert)}\n`);
    },
    progress: (title, total) =>
      quiet(settings()) ? silentProgress : createProgress({ stream: stderr, shown, title, total }),
  };
}

const quiet = (settings: Settings): boolean => settings.json || settings.quiet;

/** Undefined if it is not a terminal: lines then keep their length. */
const widthOfStream = (stream: NodeJS.WriteStream): number | undefined =>
  stream.isTTY ? Math.max(stream.columns || 80, 20) : undefined;

function members(pairs: readonly (readonly [string, string])[], paint: Paint): string {
  const width = Math.max(...pairs.map(([name]) => name.length)) + 2;
  return pairs
    .map(([name, value]) => {
      const [first = "", ...more] = printable(value).split("\n");
      return [paint("dim", name.padEnd(width)) + first, ...more.map((line) => " ".repeat(width) + line)].join("\n");
    })
    .join("\n");
}

/** The JSON form of an error; members that it does not have are left out. */
const errorJson = ({ code, message, exit, details }: CliError) => {
  const { status, errors, requestId, retryAfter, hint } = details;
  return { code, message, exit, status, errors, requestId, retryAfter, hint };
};

function errorText({ code, message, details }: CliError, paint: Paint): string {
  const { errors = [], hint, requestId, status = 0 } = details;
  // What the person wanted is not an error.
  if (code === "interrupted" || code === "declined") {
    return [printableLine(message), ...(hint === undefined ? [] : [printable(hint)])].join("\n");
  }
  const fields = errors.filter(({ path, message: wrong }) => !message.includes(wrong) || !message.includes(path));
  return [
    `${paint("red", "Error:")} ${printable(message)}`,
    ...fields.slice(0, 20).map(({ path, message: wrong }) => `  ${printableLine(path)}: ${printableLine(wrong)}`),
    ...(hint === undefined ? [] : [printable(hint)]),
    ...(requestId === undefined || status < 500
      ? []
      : [paint("dim", fitted(`Request ${printableLine(requestId)}`, 80))]),
  ].join("\n");
}
