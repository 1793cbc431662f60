/** The command `api`: any request of the REST API, for what has no command of its own. */
import { InvalidArgumentError, Option, type Command } from "commander";
import type { Client } from "../client.ts";
import type { Context } from "../context.ts";
import { usageError } from "../failure.ts";
import { toPrintable, toPrintableJson } from "../terminal.ts";
import { declare, openOperatorClient } from "./declare.ts";
import { readJson } from "./shared.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

type Fields = Readonly<Record<string, unknown>>;

type Options = {
  readonly field?: Fields;
  readonly typed?: Fields;
  readonly input?: string;
  readonly ifMatch?: string;
  readonly idempotencyKey?: string;
  readonly paginate?: boolean;
  readonly operator?: boolean;
};

export function addApiCommand(program: Command, context: Context): void {
  declare(program, "api", "send any request of the REST API, and print the response", {
    takes: [
      ["<method>", METHODS.join(", "), parseMethod],
      ["<path>", "such as /api/blogs, with or without a query", parsePath],
      ["-f, --field <name=text>", "a field of the body, or of the query of a GET; repeatable", addText],
      ["-F, --typed <name=json>", "a field whose value is JSON: a number, true, null, a list, an object", addJson],
      new Option("--input <file>", "the whole body, as JSON; - is standard input").conflicts(["field", "typed"]),
      ["--if-match <etag>", "change only this version"],
      ["--idempotency-key <key>", "repeat a request with the same key, and it takes effect once"],
      ["--paginate", "read all pages of a list"],
      ["--operator", "send EDGEPRESS_OPERATOR_TOKEN, not the API key or the sign-in"],
    ],
    help: EXAMPLES,
    run: (method: string, path: string, options: Options) => call(context, { method, path }, options),
  });
}

const EXAMPLES = `
Examples:
  $ edgepress api GET /api/blogs
  $ edgepress api GET /api/articles -f blogId=019a9d3b-… -F limit=5
  $ edgepress api POST /api/articles -f blogId=019a9d3b-… -f title="First light" -F published=true
  $ edgepress api PUT /api/apikeys/019a9d3b-… --operator -F 'scopes=["articles:read"]'
  $ edgepress api GET /api/audit --operator --paginate | jq -r '.[].action'

The reference of all requests is at /docs of every service.`;

function parseMethod(text: string): string {
  const method = text.toUpperCase();
  if (!METHODS.includes(method)) throw new InvalidArgumentError(`It must be one of ${METHODS.join(", ")}.`);
  return method;
}

/** Refuses what would lead to another server, with the credentials: `//host`, `/\\host`. */
function parsePath(text: string): string {
  const server = "http://server.invalid";
  if (text.startsWith("/") && URL.canParse(text, server) && new URL(text, server).origin === server) return text;
  throw new InvalidArgumentError("It must be a path, such as /api/blogs.");
}

function addText(text: string, before: Fields = {}): Fields {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("It must be name=value.");
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

function addJson(text: string, before: Fields = {}): Fields {
  const [[name, value] = ["", ""]] = Object.entries(addText(text)) as [string, string][];
  try {
    return { ...before, [name]: JSON.parse(value) as unknown };
  } catch {
    throw new InvalidArgumentError("The value must be JSON. For text, use --field.");
  }
}

type Asked = { readonly method: string; readonly path: string };

async function call(context: Context, asked: Asked, options: Options): Promise<void> {
  const { output } = context;
  const client = options.operator === true ? await openOperatorClient(context) : await context.client();
  const { ifMatch, idempotencyKey } = options;
  const request = { ...asked, ifMatch, idempotencyKey, ...(await buildInput(context, asked, options)) };
  const show = (value: unknown) => output.result(value, () => toPrintableJson(value));
  if (options.paginate === true) return show(await readPages(client, request));
  const { response } = await client.request({ ...request, accept: "*/*" });
  const text = (await response?.text()) ?? "";
  const isJson = /^application\/(?:[\w.-]+\+)?json\b/.test(response?.headers.get("Content-Type") ?? "");
  return isJson ? show(JSON.parse(text)) : output.raw(toPrintable(text));
}

/** Returns the query or the body of a request. Throws a usage error, or `file_error`. */
async function buildInput(context: Context, { method }: Asked, { field, typed, input }: Options) {
  const given = field === undefined && typed === undefined ? undefined : { ...field, ...typed };
  if (method === "GET" || method === "DELETE") {
    if (input !== undefined) throw usageError(`A ${method} has no body.`);
    const pairs = Object.entries(given ?? {}).map(([name, value]) => [name, String(value)]);
    return { query: Object.fromEntries(pairs) as Record<string, string> };
  }
  const body = input === undefined ? given : await readJson(input, context);
  if (body === undefined) return {};
  if (Object(body) !== body || Array.isArray(body)) throw usageError("The body must be a JSON object.");
  return { body: body as object };
}

type Request = Asked & { readonly query?: Readonly<Record<string, string>> };

/** Returns the items of all pages. Throws a usage error if the response is no list. */
async function readPages(client: Client, request: Request): Promise<unknown[]> {
  const all: unknown[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = { ...request.query, cursor };
    const { value, next } = await client.request<unknown>({ ...request, query });
    if (!Array.isArray(value)) throw usageError("--paginate is for lists.");
    all.push(...(value as unknown[]));
    cursor = next;
  }
  return all;
}
