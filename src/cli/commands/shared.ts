/** What several commands need. */
import { readFile } from "node:fs/promises";
import { addAbortSignal } from "node:stream";
import { buffer } from "node:stream/consumers";
import { InvalidArgumentError, Option } from "commander";
import type { Context } from "../context.ts";
import { CliError, EXIT, interrupted } from "../failure.ts";

/** Of every command that takes a blog. */
export const BLOG_OPTION = "-b, --blog <blog>";

/** The blog that a command is about. */
export const BLOG = [BLOG_OPTION, "the blog, by id or vanityId; optional if there is only one"] as const;

/** Articles in one of the two states; without either, in both. */
export const PUBLISHED = new Option("--published", "only what is published");
export const DRAFTS = new Option("--drafts", "only drafts").conflicts("published");
type States = { readonly published?: boolean; readonly drafts?: boolean };

/** The state that these options ask for, as the service's `published`; undefined for both. */
export const publishedOf = ({ published, drafts }: States): boolean | undefined =>
  published === true ? true : drafts === true ? false : undefined;

/** An option's whole number within bounds. */
export const wholeNumber = (least: number, most: number) => (text: string) => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most) {
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  }
  return value;
};

/** An option's list, separated by commas. */
export const listed = (text: string): string[] => {
  const parts = text.split(",").map((part) => part.trim());
  if (parts.includes("")) throw new InvalidArgumentError("It must be a list, separated by commas.");
  return parts;
};

/**
 * The text of a file, or of standard input where its name is `-`; a byte order mark stays in it. Throws where it
 * is not UTF-8.
 */
export async function textOf(name: string, { stdin, signal }: Context): Promise<string> {
  const bytes = name === "-" ? await readAll(stdin, signal) : await readFile(name);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new CliError("file_error", `${fileNamed(name)} is not UTF-8 text.`, EXIT.usage, { cause: error });
  }
}

async function readAll(stdin: NodeJS.ReadStream, signal: AbortSignal): Promise<Buffer> {
  try {
    return await buffer(addAbortSignal(signal, stdin));
  } catch (error) {
    throw signal.aborted ? interrupted() : error;
  }
}

/** A time of the service (ISO 8601, UTC) as people read it, to the minute. */
export const when = (time: string | null | undefined): string => (time ?? "").slice(0, 16).replace("T", " ");

/** The members of an object that are there: what is undefined is not sent. */
export function given<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** The first `most` of a sequence, and whether there are more. */
export async function firstOf<T>(items: AsyncIterable<T>, most: number): Promise<{ found: T[]; more: boolean }> {
  const found: T[] = [];
  for await (const item of items) {
    if (found.length === most) return { found, more: true };
    found.push(item);
  }
  return { found, more: false };
}

/** How a file is called in messages; standard input is `-`. */
export const fileNamed = (name: string): string => (name === "-" ? "Standard input" : name);

/** "1 article", "2 articles". */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/** "There are more than 2 articles". */
export const moreThan = (count: number, one: string): string =>
  `There ${count === 1 ? "is" : "are"} more than ${counted(count, one)}`;
