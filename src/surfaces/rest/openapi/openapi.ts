/** The OpenAPI document, from the routes, the schemas of the operations and the table of errors. */
import { OpenAPIHono } from "@hono/zod-openapi";
import { RATES } from "../../../domain/rates.ts";
import type { Context } from "hono";
import * as z from "zod";
import { AUTHORIZE_PATH, TOKEN_PATH } from "../../oauth/server/resources.ts";
import { LIMITS } from "../../../domain/limits.ts";
import { SCOPE_TEXTS } from "../../../domain/scope-texts.ts";
import { VERSION } from "../../../lib/version.ts";
import type { Operation } from "../../../operations/define.ts";
import type { AppEnv } from "../app-env.ts";
import { makeEtag, matchesIfNoneMatch } from "../conditional.ts";
import { finishDocument, type Document } from "./finish.ts";
import {
  HEADERS,
  IF_NONE_MATCH,
  problemSchema,
  describeResponses,
  type Components,
  type PathConfig,
} from "./responses.ts";
import { describeReaderPaths } from "./readers.ts";
import { describeServicePaths } from "./service.ts";
import { WEBHOOKS, describeWebhooks } from "./webhooks.ts";
import type { Reply } from "../reply.ts";
import {
  findDocumentedPath,
  getInputSources,
  listPathParameters,
  requiresBody,
  type LoadedRoute,
  routes,
} from "../routes.ts";
import { registry } from "../../../operations/registry.ts";

let written: { readonly text: string; readonly etag: string } | undefined;

/** Handles `GET /openapi.json`. The document is generated on first use and kept in memory as text. */
export async function serveOpenApi(c: Context<AppEnv>): Promise<Reply> {
  if (written === undefined) {
    const text = JSON.stringify(buildOpenApiDocument());
    written = { text, etag: await makeEtag(text) };
  }
  const caching = { ETag: written.etag, "Cache-Control": "public, max-age=0, must-revalidate" };
  if (matchesIfNoneMatch(c.req.header("If-None-Match"), written.etag))
    return { status: 304, headers: caching, body: null };
  return { status: 200, headers: { ...caching, "Content-Type": "application/json" }, body: written.text };
}

export function buildOpenApiDocument(): Document {
  const app = new OpenAPIHono();
  const registry = app.openAPIRegistry;
  registry.register("Problem", problemSchema);
  for (const [name, header] of Object.entries(HEADERS)) registry.registerComponent("headers", name, header);
  for (const [name, scheme] of Object.entries(SECURITY)) registry.registerComponent("securitySchemes", name, scheme);
  const ids = new Set<string>();
  for (const route of loadedRoutes) registry.registerPath(describePath(route, ids, registry));
  for (const path of [...describeReaderPaths(registry), ...describeServicePaths(registry)]) registry.registerPath(path);
  for (const webhook of describeWebhooks(registry)) registry.registerWebhook(webhook);
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: INFO,
    servers: [{ url: "/", description: "This host." }],
    tags: [...new Set([...loadedRoutes.map(({ tag }) => tag), "Service"])].map(describeTag),
  });
  finishDocument(document);
  return document;
}

const INFO = {
  title: "Edgepress",
  version: VERSION,
  license: { name: "MIT", identifier: "MIT" },
  description: `A multi-tenant blog publishing backend. An organization owns blogs, a blog holds articles, one per locale and slug.

**Credentials.** An API key as the user name of Basic credentials, or an operator access token as \`Authorization: Token …\`. The organization is taken from the credential. Anonymous callers read published articles only; invalid credentials are 401, never anonymous.

**Errors.** Every refusal has the shape of \`Problem\`; programs switch on \`code\`. An unknown path is 404 \`route_not_found\`; a method that the path does not support is 405 \`method_not_allowed\` with \`Allow\`. The codes are explained at [/docs/errors](/docs/errors).

**Lists.** \`limit\` 0 means ${LIMITS.page}, the largest page. Follow the \`Link\` header, \`rel="next"\`, for the rest.

**Writes.** \`Idempotency-Key\` makes a retry safe: the first response is kept for 24 hours. \`If-Match\` overwrites only the version that was read. What has no version matches none, so a write that does not list \`If-Match\` refuses it with 412.

**Caching.** Where a response lists no \`Cache-Control\`, it is \`no-store\` for refusals, \`private, no-store\` for all others.

**Replicas.** Reads below \`/api\` with credentials show every earlier write; without, they may be answered by a replica, which is a moment behind.

**Limits.** ${RATES.calls} requests a minute per credential, ${RATES.organizationCalls} for all of an organization; with a 429, \`Retry-After\` says when to continue. Every GET also answers HEAD; reads are allowed from any origin.`,
};

const SECURITY = {
  apiKey: { type: "http", scheme: "basic", description: "An API key as the user name, with an empty password." },
  accessToken: {
    type: "apiKey",
    in: "header",
    name: "Authorization",
    description: "`Token <ACCESS_TOKEN>`: an operator access token. It has every scope of its organization.",
  },
  application: {
    type: "oauth2",
    description:
      "`Bearer <ACCESS_TOKEN>`: an app that a person has connected (OAuth 2.1, PKCE with S256, resource `/api`).",
    flows: {
      authorizationCode: {
        authorizationUrl: AUTHORIZE_PATH,
        tokenUrl: TOKEN_PATH,
        refreshUrl: TOKEN_PATH,
        scopes: SCOPE_TEXTS,
      },
    },
  },
} as const;

