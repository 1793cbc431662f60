/** Credentials that are none, on every endpoint: 401, never anonymous, and no query for what is malformed. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { authenticate } from "../../src/surfaces/auth/authenticate.ts";
import { DomainError } from "../../src/domain/errors.ts";
import { newSecret } from "../../src/domain/secrets.ts";
import { countingDatabase } from "../helpers/counting.ts";
import { call, everyRoute, newWorld, validInput, type World } from "../helpers/operations.ts";
import { refusalOf, storingNothing } from "../helpers/refusals.ts";
import { sample, spread } from "../helpers/sample.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});

/** An Authorization header from an address of its own: failures are counted by address. */
const presenting = (Authorization: string) => ({ Authorization, "CF-Connecting-IP": crypto.randomUUID() });

/** Texts that are no credentials, made of true ones. */
function malformed(key: string, token: string): Record<string, string> {
  const basic = `Basic ${btoa(key)}`;
  return {
    "an empty header": "",
    "a space": " ",
    "a scheme alone": "Basic",
    "a scheme and spaces": "Token   ",
    "another scheme": `Bearer ${key}`,
    "another scheme with a token": `Bearer ${token}`,
    Digest: 'Digest username="x", realm="edgepress"',
    Negotiate: "Negotiate YIIB",
    "a key without a scheme": key,
    "base64 without a scheme": btoa(key),
    "the scheme twice": `Basic ${basic}`,
    "two credentials": `${basic}, Token ${token}`,
    "two credentials in one": `${basic} Token ${token}`,
    "a key in plain text": `Basic ${key}`,
    "a token in base64": `Token ${btoa(token)}`,
    "a key as a token": `Token ${key}`,
    "a token as a key": `Basic ${btoa(token)}`,
    "no base64": "Basic ###",
    "base64 of nothing": "Basic =",
    "base64 cut short": basic.slice(0, -5),
    "base64 with dots": basic.replace("c", "."),
    "base64 twice": `Basic ${btoa(btoa(key))}`,
    "a colon alone": `Basic ${btoa(":")}`,
    "the key as the password": `Basic ${btoa(`:${key}`)}`,
    "a password": `Basic ${btoa(`${key}:password`)}`,
    "two colons": `Basic ${btoa(`${key}::`)}`,
    "the key and itself": `Basic ${btoa(`${key}:${key}`)}`,
    "white space around the key": `Basic ${btoa(` ${key}\n`)}`,
    "a NUL behind the key": `Basic ${btoa(`${key}\0`)}`,
    "the key in upper case": `Basic ${btoa(key.toUpperCase())}`,
    "the key in lower case": `Basic ${btoa(key.toLowerCase())}`,
    "the prefix alone": `Basic ${btoa("epk_")}`,
    "the key without its prefix": `Basic ${btoa(key.slice(4))}`,
    "the key under the other prefix": `Token ${key.replace("epk_", "ept_")}`,
    "a key cut short": `Basic ${btoa(key.slice(0, -1))}`,
    "a key with something behind it": `Basic ${btoa(`${key}0`)}`,
    "a wrong checksum": `Token ${token.slice(0, -6)}000000`,
    "a comma": `Token,${token}`,
    "an equals sign": `Token=${token}`,
    "a tab": `Token\t${token}`,
    quotes: `Token "${token}"`,
    "a very long one": `Token ${"a".repeat(50_000)}`,
    "a very long key": `Basic ${btoa(`epk_${"0".repeat(50_000)}`)}`,
    SQL: `Basic ${btoa("' or 1=1 --")}`,
  };
}

const CASES = Object.keys(malformed("epk_", "ept_"));

/** With these, each case is tried: a read of the public, a write, and what only operators may do. */
const ALWAYS = new Set(["listArticles", "saveArticle", "createApiKey"]);

const others = spread(everyRoute, 20);

/** The routes that a case is tried with: those above, and a few others, each of which meets a few of the cases. */
const routesFor = (name: string) =>
  everyRoute.filter(
    (each) => ALWAYS.has(each.name) || (others.includes(each) && sample(CASES, each.turn).includes(name)),
  );

describe("malformed credentials", () => {
  it.each(CASES)("are 401 on every endpoint, and cost no query: %s", async (name) => {
    const { secret: key } = await newSecret("key");
    const header = malformed(key, world.tenant.operatorToken)[name] ?? "";
    await storingNothing(async () => {
      for (const { route } of routesFor(name)) {
        const { db, counts } = countingDatabase();
        const options = { headers: presenting(header), bindings: { DB: db } };
        const response = await call(route, validInput(route, world), options);
        expect(response.headers.get("WWW-Authenticate")).toMatch(
          /^Basic realm="[^"]+".*, Token realm="[^"]+", Bearer /,
        );
        const { detail } = await refusalOf(response, "credentials_invalid");
        expect(detail).not.toContain(key);
        expect(counts.queries).toBe(0);
      }
    });
  });
});

describe("well-formed credentials that nobody was given", () => {
  it("are 401, after one query", async () => {
    const headers = [`Basic ${btoa((await newSecret("key")).secret)}`, `Token ${(await newSecret("token")).secret}`];
    await storingNothing(async () => {
      for (const header of headers) {
        for (const { route } of spread(everyRoute, 20)) {
          const { db, counts } = countingDatabase();
          const options = { headers: presenting(header), bindings: { DB: db } };
          await refusalOf(await call(route, validInput(route, world), options), "credentials_invalid");
          expect(counts.queries).toBe(1);
        }
      }
    });
  });
});

describe("a secret with one wrong character", () => {
  const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-:";

  it.each(["key", "token"] as const)("is refused whatever the character, and never looked up: %s", async (kind) => {
    const { secret } = await newSecret(kind);
    const untouched = new Proxy(env.DB, {
      get() {
        throw new Error("storage was touched");
      },
    });
    const otherwise: string[] = [];
    for (let place = 0; place < secret.length; place++) {
      for (const character of spread(ALPHABET.split(""), 8)) {
        const mistyped = secret.slice(0, place) + character + secret.slice(place + 1);
        if (mistyped === secret) continue;
        const header = kind === "key" ? `Basic ${btoa(mistyped)}` : `Token ${mistyped}`;
        const answer = await authenticate(() => untouched, header, new Date()).catch((error: unknown) => error);
        const isRefused = answer instanceof DomainError && answer.code === "credentials_invalid";
        if (!isRefused) otherwise.push(`${mistyped}: ${String(answer)}`);
      }
    }
    expect(otherwise).toEqual([]);
    const right = kind === "key" ? `Basic ${btoa(secret)}` : `Token ${secret}`;
    await expect(authenticate(() => untouched, right, new Date())).rejects.toThrow("storage was touched");
  });
});

describe("letters of other scripts", () => {
  it("are no credentials, however alike they look", async () => {
    const { secret } = await newSecret("token");
    for (const text of [secret.replace("e", "е"), secret.replace("_", "＿"), "ключ", "😀", `${secret}\u200b`]) {
      const asked = authenticate(() => env.DB, `Token ${text}`, new Date());
      await expect(asked).rejects.toMatchObject({ code: "credentials_invalid" });
    }
  });
});
