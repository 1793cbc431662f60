import { describe, expect, it } from "vitest";
import { checkTarget, type TargetRules } from "../../src/outbound/target";

const deployed: TargetRules = { allowLoopback: false };
const local: TargetRules = { allowLoopback: true };

const HTTPS = "The URL must use https.";
const INVALID = "The URL is not valid.";
const FORM = "The URL must have the form https://host/path.";
const USER_INFO = "The URL must not contain a user name or password.";
const PORT = "The URL must use port 443 or a port above 1023.";
const LENGTH = "The URL must not be longer than 2,048 characters.";
const CHARACTERS = "The URL must not contain spaces, control characters, backslashes or broken Unicode.";
const NOT_AN_ADDRESS = "The host must be a name, not an IP address.";
const TRAILING_DOT = "The host must not end with a dot.";
const BAD_NAME = "The host is not a valid name.";
const FULL_NAME = "The host must be a full name, such as hooks.example.com.";
const INTERNAL = "The host must not be an internal or reserved name.";
const ADDRESS_NAME = "The host must not be a name that stands for an IP address.";

function outcome(raw: string, rules: TargetRules = deployed): string {
  const verdict = checkTarget(raw, rules);
  return verdict.allowed ? `allowed ${verdict.url.href}` : verdict.reason;
}

/** One test for each of the spellings, which spaces separate. */
function cases(table: Record<string, string>): [kind: string, spelling: string][] {
  return Object.entries(table).flatMap(([kind, spellings]) =>
    spellings.split(" ").map((spelling): [string, string] => [kind, spelling]),
  );
}

describe("a public https target is allowed", () => {
  it.each(
    cases({
      plain: "https://example.com/hook https://hooks.eu.example.com/ https://example.com/a;b=1",
      "query string": "https://example.com/h?a=1&b=%20 https://example.com/?u=http://127.0.0.1/",
      "fragment, which fetch does not send": "https://example.com/h#x",
      "at sign after the host": "https://example.com/@me https://example.com/?a=b@c",
      "high port": "https://example.com:1024/ https://example.com:8443/ https://example.com:65535/",
      "Punycode or underscore": "https://xn--bcher-kva.example.com/ https://_a.b_c.example.com/",
      "numbers before the last label": "https://127.0.0.1.example.com/",
      "refused name in front": "https://localhost.example.com/ https://nip.io.example.com/",
      "refused name without its dot": "https://mylocalhost.com/ https://a.xlocal/ https://anip.io/",
      "long label": `https://${"a".repeat(63)}.com/`,
    }),
  )("%s: %s", (_, raw) => {
    expect(outcome(raw)).toBe(`allowed ${raw}`);
  });

  it.each([
    ["no path", "https://example.com", "https://example.com/"],
    ["upper case", "HTTPS://EXAMPLE.COM/Hook", "https://example.com/Hook"],
    ["the default port", "https://example.com:443/", "https://example.com/"],
    ["the default port with zeros", "https://example.com:00443/", "https://example.com/"],
    ["an international host", "https://bücher.example.com/", "https://xn--bcher-kva.example.com/"],
    ["international names only", "https://例え.テスト/", "https://xn--r8jz45g.xn--zckzah/"],
    ["emoji in the path", "https://example.com/é🎉", "https://example.com/%C3%A9%F0%9F%8E%89"],
    ["a path that climbs", "https://example.com/a/../b", "https://example.com/b"],
  ])("and normalised: %s", (_, raw, href) => {
    expect(outcome(raw)).toBe(`allowed ${href}`);
  });

  it("up to 2,048 characters, as written and as encoded", () => {
    const longest = "https://example.com/".padEnd(2048, "a");
    expect(outcome(longest)).toBe(`allowed ${longest}`);
    expect(outcome(`${longest}a`)).toBe(LENGTH);
    expect(outcome(`https://example.com/${"./".repeat(1024)}`)).toBe(LENGTH);
    expect(outcome(`https://example.com/${"é".repeat(400)}`)).toBe(LENGTH);
  });

  it("up to a host of 253 characters", () => {
    const labels = `${"a".repeat(63)}.`.repeat(3);
    expect(outcome(`https://${labels}${"b".repeat(57)}.com/`)).toMatch(/^allowed/);
    expect(outcome(`https://${labels}${"b".repeat(58)}.com/`)).toBe(BAD_NAME);
  });
});