const TAGS: Readonly<Record<string, string>> = {
  Articles: "Published articles are open to everybody; drafts only to their organization.",
  Blogs: "The blogs of an organization.",
  Media: "The images that an organization has uploaded. Their files are at `/media/{id}`, for everybody.",
  Topics: "Ideas for articles, found in feeds and forums.",
  Contacts: "The people who wrote to a blog, or signed up there.",
  Webhooks: `Signed events for the caller's own server. Operators only. ${WEBHOOKS}`,
  Members: "The people of an organization, their roles, and invitations. Operators only.",
  Credentials: "API keys and operator access tokens. Operators only.",
  Audit: "Who changed what. Operators only.",
  Service: "The service itself.",
};

function describeTag(name: string) {
  const description = TAGS[name];
  return { name, ...(description !== undefined && { description }) };
}

/** Describes a route. Adds its operation id to `ids`, the ids in use. */
function describePath(route: LoadedRoute, ids: Set<string>, components: Components): PathConfig {
  const { operation } = route;
  // GET /blogs and GET /blogs/{blogId} are the same operation, but ids must be unique.
  const operationId = ids.has(operation.name) ? `${operation.name}.byPath` : operation.name;
  ids.add(operationId);
  return {
    method: route.method,
    path: findDocumentedPath(route).replaceAll(/:(\w+)/g, "{$1}"),
    operationId,
    tags: [route.tag],
    summary: operation.summary,
    description: [operation.description, describeAccess(operation)].filter(Boolean).join("\n\n"),
    security: listSecurity(operation),
    ...(operation.scope !== null && { "x-scope": operation.scope }),
    request: describeRequest(route),
    responses: describeResponses(route, components),
  };
}

function describeAccess({ scope, anonymous }: Operation): string {
  if (scope === null) return anonymous ? "Needs no credentials." : "Needs credentials with any scopes.";
  if (scope === "operator") return "Needs an operator access token.";
  if (scope === "articles:draft") return "Needs the scope `articles:write`, or for drafts only `articles:draft`.";
  return anonymous ? `Needs no credentials; an API key needs the scope \`${scope}\`.` : `Needs the scope \`${scope}\`.`;
}

function listSecurity({ scope, anonymous }: Operation): Record<string, string[]>[] {
  if (scope === null) return anonymous ? [{}] : [{ apiKey: [] }, { accessToken: [] }, { application: [] }];
  if (scope === "operator") return [{ accessToken: [] }];
  return [{ apiKey: [scope] }, { accessToken: [scope] }, { application: [scope] }, ...(anonymous ? [{}] : [])];
}

function describeRequest(route: LoadedRoute): NonNullable<PathConfig["request"]> {
  const { input } = route.operation;
  const { query, body } = getInputSources(route);
  const path = describePathParameters(route);
  const { bodies } = route.operation;
  return {
    ...(path && { params: path }),
    ...(query.length > 0 && { query: pickSchema(input, query) }),
    headers: z.object(describeRequestHeaders(route)),
    ...((route.upload || route.streams || body.length > 0) && {
      body: {
        required: requiresBody(route),
        content: route.streams
          ? { "application/octet-stream": { schema: { type: "string", format: "binary" } as const } }
          : route.upload
            ? describeUpload(input)
            : { "application/json": { schema: describeBody(input, body), ...(bodies && { examples: bodies }) } },
      },
    }),
  };
}

/** A picture is sent in a form with the other fields, or alone with the fields in the query, or as a URL to fetch. */
function describeUpload(input: z.ZodObject): NonNullable<NonNullable<PathConfig["request"]>["body"]>["content"] {
  const { file, url, mediaId: _, ...others } = input.shape;
  const binary = { type: "string", format: "binary" } as const;
  const form = z.strictObject({ file: z.string().meta({ ...(file as z.ZodType).meta(), ...binary }), ...others });
  return {
    "multipart/form-data": { schema: form },
    "image/*": { schema: binary },
    ...(url !== undefined && {
      "application/json": {
        schema: z.strictObject({ url: (url as z.ZodOptional).unwrap(), ...others }) as z.ZodObject,
      },
    }),
  };
}

/** Returns the schema of the path's parameters, under their names in the document, or undefined if there are none. */
function describePathParameters(route: LoadedRoute): z.ZodObject | undefined {
  const members = listPathParameters(route.path);
  const names = listPathParameters(findDocumentedPath(route));
  if (names.length === 0) return undefined;
  const { shape } = route.operation.input;
  return z.strictObject(Object.fromEntries(names.map((name, i) => [name, shape[members[i] ?? name] as z.ZodType])));
}

const pickSchema = (input: z.ZodObject, names: readonly string[]): z.ZodObject =>
  z.strictObject(Object.fromEntries(names.map((name) => [name, input.shape[name] as z.ZodType])));

function describeBody(input: z.ZodObject, names: readonly string[]): z.ZodObject {
  const id = input.meta()?.id;
  return id === undefined ? input : pickSchema(input, names).openapi(id);
}

function describeRequestHeaders({ operation }: LoadedRoute): Record<string, z.ZodType> {
  return {
    ...(operation.effect !== "read" && {
      "Idempotency-Key": z.string().min(1).max(LIMITS.idempotencyKey).optional().meta({
        description:
          "Makes a retry safe: the first response is kept for 24 hours and returned again, with `Idempotent-Replayed: true`.",
        example: "5b1c7a4e-9d2f-4a6b-8c3d-1e2f3a4b5c6d",
      }),
    }),
    ...(operation.versioned && {
      "If-Match": z.string().optional().meta({
        description: "Write only if this is the current version; otherwise 412.",
        example: HEADERS.ETag.example,
      }),
    }),
    ...(operation.effect === "read" && operation.hasEtag && IF_NONE_MATCH),
  };
}

export const loadedRoutes: readonly LoadedRoute[] = routes.map((route) =>
  Object.assign({}, route, { operation: registry[route.name] }),
);
