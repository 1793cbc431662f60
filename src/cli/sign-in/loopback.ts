/** The redirect's end of a sign-in (RFC 8252, 7.3): a server on loopback that takes one answer. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { CliError, EXIT, interrupted } from "../failure.ts";

export type Landing = {
  readonly redirectUri: string;
  /** The answer with the state that was sent; `finish` tells the browser how it went. */
  arrived(state: string, signal: AbortSignal): Promise<Arrived>;
  close(): void;
};

export type Arrived = { readonly parameters: URLSearchParams; finish(error: string | null): Promise<void> };

const PATH = "/callback";
/** How long somebody may take to sign in. */
const PATIENCE_MS = 5 * 60_000;

/** Listens on a port that is free. */
export async function openLanding(): Promise<Landing> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  let patience: NodeJS.Timeout | undefined;
  return {
    redirectUri: `http://${host}${PATH}`,
    arrived: (state, signal) =>
      new Promise((resolve, reject) => {
        patience = setTimeout(() => reject(tooLate()), PATIENCE_MS);
        const abort = () => reject(interrupted());
        signal.addEventListener("abort", abort, { once: true });
        if (signal.aborted) abort();
        server.on("request", (request, response) => {
          const parameters = parametersOf(request, host, state);
          if (parameters === null) return void answer(response, 400, "This is not the response to this sign-in.");
          clearTimeout(patience);
          signal.removeEventListener("abort", abort);
          resolve({ parameters, finish: (error) => answer(response, error === null ? 200 : 400, error) });
        });
      }),
    close() {
      // A timer that nobody needs any more would keep the process.
      clearTimeout(patience);
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * Anybody on this machine, and every page in its browser, can send requests here: only those that know the
 * state count.
 */
function parametersOf({ method, url = "", headers }: IncomingMessage, host: string, state: string) {
  if (method !== "GET" || headers.host !== host || !url.startsWith(`${PATH}?`)) return null;
  const { pathname, searchParams } = new URL(url, `http://${host}`);
  const [given, ...more] = searchParams.getAll("state");
  return pathname === PATH && given === state && more.length === 0 ? searchParams : null;
}

const tooLate = (): CliError =>
  new CliError("timeout", "Nobody signed in within five minutes.", EXIT.signIn, { hint: "Try again: edgepress login" });

/** Shows a page, and resolves when the browser has it. */
function answer(response: ServerResponse, status: number, error: string | null): Promise<void> {
  response.writeHead(status, {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    Connection: "close",
  });
  const [title, text] = error === null ? DONE : ["Not signed in", error];
  return new Promise((resolve) => {
    response.once("close", resolve).end(page(title, text));
  });
}

const DONE = ["Signed in", "The command line has what it needs. You can close this page."] as const;

const page = (title: string, text: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · Edgepress</title>
<style>body { font: 1.125rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 20vh auto; padding: 0 1rem }</style>
<main>
<h1>${escaped(title)}</h1>
<p>${escaped(text)}</p>
</main>
</html>
`;

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
