/** Shows progress on standard error: a bar with an estimate on a terminal, else a line now and then. */
import { truncateLine, toPrintableLine } from "./terminal.ts";

export type Progress = {
  say(what: string): void;
  /** Adds `count` to the items that are done. `total` replaces the total. */
  advance(count?: number, total?: number): void;
  end(summary?: string): void;
};

/** The bar on the terminal's last line, if there is one. Other output clears it, writes, and draws it again. */
export type Shown = { current: { clear(): void; draw(): void; end(): void } | null };

type Options = {
  readonly stream: NodeJS.WriteStream;
  readonly shown: Shown;
  readonly title: string;
  readonly total: number | undefined;
};

export const silentProgress: Progress = { say() {}, advance() {}, end() {} };

const REDRAW_MS = 100;
/** Minimum milliseconds between two lines without a terminal, unless the current work changes. */
const LINES_MS = 5000;
const BAR = 24;

type State = { what: string; done: number; total: number | undefined; readonly started: number };

/** Only one bar can be shown at a time. */
export function createProgress(options: Options): Progress {
  const { title, total } = options;
  const state: State = { what: "", done: 0, total, started: Date.now() };
  const line = () => formatLine(toPrintableLine(title), state);
  const show = options.stream.isTTY ? showOnTerminal(options, line) : showInLines(options, line);
  return {
    say(what) {
      const before = state.what;
      state.what = toPrintableLine(what);
      show.changed(state.what !== before);
    },
    advance(count = 1, total = state.total) {
      state.done += count;
      state.total = total;
      show.changed(false);
    },
    end(summary) {
      show.end();
      if (summary !== undefined) options.stream.write(`${toPrintableLine(summary)}\n`);
    },
  };
}

type Display = { changed(isNew: boolean): void; end(): void };

function showOnTerminal({ stream, shown }: Options, line: () => string): Display {
  const clear = () => stream.write("\r\u001b[K");
  // The last column stays empty, because some terminals wrap a line that fills it.
  const draw = () => stream.write(`\r${truncateLine(line(), (stream.columns || 80) - 1)}\u001b[K`);
  const timer = setInterval(draw, REDRAW_MS);
  timer.unref();
  const end = () => {
    if (shown.current === null) return;
    clearInterval(timer);
    shown.current = null;
    clear();
  };
  shown.current = { clear, draw, end };
  draw();
  return { changed: () => {}, end };
}

function showInLines({ stream }: Options, line: () => string): Display {
  let last = 0;
  const write = () => {
    last = Date.now();
    stream.write(`${line()}\n`);
  };
  write();
  return {
    changed(isNew) {
      if (isNew || Date.now() - last >= LINES_MS) write();
    },
    end() {},
  };
}

function formatLine(title: string, state: State): string {
  const { what, done, total, started } = state;
  const seconds = (Date.now() - started) / 1000;
  const parts = [title];
  if (total !== undefined && total > 0) {
    const share = Math.min(done / total, 1);
    const filled = Math.round(share * BAR);
    parts.push(`${"█".repeat(filled)}${"░".repeat(BAR - filled)} ${done}/${total}`);
  } else if (done > 0) parts.push(String(done));
  if (what !== "") parts.push(what);
  parts.push(formatEstimate(state, seconds));
  return parts.join("  ");
}

function formatEstimate({ done, total }: State, seconds: number): string {
  if (total === undefined || total <= done || done === 0 || seconds < 1) return formatDuration(seconds);
  return `about ${formatDuration(((total - done) / done) * seconds)} left`;
}

export function formatDuration(seconds: number): string {
  const whole = Math.max(Math.round(seconds), 0);
  const minutes = Math.floor(whole / 60);
  if (minutes === 0) return `${whole}s`;
  return minutes < 60 ? `${minutes}m ${padTwo(whole % 60)}s` : `${Math.floor(minutes / 60)}h ${padTwo(minutes % 60)}m`;
}

const padTwo = (value: number): string => String(value).padStart(2, "0");
