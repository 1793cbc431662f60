/** Applications that are opened by a scheme of their own (RFC 8252, 7.1). */
import { describe, expect, it } from "vitest";
import { exchange, newAddress, REDIRECT, type Tokens } from "../helpers/connected.ts";
import { answer, asked, ASKED, offeredBack, sentTo } from "../helpers/consenting.ts";
import { send, ORIGIN } from "../helpers/requests.ts";

const CURSOR = "cursor://anysphere.cursor-mcp/oauth/callback";

const registering = (...uris: readonly string[]) =>
  send("/oauth/register", {
    body: { client_name: "Notes", redirect_uris: uris, token_endpoint_auth_method: "none" },
    headers: { "CF-Connecting-IP": newAddress() },
  });

/** A person whom an application asks that has registered some addresses, and wants to be answered at one. */
async function askedAt(redirectUri: string, registered: readonly string[] = [redirectUri]) {
  const found = await asked("owner", ASKED, { redirect_uris: registered });
  found.url.searchParams.set("redirect_uri", redirectUri);
  return { ...found, path: found.url.pathname + found.url.search };
}

describe("an application with a scheme of its own", () => {
  it.each([
    [CURSOR, "cursor:"],
    ["com.example.app:/cb", "com.example.app:"],
    ["com.example.app:cb?surface=mobile", "com.example.app:"],
    ["vscode://vscode.github-authentication/did-authenticate", "vscode:"],
  ])("registers, is shown as one on this computer, and is connected: %s", async (redirectUri, scheme) => {
    const { browser, path, clientId } = await askedAt(redirectUri);
    const page = await browser.get(path);
    expect(page.status).toBe(200);
    expect(page.text).toContain(`the app on this computer that opens <strong>${scheme}</strong> links`);
    expect(page.text).toContain("That is on this computer");
    const to = sentTo(await answer(browser, page));
    expect(to.href.startsWith(redirectUri)).toBe(true);
    expect(to.searchParams.get("state")).toBe("the state");
    expect(to.searchParams.get("iss")).toBe(ORIGIN);
    const code = to.searchParams.get("code") ?? "";
    const form = { grant_type: "authorization_code", code, client_id: clientId, redirect_uri: redirectUri };
    const tokens = (await (await exchange(form)).json()) as Tokens;
    expect(tokens.scope).toBe(ASKED.join(" "));
  });

  it("does not pass for the host that it puts into its address", async () => {
    for (const host of ["github.com", "localhost:8080"]) {
      const { browser, path } = await askedAt(`notes://${host}/callback`);
      const { status, text } = await browser.get(path);
      expect(status).toBe(200);
      expect(text).not.toMatch(/<strong>[^<]*(?:github|localhost)/);
      expect(text).toContain("<strong>notes:</strong>");
    }
  });

  it("goes on by a page that has a link, too", async () => {
    const { browser, path } = await askedAt(CURSOR);
    for (const decision of ["deny", "allow"]) {
      const page = await answer(browser, await browser.get(path), { decision });
      const to = sentTo(page).href;
      expect(to.startsWith(`${CURSOR}?`)).toBe(true);
      expect(page.text).toContain(`<a href="${to.replaceAll("&", "&amp;")}">`);
    }
  });

  it("learns of an error of its request", async () => {
    const { browser, url } = await askedAt(CURSOR);
    url.searchParams.delete("code_challenge");
    const page = await browser.get(url.pathname + url.search);
    expect(offeredBack(page).href).toMatch(/^cursor:\/\/anysphere\.cursor-mcp\/oauth\/callback\?error=invalid_/);
    expect(page.text).toContain("opens <strong>cursor:</strong> links");
  });

  it("has to have registered the address as it is", async () => {
    for (const other of ["cursor://another/oauth/callback", `${CURSOR}/`, "vscode://anysphere.cursor-mcp/x"]) {
      const { browser, path } = await askedAt(other, [CURSOR]);
      const page = await browser.get(path);
      expect(page.status).toBe(400);
      expect(page.text).toContain("redirect URL does not belong to the app");
      expect(page.headers.has("Location")).toBe(false);
    }
  });
});

/** Nobody can register these. */
const DANGEROUS = ["javascript:alert(1)", "JavaScript://x/%0aalert(1)", "data:text/html,x", "vbscript:x", "file:///x"];

/** These can stand beside one that can be used. */
const FOREIGN = [
  "about:blank",
  "ftp://client.example/x",
  "wss://client.example/x",
  "filesystem:https://client.example/x",
  "view-source:https://client.example/",
  "chrome://settings/",
  "intent://client.example/#",
  "web+notes://x/cb",
  "ms-msdt://x",
  "tel:1",
  "irc://client.example/x",
  "x-man-page://whatis",
  "notes:callback",
  "http://client.example/callback",
];

describe("a scheme that is not an application's own", () => {
  it.each([...DANGEROUS, "blob:https://client.example/x", ...FOREIGN])("cannot be registered: %s", async (uri) => {
    const response = await registering(uri);
    expect(response.status).toBe(400);
    expect((await response.json<{ error: string }>()).error).toMatch(/^invalid_(redirect_uri|client_metadata)$/);
  });

  it.each(DANGEROUS)("cannot be registered beside another: %s", async (uri) => {
    expect((await registering(REDIRECT, CURSOR, uri)).status).toBe(400);
  });

  it.each(FOREIGN.filter((uri) => !uri.includes("#")))("is sent nothing where it is registered: %s", async (uri) => {
    const { browser, url, path } = await askedAt(uri, [REDIRECT, uri]);
    const wrong = new URL(url);
    wrong.searchParams.set("scope", "unknown");
    for (const asking of [path, wrong.pathname + wrong.search]) {
      const page = await browser.get(asking);
      expect(page.status).toBe(400);
      expect(page.headers.has("Location")).toBe(false);
      expect(page.text).toContain("redirect URL is not allowed");
      expect(page.text).not.toContain("redirect URL does not belong to the app");
    }
  });
});