describe("an address literal is refused", () => {
  it.each(
    cases({
      loopback: "127.0.0.1 127.8.8.8 127.0.0.1:8443",
      "any, broadcast, multicast": "0.0.0.0 255.255.255.255 224.0.0.1",
      private: "10.0.0.1 172.16.0.1 192.168.1.1 100.64.0.1",
      "cloud metadata": "169.254.169.254 100.100.100.200 192.0.0.192",
      public: "8.8.8.8 1.1.1.1",
      decimal: "2130706433 2852039166 0",
      hexadecimal: "0x7f000001 0X7F000001 0x7f.0x0.0x0.0x1 0x0000007f.0.0.1 0x",
      octal: "017700000001 0177.0.0.01 00000177.0.0.1",
      "short and mixed": "127.1 127.0.1 169.16689662 0x7f.0.0.01 0251.0xfe.43518",
      "full-width": "１２７.０.０.１ １２７．０．０．１ ０ｘ７ｆ.1",
      "circled and styled digits": "①②⑦.⓪.⓪.① ⑩.⓪.⓪.① 𝟏𝟐𝟕.𝟎.𝟎.𝟏 ¹²⁷.⁰.⁰.¹",
      "other full stops": "127。0。0。1 127｡0｡0｡1",
      "ignored characters": "127.0.0.\u00ad1 127.0.\u200b0.1 127.0.0.1\u2060",
      "percent-encoded": "%31%32%37.0.0.1 127%2e0%2e0%2e1 %EF%BC%91.1 0%787f000001",
      "trailing dot": "127.0.0.1. 2130706433. 127.1。",
    }),
  )("IPv4, %s: %s", (_, host) => {
    expect(outcome(`https://${host}/`)).toBe(NOT_AN_ADDRESS);
  });

  it.each(
    cases({
      "loopback and any": "[::1] [0000:0000:0000:0000:0000:0000:0000:0001] [::1]:8443 [::] [0::0]",
      "link-local and multicast": "[fe80::1] [FE80::ABCD] [ff02::1]",
      "unique local": "[fd00::1] [fd00:ec2::254]",
      public: "[2606:4700:4700::1111] [2001:db8::1]",
      "IPv4-mapped": "[::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:169.254.169.254]",
      "IPv4-translated": "[::ffff:0:127.0.0.1]",
      "IPv4-compatible": "[::127.0.0.1] [::7f00:1]",
      NAT64: "[64:ff9b::127.0.0.1] [64:ff9b:1::a00:1]",
      "6to4 and Teredo": "[2002:7f00:1::] [2001:0:4136:e378:8000:63bf:80ff:fffe]",
    }),
  )("IPv6, %s: %s", (_, host) => {
    expect(outcome(`https://${host}/`)).toBe(NOT_AN_ADDRESS);
  });

  it.each(
    cases({
      "IPv4 out of range": "256.256.256.256 4294967296 127.0.0.0.1 09.0.0.1 0x100000000",
      "name that ends in a number": "example.123 example.0x7f example.1. example.com.0",
      "one-dot leaders and double encoding": "127\u20240\u20240\u20241 %2531.0.0.1",
      "encoded delimiters": "127.0.0.1%00.a.com 127.0.0.1%2f.a.com 127.0.0.1%23.a.com",
      "zone id": "[fe80::1%25eth0] [fe80::1%eth0] [fe80::1%251]",
      "broken brackets": "::1 [::1]. [::1 %5B::1%5D [[::1]]",
      "odd IPv6": "[v1.fe80::a+en1] [::ffff:0177.0.0.1] [::１] [::ffff:2130706433]",
    }),
  )("or does not even parse, %s: %s", (_, host) => {
    expect(outcome(`https://${host}/`)).toBe(INVALID);
  });
});

describe("contract 11.10: a name that is not public is refused", () => {
  it.each(
    cases({
      [FULL_NAME]:
        "localhost LOCALHOST localhost:8443 metadata intranet com example internal 1e3 xn--wgv71a " +
        "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ ｌｏｃａｌｈｏｓｔ loc%61lhost local\u00adhost",
      [INTERNAL]:
        "app.localhost APP.LOCALHOST app。localhost printer.local api.svc.cluster.local " +
        "kubernetes.default.svc metadata.google.internal metadata.google.ｉｎｔｅｒｎａｌ " +
        "instance-data.ec2.internal host.docker.internal wiki.intranet nas.lan router.home " +
        "home.arpa router.home.arpa git.corp db.private hook.test hook.invalid hook.example " +
        "localhost.localdomain vault.service.consul abc.onion name.alt 1.0.0.127.in-addr.arpa",
      [ADDRESS_NAME]:
        "127.0.0.1.nip.io app.7f000001.nip.io nip.io 10-0-0-1.sslip.io www.10.0.0.1.xip.io " +
        "10-0-0-1.traefik.me 7f000001.0a000001.rbndr.us make-127.0.0.1-rr.1u.ms localtest.me " +
        "app.LocalTest.me lvh.me app.vcap.me app.lacolhost.com app.localhost.direct " +
        "metadata.tencentyun.com",
      [TRAILING_DOT]:
        "example.com. localhost. app.localhost. metadata.google.internal. example.com。 " +
        "example.com%2e example.com.. 127.0.0.1.. com. .",
      [BAD_NAME]:
        "example..com .example.com -example.com example-.com *.example.com {host}.example.com " +
        `$host.example.com a,b.example.com "a".example.com a'b.example.com ${"a".repeat(64)}.com`,
      [INVALID]: "a⒈b.com a<b.com a^b.com a|b.com example.com% exa%mple.com",
    }),
  )("%s %s", (reason, host) => {
    expect(outcome(`https://${host}/`)).toBe(reason);
  });
});

