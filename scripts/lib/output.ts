/** What `wrangler dev` prints: requests go to one log, its own talk to another, errors to the terminal. */
import { createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import type { Wrangler } from "./wrangler.ts";

type Sinks = {
  /** A line that the Worker logged: one JSON object. */
  readonly logged: (line: string) => void;
  /** Any other line. */
  readonly said: (line: string) => void;
  /** A line that the person at the terminal has to see. */
  readonly show: (line: string) => void;
};

/** Sorts the output of a running `wrangler dev`. */
export function sortOutput(wrangler: Wrangler, files: { log: string; wranglerLog: string }): void {
  const log = createWriteStream(files.log, { flags: "a", mode: 0o600 });
  const wranglerLog = createWriteStream(files.wranglerLog, { flags: "a", mode: 0o600 });
  const sinks: Sinks = {
    logged: (line) => log.write(`${line}\n`),
    said: (line) => wranglerLog.write(`${line}\n`),
    show: (line) => console.error(line),
  };
  sortLines(wrangler.stdout, sinks);
  sortLines(wrangler.stderr, sinks);
}

function sortLines(stream: Readable, { logged, said, show }: Sinks): void {
  let inError = false;
  createInterface({ input: stream, crlfDelay: Infinity }).on("line", (raw) => {
    const line = stripVTControlCharacters(raw);
    const level = loggedLevel(line);
    if (level === "mail") return show(mailText(line));
    if (level !== null) {
      logged(line);
      if (level === "error") show(line);
      return;
    }
    if (!isRequest(line)) said(line);
    // An error goes on over the indented and empty lines that follow it.
    inError = isError(line) || (inError && /^(\s|$)/.test(line));
    if (inError) show(line);
  });
}

/** A mail of a local run, as it is read. It is not logged: its link grants access. */
function mailText(line: string): string {
  const { to, subject, text } = JSON.parse(line) as { to: string; subject: string; text: string };
  const lines = [`Mail to ${to}: ${subject}`, ...text.split("\n")];
  return `\n${lines.map((each) => `  | ${each}`).join("\n")}\n`;
}

/** Requests and batches have their own lines, by the Worker. */
const isRequest = (line: string): boolean => /^\[wrangler:info\] [A-Z]+ /.test(line);

const isError = (line: string): boolean => line.includes("[ERROR]") || line.startsWith("[wrangler:error]");

/** The level of a line that the Worker logged, or null for any other line. */
function loggedLevel(line: string): string | null {
  if (!line.startsWith('{"')) return null;
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === "object" && entry !== null && "level" in entry ? String(entry.level) : null;
  } catch {
    return null;
  }
}
