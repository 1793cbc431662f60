/** Machine connections, made in the console, and their tokens. */
import type { Browser, Page, Values } from "./console.ts";
import { exchange, type Tokens } from "./connected.ts";
import { request } from "./mcp.ts";

export type Machine = { readonly clientId: string; readonly secret: string };

export const NEW_MACHINE = "/console/keys/machines/new";

const valueOf = ({ text }: Page, id: string): string =>
  new RegExp(`<input id="${id}"[^>]* value="([^"]+)"`).exec(text)?.[1] ?? "";

/** Returns what the page of a new secret shows. */
export function readMachine(shown: Page): Machine {
  const machine = { clientId: valueOf(shown, "client"), secret: valueOf(shown, "secret") };
  if (machine.secret === "") throw new Error(`${shown.status}: ${shown.text}`);
  return machine;
}

/** Makes a connection as the owner who is signed in. By default, it writes drafts. */
export async function newMachine(browser: Browser, values: Values = {}): Promise<Machine> {
  const scopes = ["articles:read", "articles:draft", "blogs:read"];
  const given = { name: "Nightly", scopes, blogId: "", expirationTime: "", ...values };
  return readMachine(await browser.submit(NEW_MACHINE, NEW_MACHINE, given));
}

/** Asks for a token with the secret in the header. */
export const askToken = (
  { clientId, secret }: Machine,
  more: Readonly<Record<string, string>> = {},
  bindings: Partial<Env> = {},
): Promise<Response> => {
  const headers = { Authorization: `Basic ${btoa(`${clientId}:${secret}`)}` };
  return exchange({ grant_type: "client_credentials", ...more }, headers, bindings);
};

export async function tokenOf(...asked: Parameters<typeof askToken>): Promise<string> {
  const response = await askToken(...asked);
  if (response.status !== 200) throw new Error(await response.text());
  return (await response.json<Tokens>()).access_token;
}

/** Whether /mcp lists tools for a token. */
export const works = async (token: string, bindings: Partial<Env> = {}): Promise<boolean> =>
  (await request("tools/list", {}, { token, bindings })).result !== undefined;
