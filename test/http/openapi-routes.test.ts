import { beforeAll, describe, expect, test } from "vitest";
import type { z } from "zod";
import { ImportFile } from "../../src/domain/imports.ts";
import { UploadedFile } from "../../src/domain/pictures.ts";
import {
  carriesBody,
  findDocumentedPath,
  getInputSources,
  listPathParameters,
  requiresBody,
  type LoadedRoute,
} from "../../src/surfaces/rest/routes.ts";
import { examplesOf, json, operationOf, resolve, sentExamplesOf } from "../helpers/openapi.ts";
import { freshGif } from "../helpers/pictures.ts";
import { spread } from "../helpers/sample.ts";
import { call, everyRoute, newWorld, reaching, validInput, type World } from "../helpers/operations.ts";

describe.each(everyRoute)("the input of $title", ({ route }) => {
  const { operation } = route;
  const stated = operationOf(route);
  const { query, body } = getInputSources(route);
  const named = (place: string) => (stated.parameters ?? []).filter((parameter) => parameter.in === place);

  test("comes from where the document says", () => {
    expect(named("path").map(({ name }) => name)).toEqual(listPathParameters(findDocumentedPath(route)));
    expect(named("query").map(({ name }) => name)).toEqual(query);
    const schema = body.length > 0 ? (json(stated.requestBody).schema as { $ref: string }) : undefined;
    const members = schema && (resolve(schema.$ref) as { properties: object }).properties;
    expect(Object.keys(members ?? {})).toEqual(body);
    expect(stated.requestBody?.required).toBe(
      body.length > 0 || route.upload || route.streams ? requiresBody(route) : undefined,
    );
  });

  test("requires what the operation requires", () => {
    const required = (name: string) => !(operation.input.shape[name] as z.ZodType).safeParse(undefined).success;
    expect(
      named("query")
        .filter((parameter) => parameter.required)
        .map(({ name }) => name),
    ).toEqual(query.filter(required));
    if (body.length === 0) return;
    const { $ref } = json(stated.requestBody).schema as { $ref: string };
    expect((resolve($ref) as { required?: string[] }).required ?? []).toEqual(body.filter(required));
  });

  test("accepts the examples of the document", async () => {
    const members = listPathParameters(route.path);
    const inPath = Object.fromEntries(named("path").map(({ schema }, index) => [members[index], schema.example]));
    const inQuery = Object.fromEntries(
      named("query").map(({ name, schema }) => [name, schema.example ?? schema.examples?.[0]]),
    );
    const bodies = body.length > 0 ? sentExamplesOf(json(stated.requestBody)) : [{}];
    const streamed = route.streams && { file: new ImportFile(new ReadableStream(), null) };
    const sent = route.upload && { file: await UploadedFile.of(freshGif()) };
    for (const example of bodies) {
      const input = { ...sent, ...streamed, ...inPath, ...inQuery, ...(example as object) };
      expect(operation.input.safeParse(input).error).toBeUndefined();
    }
  });

  test("shows no read-only members in its examples", () => {
    if (body.length === 0) return;
    const { $ref } = json(stated.requestBody).schema as { $ref: string };
    const { properties } = resolve($ref) as { properties: Record<string, { readOnly?: boolean }> };
    const shown = sentExamplesOf(json(stated.requestBody)).flatMap((example) => Object.keys(example as object));
    expect(shown.filter((name) => properties[name]?.readOnly)).toEqual([]);
  });

  test("has the headers of its kind", () => {
    const headers = new Set(named("header").map(({ name }) => name));
    expect(headers.has("Idempotency-Key")).toBe(operation.effect !== "read");
    expect(headers.has("If-None-Match")).toBe("304" in stated.responses);
    expect(headers.has("If-Match")).toBe(operation.versioned === true);
    expect("412" in stated.responses).toBe(operation.effect !== "read");
    for (const status of ["413", "415"]) expect(status in stated.responses).toBe(carriesBody(route.method));
  });

  test("needs the scope that the service checks", () => {
    const { scope, anonymous } = operation;
    const schemes = new Set(stated.security.flatMap((requirement) => Object.keys(requirement)));
    expect(stated["x-scope"] ?? null).toBe(scope);
    expect(stated.security.some((requirement) => Object.keys(requirement).length === 0)).toBe(anonymous);
    const asked = scope !== null || !anonymous;
    expect(schemes.has("apiKey")).toBe(asked && scope !== "operator");
    expect(schemes.has("accessToken")).toBe(asked);
  });
});

describe("the answers of the running service", () => {
  let world: World;
  beforeAll(async () => {
    world = await newWorld();
  });

  // Refused, so that nothing is deleted yet.
  test.each(spread(everyRoute.filter(({ route }) => route.operation.effect !== "read")))(
    "$title answers 412 to an If-Match that nothing matches, as the document says",
    async ({ route }) => {
      const as = reaching(route, world);
      const response = await call(route, validInput(route, world), { as, headers: { "If-Match": '"none"' } });
      expect(await response.json()).toMatchObject({ code: "precondition_failed" });
      expect(Object.keys(operationOf(route).responses)).toContain(String(response.status));
    },
  );

  test.each(spread(everyRoute.filter(({ route }) => carriesBody(route.method) && !route.streams)))(
    "$title answers 415 to a body that is not JSON, as the document says",
    async ({ route }) => {
      const sent = { as: reaching(route, world), headers: { "Content-Type": "text/plain" }, body: "text" };
      const response = await call(route, validInput(route, world), sent);
      expect(await response.json()).toMatchObject({ code: "unsupported_media_type" });
      expect(Object.keys(operationOf(route).responses)).toContain(String(response.status));
    },
  );

  // What deletes comes last, a blog after what is in it, and then the organization: the others need what it deletes.
  const last = ["blogs.delete", "organization.delete"];
  const rank = ({ method, operation: { name } }: LoadedRoute) =>
    last.includes(name) ? 2 + last.indexOf(name) : Number(method === "delete");
  const inOrder = everyRoute.toSorted((a, b) => rank(a.route) - rank(b.route));

  test.each(inOrder)("$title answers as the document says", async ({ route }) => {
    const stated = operationOf(route).responses;
    const response = await call(route, validInput(route, world), { as: reaching(route, world) });
    const { content, headers = {} } = stated[String(response.status)] ?? {};
    expect(content, `${response.status} ${await response.clone().text()}`).toBeDefined();
    expect(route.operation.output.safeParse(await response.json()).error).toBeUndefined();
    expect(response.headers.has("ETag")).toBe("ETag" in headers);
    expect(response.headers.get("Content-Type")).toBe("application/json");
  });

  test.each(everyRoute)("the example answer of $title is one that it could give", ({ route }) => {
    const [example] = examplesOf(json(operationOf(route).responses[String(route.status ?? 200)]));
    expect(route.operation.output.safeParse(example).error).toBeUndefined();
  });
});
