/** Connecting an application in a real browser: sign in, consent, and back to a program on this computer (RFC 8252). */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as oauth from "oauth4webapi";
import type { Page } from "playwright-core";
import { beforeAll, expect, inject, it, onTestFinished } from "vitest";
import { audit } from "./audit.ts";
import { describeInBrowser, service, useBrowser } from "./tab.ts";
import { expectHeading, joinDemo, PASSWORD, signInHere } from "./walk.ts";

const INSECURE = { [oauth.allowInsecureRequests]: true };
const CLIENT: oauth.Client = { client_id: "edgepress-cli", token_endpoint_auth_method: "none" };

/** A program that waits for its browser to come back. */
async function listen() {
  const server = createServer((request, response) => {
    response.end("<!doctype html><title>Back</title><h1>Back at the program</h1>");
    if (request.url?.startsWith("/callback")) arrived(new URL(request.url, origin));
  });
  let arrived: (url: URL) => void = () => undefined;
  const callback = new Promise<URL>((resolve) => (arrived = resolve));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => void server.close());
  return { origin, redirectUri: `${origin}/callback`, callback };
}

/** What the program asks for at a service. */
async function asking(issuer: string, redirectUri: string) {
  const response = await oauth.discoveryRequest(new URL(issuer), { algorithm: "oauth2", ...INSECURE });
  const as = await oauth.processDiscoveryResponse(new URL(issuer), response);
  const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
  const url = new URL(String(as.authorization_endpoint));
  url.search = new URLSearchParams({
    response_type: "code",
    client_id: CLIENT.client_id,
    redirect_uri: redirectUri,
    scope: "articles:read articles:write blogs:read",
    resource: `${issuer}/api`,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  }).toString();
  return { as, url: url.href, verifier, state };
}

/** A member of the organization whom no other test connects anything for: the tests disconnect what they find. */
const EMAIL = "connects@example.com";

async function signInToConnect(page: Page): Promise<void> {
  await signInHere(page, EMAIL, PASSWORD);
  await expectHeading(page, /^Connect an app/);
}

const allow = (page: Page) => page.getByRole("button", { name: "Allow" });

describeInBrowser("connecting an application", () => {
  const browser = useBrowser();
  beforeAll(async () => joinDemo(await browser.open(), { email: EMAIL, role: "writer" }));

  // At the other name, with scripts, mcp.test.ts and cli.test.ts connect theirs.
  it.each([
    ["localhost", false],
    ...(inject("exhaustive")
      ? ([
          ["localhost", true],
          ["127.0.0.1", false],
          ["127.0.0.1", true],
        ] as const)
      : []),
  ] as const)("works at http://%s (scripts: %s)", async (host, scripts) => {
    const at = service().baseUrl.replace("127.0.0.1", host);
    const program = await listen();
    const { as, url, verifier, state } = await asking(at, program.redirectUri);
    const page = await browser.open({ at, elsewhere: program.origin, scripts });
    await page.goto(url);
    await signInToConnect(page);
    if (scripts) await audit(page);
    await page.getByRole("checkbox", { name: /create, change/i }).uncheck();
    await allow(page).click();
    await page.getByRole("heading", { name: "Back at the program" }).waitFor();

    const parameters = oauth.validateAuthResponse(as, CLIENT, await program.callback, state);
    const { redirectUri } = program;
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      CLIENT,
      oauth.None(),
      parameters,
      redirectUri,
      verifier,
      INSECURE,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(as, CLIENT, response);
    expect(tokens.scope).toBe("articles:read blogs:read");
    const headers = { Authorization: `Bearer ${tokens.access_token}` };
    const call = () => fetch(`${at}/api/blogs`, { headers });
    expect((await call()).status).toBe(200);

    await page.goto(`${at}/console/account`);
    const apps = page.getByRole("region", { name: "Connected apps" });
    await apps.getByRole("button", { name: "Disconnect" }).first().click();
    expect(await page.getByRole("status").innerText()).toMatch(/disconnected/i);
    expect((await call()).status).toBe(401);
  });
});
