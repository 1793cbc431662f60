import fc from "../helpers/fast-check.ts";
import { describe, expect, it } from "vitest";
import { seal, unseal } from "../../src/lib/seal.ts";

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 2000 }),
  fc.string({ unit: "binary", maxLength: 2000 }),
  fc.string({ unit: fc.constantFrom("\ufeff", "a", "\0", "\n", "é", "😀"), maxLength: 10 }),
);

describe("a sealed text", () => {
  it("is read again with the same secret", async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (secret, plain) => {
        expect(await unseal(secret, await seal(secret, plain))).toBe(plain);
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    ["begins with a byte order mark", "\ufeff\ufeff{}"],
    ["is empty", ""],
    ["is longer than the arguments of a call may be", "é".repeat(500_000)],
  ])("is read again where it %s", async (_, plain) => {
    expect(await unseal("secret", await seal("secret", plain))).toBe(plain);
  });

  it("cannot be read with any other secret", async () => {
    await fc.assert(
      fc.asyncProperty(text, text, text, async (secret, other, plain) => {
        fc.pre(secret !== other);
        await expect(unseal(other, await seal(secret, plain))).rejects.toThrow();
      }),
      { numRuns: 100 },
    );
  });

  it("cannot be changed in any place", async () => {
    const sealed = await seal("secret", "a text");
    const bytes = Uint8Array.from(atob(sealed), (character) => character.charCodeAt(0));
    for (let place = 0; place < bytes.length; place++) {
      const changed = bytes.slice();
      changed[place] = (changed[place] ?? 0) ^ 1;
      await expect(unseal("secret", btoa(String.fromCharCode(...changed)))).rejects.toThrow();
    }
    await expect(unseal("secret", btoa(String.fromCharCode(...bytes.slice(0, -1))))).rejects.toThrow();
    await expect(unseal("secret", "")).rejects.toThrow();
    await expect(unseal("secret", "not base64!")).rejects.toThrow();
  });

  it("shows nothing of itself, and is another one each time", async () => {
    const sealed = await Promise.all(Array.from({ length: 20 }, () => seal("secret", "epk_plain")));
    expect(new Set(sealed).size).toBe(20);
    for (const one of sealed) {
      expect(one).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
      expect(one).not.toContain(btoa("epk_plain").slice(0, 8));
    }
  });
});
