/** The import of contacts from a CSV file: its form, and the page with the result. */
import type { FC } from "hono/jsx";
import { parseContactRows, toImportInput, type ContactRow } from "../../domain/contacts-csv.ts";
import { IMPORTED_CONTACTS } from "../../domain/imported-contacts.ts";
import { LIMITS } from "../../domain/limits.ts";
import { toChunks } from "../../lib/chunks.ts";
import { registry } from "../../operations/registry.ts";
import { CsvField, parseCsvFile, MOST_ROWS, Refused, type CsvRefusal } from "./csv.tsx";
import type { ConsoleContext } from "./env.ts";
import { CheckField, Form, newForm } from "./forms.tsx";
import { page } from "./layout.tsx";
import { perform } from "./session.ts";
import type { Submission } from "./submission.ts";
import { formatNumber } from "./words.ts";

export const ImportForm: FC<{ blogId: string }> = ({ blogId }) => (
  <section aria-labelledby="import">
    <h2 id="import">Import from a CSV file</h2>
    <Form action="/console/contacts/import" submit="Import contacts" files>
      <input type="hidden" name="blogId" value={blogId} />
      <CsvField
        hint={`An export of members from Ghost, Substack or Mailchimp, or any file with a column “email”. Up to ${formatNumber(MOST_ROWS)} contacts. Nobody is sent an email. People who have unsubscribed stay unsubscribed.`}
      />
      <CheckField
        state={newForm()}
        name="consented"
        label="Consent"
        choices={[
          {
            value: "yes",
            label: "Where the file does not say so, the people in it have agreed to receive emails from this blog.",
          },
        ]}
      />
    </Form>
  </section>
);

/** Imports the uploaded file and returns the page with the result. Throws `invalid_request` if it cannot be read. */
export async function importFile(c: ConsoleContext, form: Submission): Promise<Response> {
  const blogId = form.text("blogId");
  const { file, fileName = "" } = form.picture ?? {};
  const rows = parseCsvFile(file?.bytes, parseContactRows);
  const refused: CsvRefusal[] = [];
  const counts = { created: 0, changed: 0, unchanged: 0 };
  const from = (fileName || "CSV file").slice(0, LIMITS.name);
  const refuse = ({ line, email }: ContactRow, why: string) => refused.push({ line, what: email, why });
  for (const row of rows) if (row.refused !== undefined) refuse(row, row.refused);
  for (const some of toChunks(
    rows.filter((row) => row.refused === undefined),
    IMPORTED_CONTACTS,
  )) {
    const contacts = some.map((row) => toImportInput(row, form.has("consented")));
    const { value } = await perform(c, registry.importContacts, { blogId, from, contacts, dryRun: false });
    for (const [nth, { outcome, detail }] of value.entries()) {
      const row = some[nth];
      if (outcome !== "refused") counts[outcome] += 1;
      else if (row !== undefined) refuse(row, detail ?? "");
    }
  }
  const inOrder = refused.toSorted((one, other) => one.line - other.line);
  return page(
    c,
    "Contacts imported",
    <>
      <p>
        {formatNumber(counts.created)} added, {formatNumber(counts.changed)} changed, {formatNumber(counts.unchanged)}{" "}
        unchanged, {formatNumber(refused.length)} refused.
      </p>
      <Refused lines={inOrder} what="Email address" />
      <p>
        <a href={`/console/contacts?blog=${blogId}`}>All contacts</a>
      </p>
    </>,
  );
}
