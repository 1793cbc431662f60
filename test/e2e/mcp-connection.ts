/** A connection to /mcp of a local run, and a way to it for programs that know nothing of OAuth. */
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { MCP_SCOPES } from "../../src/domain/principal.ts";
import type { Local } from "./local-run.ts";
import { newVisitor, type Page } from "./visitor.ts";

const REDIRECT = "http://127.0.0.1:1/callback";

type Account = Pick<Local, "baseUrl" | "email" | "password">;

/** Registers a client without a secret; returns its id. */
export async function registerClient(baseUrl: string, redirect: string): Promise<string> {
  const { client_id: clientId } = await json<{ client_id: string }>(`${baseUrl}/oauth/register`, {
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ client_name: "Test", redirect_uris: [redirect], token_endpoint_auth_method: "none" }),
  });
  return clientId;
}

/** Registers a client, signs in to the console, consents, and exchanges the code; returns the access token. */
export async function connectOverHttp(account: Account, scopes: readonly string[] = MCP_SCOPES): Promise<string> {
  const { baseUrl } = account;
  const clientId = await registerClient(baseUrl, REDIRECT);
  const verifier = randomBytes(32).toString("base64url");
  const asked = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: REDIRECT,
    scope: scopes.join(" "),
    state: "state",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    resource: `${baseUrl}/mcp`,
  });
  const back = new URL(await consentOverHttp(account, `/console/authorize?${asked}`, scopes));
  const code = back.searchParams.get("code") ?? "";
  const form = {
    grant_type: "authorization_code",
    code,
    client_id: clientId,
    redirect_uri: REDIRECT,
    code_verifier: verifier,
  };
  const body = new URLSearchParams(form);
  return (await json<{ access_token: string }>(`${baseUrl}/oauth/token`, { body })).access_token;
}

/** Signs in and consents, over HTTP as a browser would; returns the address that leads back to the client. */
export async function consentOverHttp(
  { baseUrl, email, password }: Account,
  path: string,
  scopes: readonly string[] = MCP_SCOPES,
): Promise<string> {
  const visitor = newVisitor(baseUrl);
  await visitor.post("/console/sign-in", { email, password });
  const page = await visitor.get(path);
  const fields: [string, string][] = [
    ["handle", hidden(page, "handle")],
    ["organization", hidden(page, "organization")],
    ["decision", "allow"],
    ...scopes.map((scope): [string, string] => ["scopes", scope]),
  ];
  const { text } = await visitor.post(path, fields);
  const [, to] = /<a href="([^"]*)">Continue<\/a>/.exec(text) ?? [];
  if (to === undefined) throw new Error(`not on the way back: ${text}`);
  return to.replaceAll("&amp;", "&");
}

function hidden({ text, status }: Page, name: string): string {
  const value = new RegExp(`<input type="hidden" name="${name}" value="([^"]*)"`).exec(text)?.[1];
  if (value === undefined) throw new Error(`${status}: no ${name} in ${text}`);
  return value;
}

async function json<T>(url: string, init: RequestInit): Promise<T> {
  const response = await fetch(url, { method: "POST", ...init });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
  return JSON.parse(text) as T;
}

/** A server on this machine that brings requests to /mcp with a token, all else about them unchanged. */
export async function startProxy(
  baseUrl: string,
  token: string,
  port = 0,
): Promise<{ url: string; close: () => void }> {
  const target = new URL(baseUrl);
  const server = createServer((incoming, outgoing) => {
    const { host = "", ...headers } = incoming.headers;
    // The proxy's own name stands for the service's; any other goes on, to be refused there.
    const isOwn = host === new URL(url).host;
    const forwarded = request(
      {
        hostname: target.hostname,
        port: target.port,
        path: incoming.url,
        method: incoming.method,
        headers: { ...headers, host: isOwn ? target.host : host, authorization: `Bearer ${token}` },
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    forwarded.on("error", () => outgoing.destroy());
    outgoing.on("close", () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url, close };
}
