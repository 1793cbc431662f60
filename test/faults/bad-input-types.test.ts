/** Every member of every operation, given values of every wrong type. */
import { beforeAll, describe, expect, it } from "vitest";
import { getInputSources, listPathParameters, type LoadedRoute } from "../../src/surfaces/rest/routes.ts";
import { send } from "../helpers/requests.ts";
import { typeOf, type MemberType } from "../helpers/member-types.ts";
import {
  call,
  everyRoute,
  newWorld,
  reaching,
  requestOf,
  validInput,
  type Input,
  type World,
} from "../helpers/operations.ts";
import { fieldsOf, refusalOf, storingNothing } from "../helpers/refusals.ts";
import { spread } from "../helpers/sample.ts";

/** Where null means "none": it may be sent. */
const NULLABLE: Readonly<Record<string, readonly string[]>> = {
  createWebhookSubscription: ["blogId"],
  rotateApiKey: ["expirationTime"],
  saveArticle: [
    "publishTime",
    "schedule",
    "workingCopy",
    "html",
    "text",
    "excerpt",
    "readingMinutes",
    "headings",
    "createdBy",
    "lastEditedBy",
  ],
  updateMedia: ["blogId", "sizesReason", "blurHash"],
  updateTopic: ["articleId"],
  updateSite: ["lastEditTime"],
  updateOrganization: ["modelTokensPerDay"],
  setSchedule: ["publishTime", "unpublishTime", "failure"],
  updateWebhookSubscription: ["blogId", "deactivationTime", "endTime", "replaces"],
  createApiKey: ["blogId", "expirationTime"],
  createAccessToken: ["expirationTime"],
};

/** JSON texts, by the types that they fit. */
const VALUES: readonly { json: string; fits: readonly MemberType[] }[] = [
  { json: "null", fits: [] },
  { json: "true", fits: ["boolean"] },
  { json: "false", fits: ["boolean"] },
  { json: "0", fits: ["integer", "number"] },
  { json: "-1", fits: ["integer", "number"] },
  { json: "1.5", fits: ["number"] },
  { json: "1e400", fits: [] },
  { json: "9007199254740993", fits: ["number"] },
  { json: '"text"', fits: ["string"] },
  { json: '"true"', fits: ["string"] },
  { json: '"0"', fits: ["string"] },
  { json: "[]", fits: ["texts", "objects"] },
  { json: "[null]", fits: [] },
  { json: "[0]", fits: [] },
  { json: '[["en"]]', fits: [] },
  { json: '[{"0":"en"}]', fits: [] },
  { json: "{}", fits: ["object", "names"] },
  { json: '{"length":1,"0":"en"}', fits: [] },
  { json: '{"toString":"x","valueOf":"x"}', fits: ["names"] },
];

/** What a query's text may not be, by type. */
const QUERY: Readonly<Record<MemberType, readonly string[]>> = {
  string: [],
  boolean: ["", "TRUE", "True", "1", "0", "yes", "null", " true", "true,false"],
  integer: ["", "-1", "1.5", "1.0", "0x10", "1e3", "+1", " 1", "1 ", "NaN", "Infinity", "1_000", "１", "null", "1,2"],
  number: [],
  objects: [],
  object: [],
  names: [],
  texts: ["", ",", "_id,", "nope", "_id,nope", "constructor", "__proto__", "ID", "_id;title", "*"],
};

/** Which of these are languages all the same. */
const LOCALES: ReadonlySet<string> = new Set(["nope", "ID"]);

const withBody = everyRoute.filter(({ route }) => getInputSources(route).body.length > 0);
const withQuery = everyRoute.filter(({ route }) => getInputSources(route).query.length > 0);

/** The body of a valid input, one member of it replaced by a JSON text. */
function bodyWith(route: LoadedRoute, input: Input, member: string, json: string): string {
  const inPath = listPathParameters(route.path);
  const members = Object.entries(input).filter(([name]) => name !== member && !inPath.includes(name));
  const valid = members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return `{${[...valid, `"${member}":${json}`].join(",")}}`;
}

let world: World;
beforeAll(async () => {
  world = await newWorld();
});

describe("a member of a body that has the wrong type is named", () => {
  it.each(spread(withBody))("by $title", async ({ route, name }) => {
    const as = reaching(route, world);
    await storingNothing(async () => {
      for (const member of getInputSources(route).body) {
        const wrong = VALUES.filter(
          ({ json, fits }) => !fits.includes(typeOf(member)) && !(json === "null" && NULLABLE[name]?.includes(member)),
        );
        for (const { json } of spread(wrong, 6)) {
          const input = validInput(route, world);
          const { path, method } = requestOf(route, input);
          const response = await send(path, { as, method, body: bodyWith(route, input, member, json) });
          const problem = await refusalOf(response, "invalid_request");
          expect(fieldsOf(problem), `${member}: ${json}`).toEqual([member]);
        }
      }
    });
  });
});

describe("a query parameter that is not of its type is named", () => {
  it.each(spread(withQuery))("by $title", async ({ route }) => {
    const as = reaching(route, world);
    await storingNothing(async () => {
      for (const member of getInputSources(route).query) {
        for (const text of QUERY[typeOf(member)]) {
          if (member === "fallback" && LOCALES.has(text)) continue;
          // Nothing has such an identifier.
          if (member === "ids" && text !== "") continue;
          const input = { ...validInput(route, world), [member]: text };
          const problem = await refusalOf(await call(route, input, { as }), "invalid_request");
          expect(fieldsOf(problem), `${member}=${text}`).toEqual([member]);
        }
      }
    });
  });
});

describe("all wrong members are named at once", () => {
  it.each(spread(withBody))("by $title", async ({ route }) => {
    const { body } = getInputSources(route);
    const as = reaching(route, world);
    await storingNothing(async () => {
      const input = {
        ...validInput(route, world),
        ...Object.fromEntries(body.map((member) => [member, { wrong: 1 }])),
      };
      const problem = await refusalOf(await call(route, input, { as }), "invalid_request");
      expect(fieldsOf(problem).toSorted()).toEqual(body.toSorted());
    });
  });
});