describe("the form of the URL", () => {
  it.each(
    cases({
      http: "http://example.com/ http://example.com:8080/ http://example.com:443/ HTTP://A.COM/",
      "another scheme":
        "ftp://example.com/ ws://example.com/ wss://example.com/ httpss://example.com/ " +
        "file:///etc/passwd file://example.com/ gopher://127.0.0.1:6379/_INFO ldap://example.com/ " +
        "dict://127.0.0.1:11211/stat data:text/plain,hi javascript:alert(1) mailto:a@example.com " +
        "blob:https://example.com/1 view-source:https://a.com/ jar:https://a.com!/ https+a://b.com/",
      "host read as a scheme": "example.com:8443 localhost:8443",
    }),
  )("must use https, not %s: %s", (_, raw) => {
    expect(outcome(raw)).toBe(HTTPS);
  });

  it.each(
    cases({
      [FORM]:
        "https:example.com https:/example.com https:///example.com https:////127.0.0.1/ " +
        "https:/[::1]/ https:user@example.com",
      [INVALID]:
        "example.com //example.com/ /hook https https: https:// https:/// https://?a https://#a " +
        "https://:8443/ https://user@/ https://a.com:port/ https://a.com:65536/ https://a.com:-1/ " +
        "https://a.com:443:443/ ://a.com/ ｈｔｔｐｓ://a.com/ https：//a.com/ null",
    }),
  )("%s %s", (reason, raw) => {
    expect(outcome(raw)).toBe(reason);
  });

  it("must not be empty", () => expect(outcome("")).toBe(INVALID));

  it.each(
    cases({
      "a user": "user@example.com user:secret@example.com :secret@example.com user@@example.com",
      "an empty user": "@example.com :@example.com",
      "a host as user": "example.com@127.0.0.1 example.com:443@127.0.0.1 127.0.0.1@example.com",
      "an encoded user": "%40@example.com example.com%20@127.0.0.1 example.com%2f@127.0.0.1",
    }),
  )("must not have %s: %s", (_, authority) => {
    expect(outcome(`https://${authority}/`)).toBe(USER_INFO);
  });

  it.each("0 1 21 22 25 53 80 110 442 444 587 1023 00022".split(" "))("must not use port %s", (port) =>
    expect(outcome(`https://example.com:${port}/`)).toBe(PORT),
  );

  it.each([
    ..."\0\u0001\t\n\v\f\r \u007f\u0085\u0090\u00a0\u2028\u3000\ufeff\\".split(""),
    ..."\r\nHost:a|\\@127.0.0.1|\\#@|\ud800|\udc00|\udc00\ud800".split("|"),
  ])("must not contain %j anywhere", (unsafe) => {
    const url = "https://example.com/hook";
    for (let at = 0; at <= url.length; at++) {
      const raw = url.slice(0, at) + unsafe + url.slice(at);
      expect(outcome(raw)).toBe(CHARACTERS);
      expect(outcome(raw, local)).toBe(CHARACTERS);
    }
  });
});

describe("the loopback setting", () => {
  it.each([
    ["http://localhost:3000/hook?a=1", "http://localhost:3000/hook?a=1"],
    ["http://LOCALHOST/", "http://localhost/"],
    ["https://localhost:8443/", "https://localhost:8443/"],
    ["http://127.0.0.1:1/", "http://127.0.0.1:1/"],
    ["https://127.0.0.1:22/", "https://127.0.0.1:22/"],
    ["http://[::1]:8787/", "http://[::1]:8787/"],
    ["https://[0:0:0:0:0:0:0:1]/", "https://[::1]/"],
    ["http://2130706433/", "http://127.0.0.1/"],
    ["http://127.1:8787/", "http://127.0.0.1:8787/"],
  ])("allows %s when on, and not when off", (raw, href) => {
    expect(outcome(raw, local)).toBe(`allowed ${href}`);
    expect(checkTarget(raw, deployed).allowed).toBe(false);
  });

  it.each(
    cases({
      [HTTPS]:
        "http://example.com/ http://127.0.0.2/ http://169.254.169.254/ http://10.0.0.1/ " +
        "http://app.localhost/ ftp://localhost/ ws://127.0.0.1/",
      [NOT_AN_ADDRESS]:
        "https://127.0.0.2/ https://0.0.0.0/ https://[::]/ https://[::ffff:127.0.0.1]/ " +
        "https://10.0.0.1/ https://192.168.1.1/ https://169.254.169.254/",
      [INTERNAL]: "https://app.localhost/ https://localhost.localdomain/",
      [TRAILING_DOT]: "https://localhost./",
      [ADDRESS_NAME]: "https://localtest.me/",
      [PORT]: "https://example.com:80/",
      [USER_INFO]: "http://user:secret@localhost/ http://example.com@localhost/",
      [FORM]: "http:localhost http:///127.0.0.1/",
      "allowed https://example.com/hook": "https://example.com/hook",
    }),
  )("changes nothing else: %s %s", (expected, raw) => {
    expect(outcome(raw, local)).toBe(expected);
    expect(outcome(raw, deployed).startsWith("allowed")).toBe(expected.startsWith("allowed"));
  });
});
