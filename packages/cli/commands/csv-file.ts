/** Reads the CSV file that a command is given. */
import { CsvError, csvText } from "../../../src/lib/csv-rows.ts";
import type { Context } from "../context.ts";
import { CliError, EXIT } from "../failure.ts";
import { bytesOf, fileNamed } from "./shared.ts";

/** Returns what `read` makes of the text of a CSV file, or of standard input for `-`. Throws `CliError` `file_error`. */
export async function csvOfFile<T>(file: string, context: Context, read: (text: string) => T): Promise<T> {
  try {
    return read(csvText(await bytesOf(file, context)));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new CliError("file_error", `${fileNamed(file)}: ${error.message}`, EXIT.usage, { cause: error });
  }
}
