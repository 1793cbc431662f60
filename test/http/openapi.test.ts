import { MEDIA_TYPES } from "../../src/domain/pictures.ts";
import { describe, expect, test } from "vitest";
import { ERRORS } from "../../src/domain/errors.ts";
import {
  document,
  documented,
  examplesOf,
  json,
  resolve,
  sentExamplesOf,
  template,
  text,
  webhooks,
} from "../helpers/openapi.ts";
import { newFile } from "../helpers/media.ts";
import { everyRoute } from "../helpers/operations.ts";
import { send } from "../helpers/requests.ts";
import { newArticle, newTenant } from "../helpers/tenant.ts";

const FEEDS = ["feed.xml", "atom.xml", "feed.json", "sitemap.xml", "llms.txt", "articles/{file}"];
/** What readers' programs get, which is no JSON but for the last one. */
const readers = [...FEEDS.map((file) => `GET /blogs/{blogId}/${file}`), "POST /blogs/{blogId}/subscribe"];
const service = ["GET /healthz", "GET /openapi.json", "GET /media/{id}", ...readers];

/** Every object of the document, with the path to it. */
function walk(value: unknown, at = "#"): { at: string; node: Record<string, unknown> }[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, member]) => walk(member, `${at}/${key}`));
  return Array.isArray(value) ? inner : [{ at, node: value as Record<string, unknown> }, ...inner];
}

describe("the document", () => {
  test("is OpenAPI 3.1, for whatever host serves it", () => {
    expect(document.openapi).toBe("3.1.0");
    expect(document.servers.map(({ url }) => url)).toEqual(["/"]);
  });

  test("says under which license the service is", () => {
    expect(document.info.license).toEqual({ name: "MIT", identifier: "MIT" });
  });

  test("has one path for each place, whatever the methods call its parameters", () => {
    const places = Object.keys(document.paths).map((path) => path.replaceAll(/\{\w+\}/g, "{}"));
    expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([]);
    expect(Object.keys(document.paths["/api/articles/{idOrSlug}"] ?? {})).toEqual(["get", "delete"]);
  });

  test("takes fewer than 3,200 bytes an operation: everybody who opens the reference downloads it", () => {
    const operations = Object.values(document.paths).flatMap((item) => Object.keys(item));
    expect(new TextEncoder().encode(text).byteLength / operations.length).toBeLessThan(3_200);
  });

  test("says once what several operations say: their responses and parameters are references", () => {
    const parts = walk(document.paths).filter(
      ({ at, node }) => /\/(responses|parameters)\/\w+$/.test(at) && !("$ref" in node),
    );
    const texts = parts.map(({ node }) => JSON.stringify(node));
    expect(texts.length).toBeGreaterThan(50);
    expect(texts.filter((part, index) => texts.indexOf(part) !== index)).toEqual([]);
  });

  test("refers only to what is in it", () => {
    const references = walk(document).flatMap(({ node }) => (typeof node["$ref"] === "string" ? [node["$ref"]] : []));
    expect(references.length).toBeGreaterThan(100);
    expect(references.filter((ref) => resolve(ref) === undefined)).toEqual([]);
  });

  test("carries nothing of the library that made its schemas", () => {
    const schemas = walk(document.components.schemas, "#/components/schemas");
    const junk = schemas.filter(
      ({ at, node }) => "$schema" in node || "$defs" in node || ("id" in node && !at.endsWith("/properties")),
    );
    expect(junk.map(({ at }) => at)).toEqual([]);
  });

  test("has no member that may be null and is also a schema that may not", () => {
    const joined = walk(document).flatMap(({ node }) => (Array.isArray(node["allOf"]) ? [node["allOf"]] : []));
    expect(joined.length).toBeGreaterThan(0);
    expect(joined.flat().filter(({ type }) => Array.isArray(type))).toEqual([]);
  });

  test("gives every operation an id of its own", () => {
    const ids = [
      ...documented.map(({ operation }) => operation),
      ...Object.values(webhooks).map(({ post }) => post),
    ].map(({ operationId }) => operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids).toContain("articles.list");
    expect(ids).toContain("blogs.show.byPath");
  });

  test("has every route, and no other", () => {
    const routes = everyRoute.map(({ route }) => `${route.method.toUpperCase()} ${template(route)}`);
    expect(documented.map(({ title }) => title).toSorted()).toEqual([...routes, ...service].toSorted());
  });

  test.each(
    [
      "Article",
      "Blog",
      "PublicBlog",
      "Contact",
      "WebhookSubscription",
      "Delivery",
      "ApiKey",
      "AccessToken",
      "AuditEntry",
      "SlugLocales",
      "DeliveryHour",
      "Problem",
    ].concat(
      [
        "ArticleInput",
        "BlogInput",
        "BlogChange",
        "ContactInput",
        "WebhookSubscriptionInput",
        "WebhookSubscriptionChange",
      ],
      ["ApiKeyInput", "AccessTokenInput"],
    ),
  )("names %s as a component", (name) => {
    expect(document.components.schemas[name]).toMatchObject({ type: "object" });
  });

  test("declares the two schemes of contract 10.1 for keys and operators", () => {
    expect(document.components.securitySchemes).toMatchObject({
      apiKey: { type: "http", scheme: "basic" },
      accessToken: { type: "apiKey", in: "header", name: "Authorization" },
    });
  });

  test("shows every code of the table of errors, except those of no operation", () => {
    const shown = documented.flatMap(({ operation }) =>
      Object.values(operation.responses).flatMap((response) =>
        Object.keys(response.content?.["application/json"]?.examples ?? {}),
      ),
    );
    // The last two are of MCP.
    const others = ["route_not_found", "method_not_allowed", "canceled", "origin_forbidden", "approval_declined"];
    // Organizations are founded, and applications connected, in the console only.
    const ofNoOperation = new Set([...others, "organization_limit", "app_limit"]);
    expect([...new Set(shown)].toSorted()).toEqual(
      Object.keys(ERRORS)
        .filter((code) => !ofNoOperation.has(code))
        .toSorted(),
    );
  });
});

