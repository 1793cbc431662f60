/** The page on which owners download the tables of their organization (contract 22.8). */
import { ZipWriter } from "@zip.js/zip.js/lib/zip-core-native.js";
import { Hono } from "hono";
import { registry } from "../../operations/registry.ts";
import { formatLine } from "../../lib/rows.ts";
import { utf8 } from "../../lib/text.ts";
import { logFailure } from "../request/arrival.ts";
import { getBaseUrl } from "../request/base-url.ts";
import type { ConsoleContext, ConsoleEnv } from "./env.ts";
import { Example } from "./example.tsx";
import { Form, newForm, onSubmit, type FormState } from "./forms.tsx";
import { page, type Status } from "./layout.tsx";
import { perform } from "./session.ts";

export const organizationExport = new Hono<ConsoleEnv>();

organizationExport.get("/", async (c) => show(c));

onSubmit(organizationExport, "/", {
  again: show,
  async work(c) {
    const { value } = await perform(c, registry.beginExport, {});
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writing = writeZip(c, value, writable).catch(async (error: unknown) => {
      // A browser that gets no end of the file says that the download has failed.
      await writable.abort(error).catch(() => undefined);
      logFailure(c.env.arrival, "export", error);
    });
    c.env.arrival.waitUntil(writing);
    const headers = {
      "Content-Type": "application/zip",
      "Content-Disposition": 'attachment; filename="organization.zip"',
    };
    return new Response(readable, { headers });
  },
});

type Begun = { readonly tables: readonly string[] };

/** Writes a file of JSON lines for each table, and what the export began with. */
async function writeZip(c: ConsoleContext, begun: Begun, writable: WritableStream<Uint8Array>): Promise<void> {
  const zip = new ZipWriter(writable, { useWebWorkers: false });
  for (const table of begun.tables) await zip.add(`tables/${table}.ndjson`, streamTable(c, table));
  await zip.add("export.json", new Blob([`${JSON.stringify(begun, null, 2)}\n`]).stream());
  await zip.close();
}

function streamTable(c: ConsoleContext, table: string): ReadableStream<Uint8Array> {
  let cursor: string | undefined;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, next } = await perform(c, registry.exportRows, { table, cursor });
      cursor = next;
      if (value.length > 0) controller.enqueue(utf8(value.map(formatLine).join("")));
      if (next === undefined) controller.close();
    },
  });
}

async function show(c: ConsoleContext, refused?: FormState, status?: Status) {
  const server = getBaseUrl(c.env.arrival);
  return page(
    c,
    "Export",
    <>
      <p>
        Everything of the organization, as it is stored: articles with their history, unpublished changes and schedules,
        blogs, custom domains, redirects, tags, authors, contacts with their consents, webhooks, members and the audit
        log. Not in it: API keys, access tokens, passwords, signing secrets, invitations and preview links.
      </p>
      <section aria-labelledby="tables">
        <h2 id="tables">Tables</h2>
        <p>
          A ZIP with a file of JSON lines for each table, without images. Only owners can download it, and the audit log
          notes it. If the organization is large, the download can end early: use the command-line client then.
        </p>
        <Form action="/console/settings/export" state={refused ?? newForm({})} submit="Download tables" labels={{}} />
      </section>
      <section aria-labelledby="whole">
        <h2 id="whole">Tables and images</h2>
        <p>
          The command-line client writes the tables and the files of all images into a folder, which an operator can
          restore. It needs an access token of the organization, which you create under{" "}
          <a href="/console/keys">API keys and access tokens</a>.
        </p>
        <Example
          id="command"
          label="Export everything"
          code={`EDGEPRESS_OPERATOR_TOKEN=ept_… npx edgepress organization export organization --server ${server}`}
        />
      </section>
    </>,
    status,
  );
}
