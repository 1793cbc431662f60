/** An HTTP server on 127.0.0.1 that receives the redirect at the end of a sign-in (RFC 8252, 7.3). */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { CliError, EXIT, interruptedError } from "../failure.ts";

/** `finish` shows success (null) or an error in the browser. */
export type Arrived = { readonly parameters: URLSearchParams; finish(error: string | null): Promise<void> };

const PATH = "/callback";
/** Milliseconds that a person may take to sign in. */
const PATIENCE_MS = 5 * 60_000;

export async function openLanding() {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  let patience: NodeJS.Timeout | undefined;
  return {
    redirectUri: `http://${host}${PATH}`,
    /** Resolves when the browser is redirected here with `state`. Rejects with `timeout` or `interrupted`. */
    waitForRedirect: (state: string, signal: AbortSignal): Promise<Arrived> =>
      new Promise((resolve, reject) => {
        patience = setTimeout(() => reject(timeoutError()), PATIENCE_MS);
        const abort = () => reject(interruptedError());
        signal.addEventListener("abort", abort, { once: true });
        if (signal.aborted) abort();
        server.on("request", (request, response) => {
          const parameters = parseRedirect(request, host, state);
          if (parameters === null) return void sendPage(response, 400, "This is not the response to this sign-in.");
          clearTimeout(patience);
          signal.removeEventListener("abort", abort);
          resolve({ parameters, finish: (error) => sendPage(response, error === null ? 200 : 400, error) });
        });
      }),
    close(): void {
      // A pending timer would keep the process alive.
      clearTimeout(patience);
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * Returns the query of the redirect, or null for another request. Any program on this machine and any page in the
 * browser can send requests here, so only one with the secret `state` counts.
 */
function parseRedirect({ method, url = "", headers }: IncomingMessage, host: string, state: string) {
  if (method !== "GET" || headers.host !== host || !url.startsWith(`${PATH}?`)) return null;
  const { pathname, searchParams } = new URL(url, `http://${host}`);
  const [given, ...more] = searchParams.getAll("state");
  return pathname === PATH && given === state && more.length === 0 ? searchParams : null;
}

const timeoutError = (): CliError =>
  new CliError("timeout", "Nobody signed in within five minutes.", EXIT.signIn, {
    hint: "To try again: edgepress login",
  });

async function sendPage(response: ServerResponse, status: number, error: string | null): Promise<void> {
  // A page that was closed or reloaded before emits no "close".
  if (response.destroyed) return;
  response.writeHead(status, {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    Connection: "close",
  });
  const [title, text] = error === null ? DONE : ["Not signed in", error];
  await new Promise<void>((resolve) => {
    response.once("close", resolve).end(renderPage(title, text));
  });
}

const DONE = ["Signed in", "You can close this page and return to the command line."] as const;

const renderPage = (title: string, text: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Edgepress</title>
<style>body { font: 1.125rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 20vh auto; padding: 0 1rem }</style>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
</main>
</html>
`;

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
