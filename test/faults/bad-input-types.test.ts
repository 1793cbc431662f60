/** Every member of every operation, given values of every wrong type. */
import { describe, expect, it } from "vitest";
import { inputSources, pathParameters, type Route } from "../../src/http/routes.ts";
import { call, everyRoute, newWorld, reaching, validInput, type Input } from "../helpers/operations.ts";
import { fieldsOf, refusalOf, storingNothing } from "../helpers/refusals.ts";
import { ask } from "../helpers/tenant.ts";

type Type = "string" | "boolean" | "integer" | "texts";

/** The type of each member, by the specification's tables; written by hand, so that a looser schema shows. */
const TYPES: Readonly<Record<string, Type>> = {
  _id: "string",
  accessTokenId: "string",
  active: "boolean",
  apiKeyId: "string",
  articleId: "string",
  blogId: "string",
  content: "string",
  coverUrl: "string",
  creationTime: "string",
  cursor: "string",
  deactivationTime: "string",
  description: "string",
  email: "string",
  events: "texts",
  expirationTime: "string",
  failureStreak: "integer",
  fields: "texts",
  idOrSlug: "string",
  lastEditTime: "string",
  limit: "integer",
  locale: "string",
  locales: "texts",
  name: "string",
  organization: "string",
  published: "boolean",
  scopes: "texts",
  secret: "string",
  skip: "integer",
  slug: "string",
  title: "string",
  url: "string",
  vanityId: "string",
  webhookSubscriptionId: "string",
};

/** Where null means "none": it may be sent. */
const NULLABLE: Readonly<Record<string, readonly string[]>> = {
  createWebhookSubscription: ["blogId"],
  updateWebhookSubscription: ["blogId", "deactivationTime"],
  createApiKey: ["blogId", "expirationTime"],
  createAccessToken: ["expirationTime"],
};

/** JSON texts, by the types that they fit. */
const VALUES: readonly { json: string; fits: readonly Type[] }[] = [
  { json: "null", fits: [] },
  { json: "true", fits: ["boolean"] },
  { json: "false", fits: ["boolean"] },
  { json: "0", fits: ["integer"] },
  { json: "-1", fits: ["integer"] },
  { json: "1.5", fits: [] },
  { json: "1e400", fits: [] },
  { json: "9007199254740993", fits: [] },
  { json: '"text"', fits: ["string"] },
  { json: '"true"', fits: ["string"] },
  { json: '"0"', fits: ["string"] },
  { json: "[]", fits: ["texts"] },
  { json: "[null]", fits: [] },
  { json: "[0]", fits: [] },
  { json: '[["en"]]', fits: [] },
  { json: '[{"0":"en"}]', fits: [] },
  { json: "{}", fits: [] },
  { json: '{"length":1,"0":"en"}', fits: [] },
  { json: '{"toString":"x","valueOf":"x"}', fits: [] },
];

/** What a query's text may not be, by type. */
const QUERY: Readonly<Record<Type, readonly string[]>> = {
  string: [],
  boolean: ["", "TRUE", "True", "1", "0", "yes", "null", " true", "true,false"],
  integer: ["", "-1", "1.5", "1.0", "0x10", "1e3", "+1", " 1", "1 ", "NaN", "Infinity", "1_000", "１", "null", "1,2"],
  texts: ["", ",", "_id,", "nope", "_id,nope", "constructor", "__proto__", "ID", "_id;title", "*"],
};

function typeOf(member: string): Type {
  const type = TYPES[member];
  if (type === undefined) throw new Error(`${member} is new: say in TYPES what type it has`);
  return type;
}

const withBody = everyRoute.filter(({ route }) => inputSources(route).body.length > 0);
const withQuery = everyRoute.filter(({ route }) => inputSources(route).query.length > 0);

/** The body of a valid input, one member of it replaced by a JSON text. */
function bodyWith(route: Route, input: Input, member: string, json: string): string {
  const inPath = pathParameters(route.path);
  const members = Object.entries(input).filter(([name]) => name !== member && !inPath.includes(name));
  const valid = members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return `{${[...valid, `"${member}":${json}`].join(",")}}`;
}

const pathOf = (route: Route, input: Input): string =>
  route.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(input[name])));

describe("a member of a body that has the wrong type is named", () => {
  it.each(withBody)("by $title", async ({ route, name }) => {
    const world = await newWorld();
    await storingNothing(async () => {
      for (const member of inputSources(route).body) {
        const wrong = VALUES.filter(
          ({ json, fits }) => !fits.includes(typeOf(member)) && !(json === "null" && NULLABLE[name]?.includes(member)),
        );
        for (const { json } of wrong) {
          const input = validInput(route, world);
          const response = await ask(pathOf(route, input), {
            as: reaching(route, world),
            method: route.method.toUpperCase(),
            body: bodyWith(route, input, member, json),
          });
          const problem = await refusalOf(response, "invalid_request");
          expect(fieldsOf(problem), `${member}: ${json}`).toEqual([member]);
        }
      }
    });
  });
});

describe("a query parameter that is not of its type is named", () => {
  it.each(withQuery)("by $title", async ({ route }) => {
    const world = await newWorld();
    await storingNothing(async () => {
      for (const member of inputSources(route).query) {
        for (const text of QUERY[typeOf(member)]) {
          const input = { ...validInput(route, world), [member]: text };
          const problem = await refusalOf(await call(route, input, { as: reaching(route, world) }), "invalid_request");
          expect(fieldsOf(problem), `${member}=${text}`).toEqual([member]);
        }
      }
    });
  });
});

describe("all wrong members are named at once", () => {
  it.each(withBody)("by $title", async ({ route }) => {
    const world = await newWorld();
    const { body } = inputSources(route);
    await storingNothing(async () => {
      const input = { ...validInput(route, world), ...Object.fromEntries(body.map((member) => [member, { wrong: 1 }])) };
      const problem = await refusalOf(await call(route, input, { as: reaching(route, world) }), "invalid_request");
      expect(fieldsOf(problem).toSorted()).toEqual(body.toSorted());
    });
  });
});

describe("what the walk relies on: the valid input is accepted", () => {
  it.each(everyRoute)("by $title", async ({ route }) => {
    const world = await newWorld();
    const response = await call(route, validInput(route, world), { as: reaching(route, world) });
    expect([200, 202], await response.text()).toContain(response.status);
  });
});
