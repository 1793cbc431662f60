/**
 * A resolver of DNS over HTTPS at `/dns-query`. `PUT /_dns/<name>` says in JSON what a name answers: `{texts}` are the texts of
 * its TXT records, `{behave}` is a way to behave badly. Other names do not exist.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Call } from "./server.ts";

type Zone = { readonly texts?: readonly string[]; readonly behave?: string };

const zones = new Map<string, Zone>();

/** Serves such a request. Returns false for other paths. */
export async function serveDns({ url, request, response }: Call): Promise<boolean> {
  if (url.pathname.startsWith("/_dns/")) {
    zones.set(decodeURIComponent(url.pathname.slice(6)), JSON.parse(await textOf(request)) as Zone);
    response.writeHead(204).end();
    return true;
  }
  if (url.pathname !== "/dns-query") return false;
  const name = url.searchParams.get("name") ?? "";
  const { texts, behave } = zones.get(name) ?? {};
  if (request.headers.accept !== "application/dns-json" || url.searchParams.get("type") !== "TXT") {
    response.writeHead(400).end();
  } else if (behave !== undefined) {
    BEHAVIOURS[behave]?.(response);
  } else {
    const records = (texts ?? []).map((text) => ({ name, type: 16, TTL: 60, data: quoted(text) }));
    answer(response, {
      Status: texts === undefined ? 3 : 0,
      TC: false,
      Answer: [{ name, type: 5, TTL: 60, data: "alias.example." }, ...records],
    });
  }
  return true;
}

const BEHAVIOURS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  hang: () => undefined,
  error: (response) => response.writeHead(500).end("no"),
  garbage: (response) => response.writeHead(200).end("<html>not DNS"),
  "other-json": (response) => response.writeHead(200).end('{"Status":0,"Answer":"x"}'),
  huge: (response) => answer(response, { Status: 0, Answer: [{ type: 16, data: "x".repeat(100_000) }] }),
  "server-failure": (response) => answer(response, { Status: 2 }),
  redirect: (response) => response.writeHead(302, { Location: "/dns-query?name=elsewhere&type=TXT" }).end(),
  lost: (response) => response.destroy(),
  empty: (response) => answer(response, { Status: 0 }),
};

const answer = (response: ServerResponse, value: object): void => {
  response.writeHead(200, { "Content-Type": "application/dns-json" }).end(JSON.stringify(value));
};

/** Returns a text as zone files have it: in quoted parts. */
const quoted = (text: string): string =>
  (text.match(/.{1,40}/gsu) ?? [""]).map((part) => `"${part.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(" ");

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}
