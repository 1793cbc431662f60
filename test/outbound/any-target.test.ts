import fc, { anyCharacter, runs } from "../helpers/fast-check.ts";
import { describe, expect, it } from "vitest";
import { checkTarget } from "../../src/outbound/target";

describe("whatever is given", () => {
  it("an IPv4 address in any number form is refused", () => {
    const address = fc.integer({ min: 0, max: 0xffff_ffff });
    fc.assert(
      fc.property(address, fc.constantFrom("", "."), (value, end) => {
        const parts = [24, 16, 8, 0].map((shift) => (value >>> shift) & 255);
        const spellings = [
          `${value}`,
          `0x${value.toString(16)}`,
          `0${value.toString(8)}`,
          parts.join("."),
          parts.map((part) => `0x${part.toString(16)}`).join("."),
          parts.map((part) => `0${part.toString(8)}`).join("."),
          `${value >>> 24}.${value & 0xff_ffff}`,
        ];
        for (const host of spellings) {
          const reason = "The host must be a name, not an IP address.";
          expect(checkTarget(`https://${host}${end}/`, { allowLoopback: false })).toEqual({ allowed: false, reason });
        }
      }),
    );
  });

  it("no text makes the check throw, and what it allows is http(s) and stays allowed", () => {
    const scheme = fc.constantFrom("https://", "http://", "HTTPS:/", "ws://");
    const rest = fc.string({ unit: "grapheme", maxLength: 60 });
    const nearUrl = fc.tuple(scheme, rest).map((parts) => parts.join(""));
    const text = fc.oneof(fc.string({ unit: anyCharacter, maxLength: 60 }), nearUrl, fc.webUrl());
    fc.assert(
      fc.property(text, fc.boolean(), fc.boolean(), (raw, allowLoopback, allowHttp) => {
        const verdict = checkTarget(raw, { allowLoopback, allowHttp });
        if (!verdict.allowed) return verdict.reason.endsWith(".");
        const again = checkTarget(verdict.url.href, { allowLoopback, allowHttp });
        return /^https?:$/.test(verdict.url.protocol) && again.allowed;
      }),
      runs(100),
    );
  });

  it("a host that is allowed is a full public name, without user info: never an address or an internal name", () => {
    const label = fc.constantFrom(
      ..."example com a-1 _x xn--bcher-kva localhost LocalHost internal local svc arpa home lan nip io 127 0 1 8 0x7f".split(
        " ",
      ),
      ..."017700000001 2130706433 ① １２７ bücher loc%61lhost %31 local\u00adhost [::1] [::ffff:7f00:1] a@b : @".split(
        " ",
      ),
      "",
    );
    const dot = fc.constantFrom(".", ".", ".", ".", "。", "%2e", "");
    const host = fc
      .array(fc.tuple(label, dot), { minLength: 1, maxLength: 5 })
      .map((parts) => parts.flat().join("").replace(/\.$/, ""));
    const user = fc.constantFrom("", "", "", "", "", "user@", "a:b@", "@", "example.com%40");
    const port = fc.constantFrom("", "", "", ":443", ":8443", ":22", ":080");
    let allowed = 0;
    const times = runs(500);
    fc.assert(
      fc.property(user, host, port, fc.boolean(), (before, name, after, allowHttp) => {
        const verdict = checkTarget(`https://${before}${name}${after}/`, { allowLoopback: false, allowHttp });
        if (!verdict.allowed) return;
        allowed++;
        const { hostname, username, password, port: found } = verdict.url;
        expect({ hostname, username, password }).toEqual({
          hostname: expect.stringMatching(/^[a-z\d_-]+(?:\.[a-z\d_-]+)+$/),
          username: "",
          password: "",
        });
        const labels = hostname.split(".");
        expect(labels.at(-1)).not.toMatch(/^(?:\d+|0x[\da-f]*)$/);
        expect(["localhost", "internal", "local", "svc", "arpa", "home", "lan"]).not.toContain(labels.at(-1));
        expect(labels.slice(-2).join(".")).not.toBe("nip.io");
        expect(["", "8443"]).toContain(found);
      }),
      times,
    );
    expect(allowed).toBeGreaterThan(times.numRuns / 100);
  });
});