describe.each(documented)("$title", ({ title, path, operation }) => {
  test("says what it does, for whom, in which group", () => {
    expect(operation.summary).not.toBe("");
    expect(operation.description).not.toBe("");
    expect(operation.tags).toHaveLength(1);
    expect(operation.security.length).toBeGreaterThan(0);
  });

  test("declares each parameter of its path, and describes all", () => {
    const parameters = operation.parameters ?? [];
    const inPath = parameters.filter((parameter) => parameter.in === "path");
    expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
    expect(inPath.every(({ required }) => required)).toBe(true);
    for (const { name, description, schema } of parameters) {
      expect(description, name).toBeTruthy();
      expect(schema["type"], name).toBeTruthy();
    }
  });

  test("has one success and its failures, each with a schema and an example", () => {
    const statuses = Object.keys(operation.responses);
    expect(statuses.filter((status) => status.startsWith("2"))).toHaveLength(1);
    expect(statuses).toContain("500");
    for (const [status, response] of Object.entries(operation.responses)) {
      expect(response.description, status).not.toBe("");
      expect(Object.keys(response.headers ?? {}), status).toContain("X-Request-Id");
      const isFile = title === "GET /media/{id}" || readers.includes(title);
      if (status.startsWith("3") || (isFile && status === "200")) continue;
      expect(json(response).schema, status).toBeTypeOf("object");
      expect(
        examplesOf(json(response)).every((example) => example !== undefined),
        status,
      ).toBe(true);
    }
  });

  test("answers its refusals with Problem", () => {
    for (const [status, response] of Object.entries(operation.responses)) {
      if (Number(status) < 400) continue;
      expect(json(response).schema).toEqual({ $ref: "#/components/schemas/Problem" });
      for (const example of examplesOf(json(response))) {
        const { code } = example as { code: keyof typeof ERRORS };
        expect(example).toMatchObject({ status: Number(status), title: ERRORS[code].title });
      }
    }
  });

  test("can be refused for its credentials where it looks at them", () => {
    const { responses } = operation;
    const ofService = service.includes(title);
    expect("401" in responses).toBe(!ofService);
    expect("403" in responses).toBe(!ofService);
    expect("429" in responses).toBe(title !== "GET /openapi.json");
  });
});

describe("GET /media/{id}", () => {
  const found = documented.find(({ title }) => title === "GET /media/{id}")?.operation.responses;

  test("is an image of one of the types that are stored, unchanged, or elsewhere", () => {
    expect(Object.keys(found?.["200"]?.content ?? {})).toEqual([...MEDIA_TYPES]);
    expect(Object.keys(found ?? {})).toEqual(["200", "302", "304", "404", "429", "500", "503"]);
  });

  test("has the headers that the document says, which let caches keep it for a year", async () => {
    const tenant = await newTenant();
    const id = await newFile(tenant.organizationId, (await newArticle(tenant, { published: false }))._id);
    const response = await send(`/media/${id}`);
    const stated = found?.["200"]?.headers as Record<string, { example: string }>;
    for (const name of Object.keys(stated)) expect(response.headers.has(name), name).toBe(true);
    expect(response.headers.get("Cache-Control")).toBe(stated["Cache-Control"]?.example);
  });
});

test("a JSON Feed is an object, and what a former slug found says where it is", () => {
  const responseOf = (wanted: string) => documented.find(({ title }) => title === wanted)?.operation.responses["200"];
  const feed = responseOf("GET /blogs/{blogId}/feed.json");
  expect(feed?.content?.["application/feed+json"]?.schema).toMatchObject({ type: "object" });
  expect(responseOf("GET /api/articles/{idOrSlug}")?.headers).toHaveProperty("Content-Location");
});

describe("the webhooks", () => {
  const subjects = ["tag", "author", "media"];
  const further = subjects.flatMap((each) => [`${each}.created`, `${each}.updated`, `${each}.deleted`]);
  const first = ["article.created", "article.updated", "article.deleted", "blog.created", "contact.created"];
  const kinds = [...first, "blog.updated", "blog.deleted", "site.updated", ...further, "ping"];

  test("are the kinds of contract 11.3 and 11.15, and the ping", () => {
    expect(Object.keys(webhooks)).toEqual(kinds);
  });

  test.each(kinds)("%s has its headers and three members", (kind) => {
    const { parameters = [], requestBody } = webhooks[kind]?.post ?? {};
    const standard = ["webhook-id", "webhook-timestamp", "webhook-signature"];
    const names = ["X-Service-Event", "X-Service-Signature", "X-Service-Delivery", ...standard, "Content-Type"];
    expect(parameters.map(({ name }) => name)).toEqual(names);
    const [example] = sentExamplesOf(json(requestBody)) as { event: string; timestamp: number; data: object }[];
    expect(Object.keys(example ?? {})).toEqual(["event", "timestamp", "data"]);
    expect(example?.event).toBe(kind);
    expect(example?.data).not.toHaveProperty("content");
  });
});

test("the document is served with an ETag that saves sending it again", async () => {
  const first = await send("/openapi.json");
  expect(await first.json()).toEqual(document);
  expect(first.headers.get("Content-Type")).toBe("application/json");
  const etag = first.headers.get("ETag") ?? "";
  expect(etag).toMatch(/^"[^"]+"$/);
  const again = await send("/openapi.json", { headers: { "If-None-Match": etag } });
  expect(again.status).toBe(304);
  expect(await again.text()).toBe("");
});
