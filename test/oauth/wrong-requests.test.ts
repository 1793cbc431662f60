import { describe, expect, it } from "vitest";
import { REDIRECT } from "../helpers/connected.ts";
import { asked, ASKED, offeredBack } from "../helpers/consenting.ts";
import { ORIGIN } from "../helpers/requests.ts";

describe("an authorization request that is wrong", () => {
  const wrong = async (change: (url: URL) => void, client: object = {}) => {
    const { browser, url } = await asked("owner", ASKED, client);
    change(url);
    return browser.get(url.pathname + url.search);
  };

  it.each([
    ["another host", "https://evil.example/callback"],
    ["another path", `${REDIRECT}/../evil`],
    ["more behind it", `${REDIRECT}?next=https://evil.example`],
    ["a user name", "https://client.example@evil.example/callback"],
    ["another scheme", "javascript:alert(1)"],
    ["plain http", "http://client.example/callback"],
    ["a subdomain", "https://client.example.evil.example/callback"],
    ["upper case", "https://client.example/CALLBACK"],
    ["nothing", ""],
  ])("leads nowhere where the redirect URI has %s", async (_, uri) => {
    const page = await wrong((url) => url.searchParams.set("redirect_uri", uri));
    expect(page.status).toBe(400);
    expect(page.headers.has("Location")).toBe(false);
    expect(page.text).not.toContain("evil.example");
  });

  it("leads nowhere for an unknown client", async () => {
    const page = await wrong((url) => url.searchParams.set("client_id", "nobody"));
    expect(page.status).toBe(400);
    expect(page.headers.has("Location")).toBe(false);
    expect(page.text).toContain("not registered here");
  });

  it.each([
    ["PKCE is plain", "invalid_request", (url: URL) => url.searchParams.set("code_challenge_method", "plain")],
    ["PKCE is missing", "invalid_request", (url: URL) => url.searchParams.delete("code_challenge")],
    [
      "the resource is another's",
      "invalid_target",
      (url: URL) => url.searchParams.set("resource", "https://x.example/"),
    ],
    ["there are two resources", "invalid_target", (url: URL) => url.searchParams.append("resource", `${ORIGIN}/mcp`)],
    ["a token is asked for", "unsupported_response_type", (url: URL) => url.searchParams.set("response_type", "token")],
    ["the scopes are unknown", "invalid_scope", (url: URL) => url.searchParams.set("scope", "operator admin")],
  ])("offers to tell the application where %s", async (_, error, change) => {
    const page = await wrong(change);
    const to = offeredBack(page);
    expect(page.text).toContain(`<code>${error}</code>: ${to.searchParams.get("error_description")?.slice(0, 8)}`);
    expect(page.text).toContain("if you came from <strong>client.example</strong>");
    expect(to.origin + to.pathname).toBe(REDIRECT);
    expect(Object.fromEntries(to.searchParams)).toMatchObject({ error, state: "the state", iss: ORIGIN });
    expect(to.searchParams.has("code")).toBe(false);
  });

  it.each([
    ["is missing", ""],
    ["is one character", "x"],
    ["is too short", "a".repeat(42)],
    ["is too long", "a".repeat(44)],
    ["is not base64url", `${"a".repeat(42)}=`],
  ])("tells every client where its code challenge %s", async (_, challenge) => {
    for (const method of ["none", "client_secret_basic", "client_secret_post"]) {
      const page = await wrong(
        (url) => {
          url.searchParams.set("code_challenge", challenge);
          if (challenge === "") url.searchParams.delete("code_challenge_method");
        },
        { token_endpoint_auth_method: method },
      );
      const to = offeredBack(page);
      expect(Object.fromEntries(to.searchParams)).toMatchObject({ error: "invalid_request", iss: ORIGIN });
    }
  });

  it.each([
    "https://127.0.0.1/client",
    "https://[::1]/client",
    "https://localhost/c",
    "https://10.0.0.1/c",
    "https://db.internal/c",
  ])("never has metadata fetched from %s", async (clientId) => {
    const page = await wrong((url) => url.searchParams.set("client_id", clientId));
    expect(page.status).toBe(400);
    expect(page.text).toContain("URL is not allowed");
  });
});
