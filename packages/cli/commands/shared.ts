/** Options and helpers that several commands use. */
import { readFile } from "node:fs/promises";
import { addAbortSignal } from "node:stream";
import { buffer } from "node:stream/consumers";
import { InvalidArgumentError, Option } from "commander";
import { CsvError, decodeCsv } from "../../../src/lib/csv.ts";
import type { List } from "../../client/src/lists.ts";
import type { Context } from "../context.ts";
import { CliError, EXIT, interruptedError, usageError } from "../failure.ts";

export const BLOG_OPTION = "-b, --blog <blog>";

export const BLOG = [BLOG_OPTION, "the blog, by id or vanityId; optional if there is only one"] as const;

/** Without these two, a command selects both states. */
export const PUBLISHED = new Option("--published", "only published articles");
export const DRAFTS = new Option("--drafts", "only drafts").conflicts("published");
export type States = { readonly published?: boolean; readonly drafts?: boolean };

export const toPublished = ({ published, drafts }: States): boolean | undefined =>
  published === true ? true : drafts === true ? false : undefined;

export const wholeNumber = (least: number, most: number) => (text: string) => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most) {
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  }
  return value;
};

export const limit = (otherwise?: number, most = 100_000) =>
  ["--limit <n>", "the most to list", wholeNumber(1, most), otherwise] as const;

export const versionNumber = wholeNumber(1, 999_999_999);

export const parseList = (text: string): string[] => {
  const parts = text.split(",").map((part) => part.trim());
  if (parts.includes("")) throw new InvalidArgumentError("It must be a list, separated by commas.");
  return parts;
};

/** Reads a file, or standard input for `-`. Throws the system's error if it cannot be read. */
export const readBytes = async (name: string, { stdin, signal }: Context): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(name === "-" ? await readAll(stdin, signal) : await readFile(name));

/** Keeps a byte order mark. Throws `CliError` `file_error` if the file is not UTF-8. */
export async function readText(name: string, context: Context): Promise<string> {
  const bytes = await readBytes(name, context);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new CliError("file_error", `${describeFile(name)} is not UTF-8 text.`, EXIT.usage, { cause: error });
  }
}

/** Returns what `read` makes of the text of a CSV file. Throws `CliError` `file_error`. */
export async function readCsv<T>(file: string, context: Context, read: (text: string) => T): Promise<T> {
  try {
    return read(decodeCsv(await readBytes(file, context)));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new CliError("file_error", `${describeFile(file)}: ${error.message}`, EXIT.usage, { cause: error });
  }
}

/** Throws `CliError` `file_error` if the file is not JSON. */
export async function readJson(file: string, context: Context): Promise<unknown> {
  try {
    const text = await readText(file, context);
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CliError("file_error", `${describeFile(file)} is not JSON: ${error.message}`, EXIT.usage, {
      cause: error,
    });
  }
}

async function readAll(stdin: NodeJS.ReadStream, signal: AbortSignal): Promise<Buffer> {
  try {
    return await buffer(addAbortSignal(signal, stdin));
  } catch (error) {
    throw signal.aborted ? interruptedError() : error;
  }
}

/** People also write a space where the service wants a `T`. */
export const parseTime = (text: string): string => text.trim().replace(/^(\d{4}-\d\d-\d\d) +(?=\d)/, "$1T");

export const formatTime = (time: string | null | undefined): string => (time ?? "").slice(0, 16).replace("T", " ");

export function requireChanges(members: object): void {
  if (Object.keys(members).length === 0) throw usageError("Nothing to change. Pass at least one option.");
}

/** Leaves out undefined members, so that they are not sent. */
export function omitUndefined<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

export async function listFirst<T>(list: List<T>, most: number): Promise<{ found: T[]; more: boolean }> {
  const found = await list.all(most + 1);
  return { found: found.slice(0, most), more: found.length > most };
}

function parseArticlePath(text: string): string {
  if (text.startsWith("/") && text.includes("{slug}") && !/\s/.test(text)) return text;
  throw new InvalidArgumentError("It must begin with / and contain {slug}.");
}

export const REDIRECTS_FORMAT = [
  new Option("--format <name>", "write lines of a _redirects file").choices(["redirects"]),
  ["--path <pattern>", "the path of an article on your site, for --format", parseArticlePath, "/{locale}/{slug}"],
] as const;

export const fillPath = (
  pattern: string,
  { slug, locale }: { readonly slug: string; readonly locale: string },
): string =>
  pattern.replaceAll("{slug}", () => encodeURIComponent(slug)).replaceAll("{locale}", () => encodeURIComponent(locale));

const describeFile = (name: string): string => (name === "-" ? "Standard input" : name);

/** "1 article", "2 articles", "2 deliveries". */
export const formatCount = (count: number, one: string, many = `${one}s`.replace(/(?<=[^aeiou])ys$/, "ies")): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/** "There are more than 2 articles". */
export const formatMoreThan = (count: number, one: string): string =>
  `There ${count === 1 ? "is" : "are"} more than ${formatCount(count, one)}`;
