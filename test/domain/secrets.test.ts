import fc, { runs } from "../helpers/fast-check.ts";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../src/lib/hash.ts";
import { kindOfSecret, newSecret, newWebhookSecret } from "../../src/domain/secrets.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const base62 = fc.constantFrom(...Array.from(ALPHABET));
const kinds = ["key", "token"] as const;

describe("a new secret", () => {
  it.each(kinds)("has the form of contract 10.3 and 10.5: %s", async (kind) => {
    const { secret, hash, hint } = await newSecret(kind);
    expect(secret).toMatch(
      kind === "key" ? /^epk_[0-9A-Za-z]{40}[0-9A-Za-z]{6}$/ : /^ept_[0-9A-Za-z]{40}[0-9A-Za-z]{6}$/,
    );
    expect(kindOfSecret(secret)).toBe(kind);
    expect(hash).toBe(await sha256(secret));
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(secret.endsWith(hint)).toBe(true);
    expect(hint).toHaveLength(4);
  });

  it("is another one each time, and uses the whole alphabet without a bias that shows", async () => {
    const secrets = await Promise.all(Array.from({ length: 500 }, () => newSecret("key")));
    expect(new Set(secrets.map(({ secret }) => secret)).size).toBe(500);
    const counts = new Map<string, number>();
    for (const { secret } of secrets) {
      for (const character of secret.slice(4, 44)) counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    expect([...counts.keys()].toSorted().join("")).toBe(ALPHABET);
    // 20,000 characters, 322 of each expected: a modulo of 256 would give the first eight a quarter more.
    for (const count of counts.values()) expect(Math.abs(count - 20_000 / 62)).toBeLessThan(120);
  });
});

describe("a secret that is mistyped in one place", () => {
  it.each(kinds)("is refused, whatever the place and the character: %s", async (kind) => {
    const { secret } = await newSecret(kind);
    let mistypes = 0;
    for (let place = 0; place < secret.length; place++) {
      for (const character of `${ALPHABET}-_ .é`) {
        if (character === secret[place]) continue;
        mistypes++;
        expect(kindOfSecret(secret.slice(0, place) + character + secret.slice(place + 1))).toBeNull();
      }
    }
    expect(mistypes).toBeGreaterThan(50 * 61);
  });

  it.each(kinds)("is refused with a character too few, too many, or two swapped: %s", async (kind) => {
    const { secret } = await newSecret(kind);
    for (let place = 0; place < secret.length; place++) {
      expect(kindOfSecret(secret.slice(0, place) + secret.slice(place + 1))).toBeNull();
      expect(kindOfSecret(`${secret.slice(0, place)}a${secret.slice(place)}`)).toBeNull();
      const [first = "", second = ""] = secret.slice(place, place + 2);
      if (first === second || second === "") continue;
      expect(kindOfSecret(secret.slice(0, place) + second + first + secret.slice(place + 2))).toBeNull();
    }
  });

  it("is refused under the other kind's prefix", async () => {
    const { secret } = await newSecret("key");
    expect(kindOfSecret(secret.replace("epk_", "ept_"))).toBeNull();
  });
});

describe("kindOfSecret", () => {
  it("is null for every other text", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary", maxLength: 60 }),
          // Of the right form: it is the checksum that is wrong.
          fc
            .tuple(fc.constantFrom("epk_", "ept_"), fc.string({ unit: base62, minLength: 38, maxLength: 70 }))
            .map((parts) => parts.join("")),
        ),
        (text) => {
          expect(kindOfSecret(text)).toBeNull();
        },
      ),
      runs(200),
    );
  });

  it.each(["", "epk_", "ept_", "EPK_", "epk_000000", `epk_${"0".repeat(1000)}`, "epk_\n", "__proto__"])(
    "is null for %s",
    (text) => {
      expect(kindOfSecret(text)).toBeNull();
    },
  );

  it("is null for a good secret with anything around it", async () => {
    const { secret } = await newSecret("token");
    for (const text of [` ${secret}`, `${secret} `, `${secret}\n`, `\n${secret}`, `${secret}:`, `"${secret}"`]) {
      expect(kindOfSecret(text)).toBeNull();
    }
  });
});

describe("a webhook secret", () => {
  it("is whsec_ and 32 random bytes in base64", () => {
    const secrets = Array.from({ length: 100 }, newWebhookSecret);
    expect(new Set(secrets).size).toBe(100);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(atob(secret.slice(6))).toHaveLength(32);
    }
  });
});
