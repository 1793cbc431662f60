/** Members that no operation knows: refused by name, whatever they are called. */
import { LIMITS } from "../../src/domain/limits.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { getInputSources, listPathParameters } from "../../src/surfaces/rest/routes.ts";
import { send } from "../helpers/requests.ts";
import { call, everyRoute, newWorld, reaching, requestOf, validInput, type World } from "../helpers/operations.ts";
import { refusalOf, storingNothing } from "../helpers/refusals.ts";
import { spread } from "../helpers/sample.ts";

const withBody = everyRoute.filter(({ route }) => getInputSources(route).body.length > 0);
const withQuery = everyRoute.filter(({ route }) => getInputSources(route).query.length > 0);

/** Names of query parameters that mean something to JavaScript or to other frameworks. */
const OWN = ["__proto__", "constructor", "toString", "__proto__[admin]", "blogId[]", "a[b][c]", "%00"];

/** Names that mean something to JavaScript, to SQL, to other APIs, or nothing at all. */
const UNKNOWN = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "toJSON",
  "then",
  "length",
  "id",
  "organizationId",
  "organization_id",
  "tenant",
  "version",
  "_id ",
  " blogId",
  "blog_id",
  "a.b",
  "a[0]",
  "0",
  "__defineGetter__",
  "naïve",
  "日本",
  "\u202eeltit",
  "title\u0000",
  "\ud800",
  "\u2028",
  "'; drop table articles; --",
  "x".repeat(1000),
];

let world: World;
beforeAll(async () => {
  world = await newWorld();
});

/** What would pollute a prototype. */
const POISON = ['"__proto__":{"admin":true}', '"constructor":{"prototype":{"admin":true}}'];

it.each(spread(withBody))("a member that no body has is refused and named: $title", async ({ route }) => {
  const as = reaching(route, world);
  const pathsOf = async (input: Record<string, unknown>) => {
    const problem = await refusalOf(await call(route, input, { as }), "invalid_request");
    return problem.errors?.map(({ path }) => path).toSorted();
  };
  await storingNothing(async () => {
    const input = validInput(route, world);
    const { path, method, body } = requestOf(route, input);
    for (const name of spread(UNKNOWN, 10)) {
      // Written as text: a literal's `__proto__` would be no member at all.
      const members = [JSON.stringify(body).slice(1, -1), `${JSON.stringify(name)}:"x"`];
      const response = await send(path, { as, method, body: `{${members.filter((text) => text !== "").join(",")}}` });
      const problem = await refusalOf(response, "invalid_request");
      const message = expect.stringMatching(/^is not a known field/);
      expect(problem.errors).toEqual([{ path: name.slice(0, LIMITS.fieldPath), message }]);
    }
    // Only the case is wrong.
    for (const member of getInputSources(route).body) {
      const likely = [member.toUpperCase(), member.charAt(0).toUpperCase() + member.slice(1), `${member}_`];
      for (const name of likely.filter((each) => each !== member)) {
        expect(await pathsOf({ ...input, [name]: "x" })).toEqual([name]);
      }
    }
    const several = await pathsOf({ ...input, one: 1, two: { three: 3 }, constructor: [] });
    expect(several).toEqual(["constructor", "one", "two"]);
    for (const poison of POISON)
      await refusalOf(await send(path, { as, method, body: `{${poison}}` }), "invalid_request");
    expect(({} as Record<string, unknown>)["admin"]).toBeUndefined();
  });
});

describe("a member of the path", () => {
  const both = withBody.filter(({ route }) => listPathParameters(route.path).length > 0);

  it.each(spread(both))("cannot have another value in the body: $title", async ({ route }) => {
    const as = reaching(route, world);
    await storingNothing(async () => {
      const input = validInput(route, world);
      const { path, method, body } = requestOf(route, input);
      for (const name of listPathParameters(route.path).filter(
        (parameter) => !getInputSources(route).body.includes(parameter),
      )) {
        for (const value of ["another", null]) {
          const response = await send(path, { as, method, body: { ...body, [name]: value } });
          const problem = await refusalOf(response, "immutable_field", "invalid_request");
          expect(problem.errors?.map((error) => error.path)).toEqual([name]);
        }
      }
    });
  });
});

describe("a query", () => {
  it.each(spread(withQuery))("names a parameter that is given twice: $title", async ({ route }) => {
    const as = reaching(route, world);
    await storingNothing(async () => {
      for (const name of getInputSources(route).query) {
        const { path, ...rest } = requestOf(route, validInput(route, world));
        const twice = `${path.split("?")[0]}?${name}=1&${name}=1`;
        const encoded = `${path.split("?")[0]}?${name}=1&%${name.charCodeAt(0).toString(16)}${name.slice(1)}=2`;
        for (const query of [twice, encoded]) {
          const problem = await refusalOf(await send(query, { as, ...rest }), "invalid_request");
          expect(problem.errors, query).toEqual([
            { path: name.slice(0, LIMITS.fieldPath), message: "is given more than once" },
          ]);
        }
      }
    });
  });

  it.each(spread(everyRoute))("with a parameter that is unknown is refused: $title", async ({ route }) => {
    const as = reaching(route, world);
    await storingNothing(async () => {
      for (const name of spread(OWN, 3)) {
        const { path, ...rest } = requestOf(route, validInput(route, world));
        const query = `${path}${path.includes("?") ? "&" : "?"}${name}=x`;
        const problem = await refusalOf(await send(query, { as, ...rest }), "invalid_request");
        expect(problem.errors, query).toEqual([
          { path: decodeURIComponent(name), message: expect.stringMatching(/^is not a known query parameter/) },
        ]);
      }
    });
    expect(({} as Record<string, unknown>)["admin"]).toBeUndefined();
  });
});
