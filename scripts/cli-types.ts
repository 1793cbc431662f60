/**
 * Writes the types of the service's clients, generated from its OpenAPI document: packages/cli/api.ts for the command line,
 * packages/client/src/api.ts for `@edgepress/client`.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { compile } from "json-schema-to-typescript";
import { openApiDocument } from "../src/surfaces/rest/openapi/openapi.ts";

const ROOT_FOLDER = path.resolve(import.meta.dirname, "..");

/** The schemas that the command line uses. The schemas that these refer to are generated, too. */
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
  "ContactImportOutcome",
  "DeadLetter",
  "Embed",
  "FoundArticle",
  "GeneratedArticle",
  "Generation",
  "GenerationInput",
  "Media",
  "MediaUse",
  "ListedRedirect",
  "MovedSlug",
  "NewRedirect",
  "NewPreview",
  "NewWebhookSubscription",
  "Preview",
  "RedirectOutcome",
  "Revision",
  "RevisionComparison",
  "Schedule",
  "ScheduleInput",
  "Site",
  "SiteChange",
  "SiteHost",
  "Tag",
  "Topic",
  "TopicRefresh",
  "Usage",
  "WebhookSubscriptionInput",
  "WholeRevision",
  "WorkingCopy",
  "WorkingCopyInput",
];

/** The schemas that `@edgepress/client` uses, beside the queries of its lists and the events of webhooks. */
const USED_BY_PACKAGE = [
  "Article",
  "ArticleFields",
  "ArticleInput",
  "Author",
  "Deleted",
  "FoundArticle",
  "FoundByReader",
  "NewPreview",
  "PreviewInput",
  "Problem",
  "PublicBlog",
  "Subscription",
  "SubscriptionInput",
  "Tag",
];

/** The operations whose query parameters `@edgepress/client` takes: `articles.list` as the type `ArticlesListQuery`. */
const QUERIES = ["articles.list", "articles.get", "articles.search", "blogs.search", "tags.list", "authors.list"];

const BANNER = "/** What the service says, of its OpenAPI document. Written by `npm run cli-types`. */";

type Schema = Parameters<typeof compile>[0];
type Schemas = Record<string, object>;

/** The files that are written, and what each contains. Rejects if the OpenAPI document lacks something that is named. */
export async function clientTypes(): Promise<Record<string, string>> {
  const document = openApiDocument() as unknown as Document;
  const extra = { ...queries(document), ...events(document) };
  const names = [...USED_BY_PACKAGE, ...Object.keys(extra)];
  return {
    "packages/cli/api.ts": await typesOf(document.components.schemas, USED),
    "packages/client/src/api.ts": await typesOf({ ...document.components.schemas, ...extra }, names),
  };
}

/** The parts of the OpenAPI document that are read here. */
type Document = {
  readonly components: { readonly schemas: Schemas; readonly parameters: Record<string, Parameter> };
  readonly paths: Record<string, Record<string, { operationId?: string; parameters?: (Parameter | Reference)[] }>>;
  readonly webhooks: Record<string, { post: { requestBody: { content: Record<string, { schema: object }> } } }>;
};
type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: object };
type Reference = { $ref: string };

/** Returns the name of a type: `articles.list` is `ArticlesList`. */
const typeName = (id: string): string => id.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Returns a schema for the query of each operation of {@link QUERIES}. `fields` is left out: the client has its own type. */
function queries({ paths, components }: Document): Schemas {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const whole = (parameter: Parameter | Reference): Parameter | undefined =>
    "$ref" in parameter ? components.parameters[parameter.$ref.split("/").at(-1) ?? ""] : parameter;
  const one = (id: string): [string, object] => {
    const parameters = operations.find(({ operationId }) => operationId === id)?.parameters;
    if (parameters === undefined) throw new Error(`The document has no operation ${id}.`);
    const asked = parameters.flatMap((each) => whole(each) ?? []).filter((each) => each.in === "query");
    const used = asked.filter(({ name }) => name !== "fields");
    const properties = used.map(({ name, schema, description }) => [name, { ...schema, description }] as const);
    const required = used.flatMap((each) => (each.required === true ? [each.name] : []));
    return [`${typeName(id)}Query`, { type: "object", properties: Object.fromEntries(properties), required }];
  };
  return Object.fromEntries(QUERIES.map(one));
}

/** Returns a schema for the body of each kind of webhook, and one for any of them. */
function events({ webhooks }: Document): Schemas {
  const kinds = Object.entries(webhooks).map(
    ([kind, { post }]) =>
      [`${typeName(kind)}Event`, post.requestBody.content["application/json"]?.schema ?? {}] as const,
  );
  const any = { oneOf: kinds.map(([name]) => ({ $ref: `#/components/schemas/${name}` })) };
  return { ...Object.fromEntries(kinds), WebhookEvent: any };
}

/** Returns the types of some schemas, and of those that these refer to. */
async function typesOf(schemas: Schemas, names: readonly string[]): Promise<string> {
  const missing = names.filter((name) => !(name in schemas));
  if (missing.length > 0) throw new Error(`The document has no schema ${missing.join(", ")}.`);
  const used = Object.fromEntries(names.map((name) => [name, { $ref: `#/definitions/${name}` }]));
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

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const [file, text] of Object.entries(await clientTypes())) writeFileSync(path.join(ROOT_FOLDER, file), text);
}
