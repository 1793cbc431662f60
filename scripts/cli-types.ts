/** Writes src/cli/api.ts: the command-line client's types, generated from the service's OpenAPI document. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { compile } from "json-schema-to-typescript";
import { openApiDocument } from "../src/http/openapi.ts";

const FILE = path.resolve(import.meta.dirname, "../src/cli/api.ts");

/** The schemas that the client uses. The schemas that these refer to are generated, too. */
const USED = [
  "Article",
  "ArticleFields",
  "ArticleInput",
  "Author",
  "Blog",
  "BlogChange",
  "BlogInput",
  "BulkInput",
  "BulkOutcome",
  "Caller",
  "DeadLetter",
  "FoundArticle",
  "GeneratedArticle",
  "Generation",
  "GenerationInput",
  "Media",
  "MediaUse",
  "MovedSlug",
  "NewPreview",
  "NewWebhookSubscription",
  "Preview",
  "Revision",
  "RevisionComparison",
  "Schedule",
  "ScheduleInput",
  "Tag",
  "Topic",
  "TopicRefresh",
  "Usage",
  "WebhookSubscriptionInput",
  "WholeRevision",
  "WorkingCopy",
  "WorkingCopyInput",
];

const BANNER = "/** What the service says, of its OpenAPI document. Written by `npm run cli-types`. */";

type Schema = Parameters<typeof compile>[0];

/** Returns the content for src/cli/api.ts. Throws if the OpenAPI document lacks one of the schemas. */
export async function clientTypes(): Promise<string> {
  const schemas = openApiDocument().components?.schemas ?? {};
  const missing = USED.filter((name) => !(name in schemas));
  if (missing.length > 0) throw new Error(`The document has no schema ${missing.join(", ")}.`);
  const used = Object.fromEntries(USED.map((name) => [name, { $ref: `#/definitions/${name}` }]));
  const definitions = JSON.parse(
    JSON.stringify(schemas).replaceAll("#/components/schemas/", "#/definitions/"),
  ) as NonNullable<Schema["definitions"]>;
  const root: Schema = { type: "object", properties: used, definitions, additionalProperties: false };
  const written = await compile(root, ROOT, OPTIONS);
  return `${BANNER}\n\n${withoutRoot(written)}`;
}

const ROOT = "DocumentRoot";
const OPTIONS: Parameters<typeof compile>[2] = {
  bannerComment: "",
  additionalProperties: false,
  // Without this, an array with `maxItems` becomes a union of tuples of every length.
  ignoreMinAndMaxItems: true,
  style: { printWidth: 120, trailingComma: "all" },
};

/** Removes the root type, which exists only because the generator needs one type that refers to all others. */
const withoutRoot = (text: string): string =>
  text
    .trimStart()
    .replace(new RegExp(`export interface ${ROOT} \\{[^}]*\\}\\n`), "")
    .trimStart();

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) writeFileSync(FILE, await clientTypes());
