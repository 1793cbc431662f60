import path from "node:path";
import type { Command } from "commander";
import { parseContactRows, toImportInput } from "../../../src/domain/contacts-csv.ts";
import { IMPORTED_CONTACTS } from "../../../src/domain/imported-contacts.ts";
import { toChunks } from "../../../src/lib/chunks.ts";
import type { Context } from "../context.ts";
import { CliError, EXIT, usageError } from "../failure.ts";
import { toPrintableLine } from "../terminal.ts";
import { addRows, declare, defineRow, getGroup } from "./declare.ts";
import { BLOG, formatCount, formatTime, limit, readCsv } from "./shared.ts";

type Options = {
  readonly blog?: string;
  readonly dryRun?: boolean;
  readonly consented?: boolean;
  readonly from?: string;
};

export function addContactCommands(program: Command, context: Context): void {
  addRows(program, context, [
    defineRow("GET /api/contacts", "contacts list", "list the contacts of a blog, newest first", {
      anyBlog: false,
      members: { email: ["--email <address>", "only this address"], limit: limit(100) },
      example: "contacts list --blog field-notes --json",
      none: "No contacts.",
      one: "contact",
      columns: [
        { head: "ID", cell: ({ _id }) => _id },
        { head: "EMAIL", cell: ({ email }) => email, shrinks: true },
        { head: "SINCE", cell: ({ creationTime }) => formatTime(creationTime) },
      ],
    }),
    defineRow("POST /api/contacts", "contacts create", "add a contact", {
      anyBlog: false,
      members: { email: ["<email>", "the address"] },
      example: "contacts create ada@example.com --blog field-notes",
      says: ({ email, _id }) => `Added ${toPrintableLine(email)} (${_id}).`,
    }),
    defineRow("DELETE /api/contacts/{contactId}", "contacts erase", "erase a contact", {
      members: { contactId: ["<id>", "the id that `contacts list` shows"] },
      asks: () => "Erase this contact? This cannot be undone.",
      example: "contacts erase 019a9d3d-0b11-7a4c-9d3e-5f6a7b8c9d0e --yes",
      says: () => "Erased.",
    }),
  ]);
  declare(
    getGroup(program, "contacts"),
    "import",
    "import a CSV file: members of Ghost, Substack or Mailchimp, or any with a column for the email address",
    {
      takes: [
        ["<file>", "the CSV file; - is standard input"],
        BLOG,
        ["--dry-run", "check everything, and change nothing"],
        ["--consented", "those of whom the file says nothing have agreed to get the blog's emails"],
        ["--from <text>", "where they agreed (default: the name of the file)"],
      ],
      example: "contacts import members.csv --blog field-notes --dry-run",
      run: (file: string, options: Options) => importCsv(context, file, options),
    },
  );
}

type Refusal = { readonly line: number; readonly email: string; readonly code: string | null; readonly detail: string };

async function importCsv(context: Context, file: string, options: Options): Promise<void> {
  const { output } = context;
  const rows = await readCsv(file, context, parseContactRows);
  if (rows.length === 0) throw usageError(`${file} has no contacts.`);
  const blogId = await context.blog(options.blog);
  const client = await context.client();
  const from = options.from ?? (file === "-" ? "standard input" : path.basename(file));
  const refused: Refusal[] = rows.flatMap(({ line, email, refused: why }) =>
    why === undefined ? [] : [{ line, email, code: null, detail: why }],
  );
  const counts = { created: 0, changed: 0, unchanged: 0 };
  const progress = output.progress(options.dryRun === true ? "Checking" : "Importing", rows.length);
  try {
    const good = rows.filter((row) => row.refused === undefined);
    for (const some of toChunks(good, IMPORTED_CONTACTS)) {
      const contacts = some.map((row) => toImportInput(row, options.consented === true));
      const body = { blogId, from: from.slice(0, 300), contacts, dryRun: options.dryRun === true };
      const { value } = await client.request("POST /api/contacts/import", { body });
      for (const [nth, { outcome, code, detail }] of value.entries()) {
        const row = some[nth];
        if (outcome !== "refused") counts[outcome] += 1;
        else if (row !== undefined) refused.push({ line: row.line, email: row.email, code, detail: detail ?? "" });
      }
      progress.advance(some.length);
    }
  } finally {
    progress.end();
  }
  const inOrder = refused.toSorted((one, other) => one.line - other.line);
  for (const { line, email, detail } of inOrder)
    output.warn(`${file}, line ${line}: ${toPrintableLine(email)}: ${detail}`);
  const would = options.dryRun === true ? "would be " : "";
  output.result(
    { ...counts, refused: inOrder, dryRun: options.dryRun === true },
    () =>
      `${formatCount(rows.length, "contact")}: ${counts.created} ${would}created, ${counts.changed} ${would}changed, ${counts.unchanged} unchanged, ${refused.length} refused.`,
  );
  const left = formatCount(refused.length, "contact was", "contacts were");
  if (refused.length > 0) throw new CliError("import_incomplete", `${left} refused.`, EXIT.failed);
}
