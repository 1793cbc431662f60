/** A browser for tests: it keeps cookies and submits forms, but does not follow redirects. */
import { env } from "cloudflare:workers";
import { hashPassword, makeSignature } from "better-auth/crypto";
import { newId } from "../../src/lib/ids.ts";
import type { Role } from "../../src/domain/principal.ts";
import { send, ORIGIN } from "./requests.ts";
import { newMember } from "./people.ts";

export const PASSWORD = "correct horse battery";

export type Page = { readonly status: number; readonly text: string; readonly headers: Headers };

/** The values of a form. An array is for a field that occurs several times. */
export type Values = Readonly<Record<string, string | readonly string[]>>;

export type Browser = ReturnType<typeof newBrowser>;

/** Returns a browser without cookies. `bindings` replace bindings of the Worker. */
export function newBrowser(bindings?: Readonly<Record<string, unknown>>) {
  const cookies = new Map<string, string>();
  const request = async (path: string, headers: Record<string, string>, body?: URLSearchParams): Promise<Page> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await send(path, {
      headers: { ...(cookie !== "" && { Cookie: cookie }), ...headers },
      type: null,
      ...(body !== undefined && { method: "POST", body: body.toString() }),
      ...(bindings && { bindings: bindings as Partial<Env> }),
    });
    for (const set of response.headers.getSetCookie()) keep(cookies, set);
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
  return {
    cookies,
    get: (path: string, headers: Record<string, string> = {}) => request(path, headers),
    /** Sends a form as a browser does from a page of the console. `headers` replace the default ones. */
    post: (path: string, values: Values = {}, headers: Record<string, string> = {}) =>
      request(
        path,
        { Origin: ORIGIN, "Content-Type": "application/x-www-form-urlencoded", ...headers },
        encoded(values),
      ),
    /** Opens a page, fills in the form with this action, and submits it with its hidden fields. */
    async submit(path: string, action: string, values: Values = {}): Promise<Page> {
      const { text } = await request(path, {});
      return this.post(action, { ...hiddenFields(text, action), ...values });
    },
    async signIn(email: string, password = PASSWORD): Promise<Page> {
      return this.post("/console/sign-in", { email, password, next: "/console" });
    },
  };
}

function keep(cookies: Map<string, string>, set: string): void {
  const [pair = "", ...attributes] = set.split(";");
  const [name = "", ...value] = pair.split("=");
  if (attributes.some((attribute) => /^\s*max-age=0$/i.test(attribute))) cookies.delete(name);
  else cookies.set(name, value.join("="));
}

function encoded(values: Values): URLSearchParams {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) for (const each of [value].flat()) pairs.append(name, each);
  return pairs;
}

/** Returns the hidden fields of the form with this action. */
export function hiddenFields(html: string, action: string): Record<string, string> {
  const form = html.split("<form").find((part) => part.includes(`action="${action}"`));
  if (form === undefined) throw new Error(`no form with the action ${action} in:\n${html}`);
  const [inside = ""] = form.split("</form>");
  const inputs = [...inside.matchAll(/<input type="hidden" name="([^"]+)"[^>]* value="([^"]*)"/g)];
  return Object.fromEntries(inputs.map(([, name = "", value = ""]) => [name, unescaped(value)]));
}

/** Decodes the entities of HTML. */
export const unescaped = (html: string): string =>
  html
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

/** Sends a form with a file, as a browser does from a page of the console. */
export async function sendFile(
  browser: Browser,
  action: string,
  fields: Readonly<Record<string, string>>,
  file: Uint8Array | null,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("file", file === null ? new File([], "") : new File([new Uint8Array(file)], "fish.jpg"));
  const encoded = new Response(form);
  const body = new Uint8Array(await encoded.arrayBuffer());
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return send(action, {
    method: "POST",
    body,
    type: encoded.headers.get("Content-Type"),
    headers: { Cookie: cookie, Origin: ORIGIN, "Content-Length": String(body.length), ...headers },
  });
}

// Hashing is slow, so all people of a test file share one password and its hash.
let hash: Promise<string> | null = null;

/** Creates a person who can sign in with {@link PASSWORD}. With `organizationId` they are a member in that role. */
export async function newPerson(organizationId?: string, role: Role = "owner") {
  const person = await newMember(organizationId ?? null, role);
  hash ??= hashPassword(PASSWORD);
  const time = new Date().toISOString();
  await env.DB.prepare(
    `insert into accounts (id, user_id, provider_id, account_id, password, creation_time, last_edit_time)
     values (?, ?, 'credential', ?, ?, ?, ?)`,
  )
    .bind(newId(), person.userId, person.userId, await hash, time, time)
    .run();
  return person;
}

/**
 * Signs a person in without the form, which takes long to compare a password. The session is stored and its cookie signed
 * as better-auth does it.
 */
export async function openSession(browser: Browser, userId: string, organizationId: string | null): Promise<void> {
  const [token, time] = [newId(), new Date()];
  const expiration = new Date(time.getTime() + 14 * 86_400_000);
  await env.DB.prepare(
    `insert into sessions (id, token, user_id, active_organization_id, ip_address, user_agent, expiration_time, creation_time, last_edit_time)
     values (?, ?, ?, ?, '', '', ?, ?, ?)`,
  )
    .bind(newId(), token, userId, organizationId, expiration.toISOString(), time.toISOString(), time.toISOString())
    .run();
  const signature = await makeSignature(token, env.AUTH_SECRET);
  browser.cookies.set("__Secure-edgepress.session_token", encodeURIComponent(`${token}.${signature}`));
}

/** Creates a member of an organization, and a browser in which they are signed in. */
export async function signedIn(organizationId: string, role: Role = "owner") {
  const person = await newPerson(organizationId, role);
  const browser = newBrowser();
  await openSession(browser, person.userId, organizationId);
  return { ...person, browser };
}
