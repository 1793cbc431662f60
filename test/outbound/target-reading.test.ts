import { describe, expect, it } from "vitest";
import { checkTarget, toReadingRules } from "../../src/outbound/target";

const deployed = { allowLoopback: false };

function outcome(raw: string, rules = deployed): string {
  const verdict = checkTarget(raw, toReadingRules(rules));
  return verdict.allowed ? `allowed ${verdict.url.href}` : verdict.reason;
}

/** The spellings are apart by spaces. */
const REFUSED: Record<string, string> = {
  "The URL must use http or https.":
    "ftp://example.com/ ws://example.com/ file:///etc/passwd feed:https://example.com/ localhost:8080",
  "The URL must use port 80 or a port above 1023.":
    "http://example.com:22/ http://example.com:443/ http://example.com:1023/",
  "The URL must use port 443 or a port above 1023.": "https://example.com:80/ https://example.com:22/",
  "The host must be a name, not an IP address.":
    "http://10.0.0.1/ http://169.254.169.254/ http://127.0.0.1/ http://[::1]/ http://2130706433/ http://8.8.8.8/",
  "The host must be a full name, such as hooks.example.com.": "http://localhost/ http://metadata/",
  "The host must not be an internal or reserved name.":
    "http://metadata.google.internal/ http://app.localhost/ http://printer.local/",
  "The host must not be a name that stands for an IP address.": "http://127.0.0.1.nip.io/ http://localtest.me/",
  "The host must not end with a dot.": "http://example.com./",
  "The URL must not contain a user name or password.": "http://user@example.com/ http://example.com@127.0.0.1/",
  "The URL must have the form https://host/path.": "http:example.com http:///example.com",
};

describe("the rules for what is only read", () => {
  it.each([
    ["http://example.com/feed", "http://example.com/feed"],
    ["HTTP://EXAMPLE.COM:80/Feed", "http://example.com/Feed"],
    ["http://example.com:1024/", "http://example.com:1024/"],
    ["http://example.com:65535/", "http://example.com:65535/"],
    ["https://example.com/feed", "https://example.com/feed"],
  ])("allow %s", (raw, href) => {
    expect(outcome(raw)).toBe(`allowed ${href}`);
  });

  it.each(Object.entries(REFUSED).flatMap(([reason, urls]) => urls.split(" ").map((raw) => [reason, raw])))(
    "change nothing but the scheme: %s %s",
    (reason, raw) => {
      expect(outcome(raw ?? "")).toBe(reason);
      expect(checkTarget(raw ?? "", deployed).allowed).toBe(false);
    },
  );

  it("keep the loopback setting", () => {
    expect(outcome("http://127.0.0.1:22/", { allowLoopback: true })).toBe("allowed http://127.0.0.1:22/");
  });
});
