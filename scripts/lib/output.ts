/**
 * Sorts the output of a local run: the Worker's log lines go to one file, messages of wrangler or workerd to another. Errors
 * also go to the terminal. Mails go only there.
 */
import { createWriteStream, type WriteStream } from "node:fs";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import type { Running } from "./wrangler.ts";

type Sinks = {
  /** Takes a line that the Worker logged: a JSON object. */
  readonly logged: (line: string) => void;
  /** Takes any other line. */
  readonly said: (line: string) => void;
  /** Shows a line on the terminal. */
  readonly show: (line: string) => void;
};

/** Reads the output until it ends, and appends it to the two files. */
export function sortOutput(running: Running, files: { log: string; wranglerLog: string }): void {
  const sinks: Sinks = { logged: makeAppender(files.log, show), said: makeAppender(files.wranglerLog, show), show };
  sortLines(running.stdout, sinks);
  sortLines(running.stderr, sinks);
}

/**
 * Returns a function that appends a line to a file. If that fails, as on a full disk, it shows the first failure, loses the
 * line, and opens the file anew for the next one.
 */
export function makeAppender(file: string, show: (line: string) => void): (line: string) => void {
  let isFailing = false;
  const open = () => {
    const opened = createWriteStream(file, { flags: "a", mode: 0o600 });
    // Without a handler, an error would end this process, and the service with it.
    opened.on("error", (error) => {
      if (!isFailing) show(`${file} cannot be written, so lines are missing there: ${error.message}`);
      isFailing = true;
      if (stream === opened) stream = null;
    });
    return opened;
  };
  let stream: WriteStream | null = open();
  return (line) => {
    stream ??= open();
    stream.write(`${line}\n`, (error) => {
      if (!error) isFailing = false;
    });
  };
}

const show = (line: string): void => console.error(line);

function sortLines(stream: Readable, { logged, said, show }: Sinks): void {
  let inError = false;
  createInterface({ input: stream, crlfDelay: Infinity }).on("line", (raw) => {
    const line = stripVTControlCharacters(raw);
    const level = parseLevel(line);
    if (level === "mail") return show(formatMail(line));
    if (level !== null) {
      logged(line);
      if (level === "error") show(line);
      return;
    }
    if (!isRequest(line)) said(line);
    // Indented and empty lines after an error belong to it.
    inError = isError(line) || (inError && /^(\s|$)/.test(line));
    if (inError) show(line);
  });
}

/** Returns the text of a mail. Mails are not written to the log, because their links are secret. */
function formatMail(line: string): string {
  const { to, subject, text } = JSON.parse(line) as { to: string; subject: string; text: string };
  const lines = [`Mail to ${to}: ${subject}`, ...text.split("\n")];
  return `\n${lines.map((each) => `  | ${each}`).join("\n")}\n`;
}

/** Returns true if wrangler reports a request or a batch, which the Worker's own log has, too. */
const isRequest = (line: string): boolean => /^\[wrangler:info\] [A-Z]+ /.test(line);

const isError = (line: string): boolean => line.includes("[ERROR]") || line.startsWith("[wrangler:error]");

/** Returns the `level` of a JSON line of the Worker; null for any other line. */
function parseLevel(line: string): string | null {
  if (!line.startsWith('{"')) return null;
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === "object" && entry !== null && "level" in entry ? String(entry.level) : null;
  } catch {
    return null;
  }
}
