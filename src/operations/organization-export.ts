/** Everything of an organization, for its owner (contract 22.8). */
import * as z from "zod";
import { DomainError } from "../domain/errors.ts";
import { LIMITS } from "../domain/limits.ts";
import { hold } from "../memory.ts";
import { defineOperation } from "./define.ts";
import { line, output } from "./fields.ts";
import { requireOwner } from "./owner.ts";

const begun = z
  .object({
    format: z.literal(1),
    version: z.string().meta({ description: "The version of the service, whose tables it has.", example: "1.0.0" }),
    migrations: z.array(z.string()).meta({ example: ["0000_initial.sql"] }),
    began: output.dateTime,
    organization: z.object({
      id: output.id,
      name: z.string().meta({ example: "Acme" }),
      hasSecrets: z.literal(false),
      lastWrite: z
        .object({ id: output.id, time: output.dateTime, action: z.string().meta({ example: "organization.export" }) })
        .meta({ description: "The entry of the audit log that this export has made." }),
    }),
    tables: z.array(z.string()).meta({ description: "Read them in this order.", example: ["audit", "articles"] }),
  })
  .meta({ id: "OrganizationExport" });

export const beginExport = defineOperation({
  name: "organization.export",
  summary: "Begin an export of the organization",
  description:
    "Everything of the organization, for its owner: names the tables, which are then read one after another. The audit log notes it.",
  scope: "operator",
  effect: "write",
  // It writes only that it has begun.
  effectOf: () => "read",
  input: z.strictObject({}),
  output: begun,
  refuses: ["role_forbidden"],
  audit: "exported the organization",
  sample: { command: "organization export acme" },
  async run({ store, principal }) {
    requireOwner(principal);
    return { value: await store.beginExport() };
  },
});

/** The name under which the export lists files in place of rows. */
const FILES = "files";

export const exportRows = defineOperation({
  name: "organization.rows",
  summary: "Read the rows of a table of the organization",
  description: `As they are stored, without secrets, in the order of the primary key; bytes are \`{"base64"}\`. A page has up to 500 rows and 2 MiB. \`table=${FILES}\` lists the files of images and imports.`,
  scope: "operator",
  effect: "read",
  input: z.strictObject({
    table: line(100)
      .min(1, "must not be empty")
      .meta({ description: `A table of the export, or ${FILES}.`, example: "articles" }),
    cursor: line(2000).optional().meta({ description: "`cursor` of the `Link` header." }),
  }),
  output: z.array(z.record(z.string(), z.unknown()).meta({ example: { id: "019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d" } })),
  refuses: ["role_forbidden", "not_found"],
  sample: { query: { table: "blogs" } },
  async run({ store, principal, services }, { table, cursor }) {
    requireOwner(principal);
    const { listFiles } = await services();
    if (table === FILES) return listFiles(principal.organizationId, cursor);
    // The rows, their JSON, and what D1 answers.
    const held = await hold(4 * LIMITS.exportPageBytes);
    try {
      return await store.exportRows(table, cursor);
    } finally {
      held.end();
    }
  },
});

export const exportFile = defineOperation({
  name: "organization.file",
  summary: "Read a part of a file of the organization",
  description: "Up to 2 MiB of a file that the export lists, also of one that no article shows.",
  scope: "operator",
  effect: "read",
  input: z.strictObject({
    key: line(1000)
      .min(1, "must not be empty")
      .meta({ description: "Its `key` in the list.", example: "019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d/a" }),
    offset: z.int().min(0).default(0).meta({ description: "The byte with which the part begins." }),
  }),
  output: z
    .object({
      etag: z
        .string()
        .meta({ description: "Another one than before: the file was replaced.", example: "9b2cf535f27731c9" }),
      base64: z.string().meta({ example: "iVBORw0KGgo=" }),
      next: z
        .int()
        .nullable()
        .meta({ description: "`offset` of the next part; null: this is the last one.", example: null }),
    })
    .meta({ id: "ExportedFile" }),
  refuses: ["role_forbidden", "not_found"],
  sample: { query: { key: "{organizationId}/none" } },
  async run({ principal, services }, { key, offset }) {
    requireOwner(principal);
    const { readFile } = await services();
    const held = await hold(4 * LIMITS.exportPageBytes);
    try {
      const part = await readFile(principal.organizationId, key, offset);
      if (part === null) throw new DomainError("not_found", "There is no such file, or it is not that long.");
      return { value: part };
    } finally {
      held.end();
    }
  },
});
