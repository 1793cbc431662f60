/** People who sign in with an OpenID provider, at a service that is run. */
import { expect } from "vitest";
import * as z from "zod";
import type { Local } from "./local-run.ts";
import type { Claims, TestProvider } from "./provider.ts";
import { newVisitor, type Page, type Visitor } from "./visitor.ts";

export const START = "/console/sign-in/oidc";
export const PASSWORD = "correct horse battery";

const heading = ({ text }: Page): string => /<h1[^>]*>([^<]*)/.exec(text)?.[1] ?? "";

/** What they do. */
export function newPeople(provider: TestProvider, { baseUrl, operatorToken }: Local) {
  let serial = 0;
  /** Somebody whom the provider knows and the service does not. */
  function stranger(claims: Partial<Claims> = {}): Claims & { email: string } {
    const sub = `subject-${++serial}`;
    const person = { sub, email: `${sub}@example.com`, email_verified: true, name: "Ada Lovelace", ...claims };
    return { ...person, email: person.email };
  }

  /** Goes the whole way to the provider and back. */
  function signIn(person: Claims | null, visitor: Visitor = newVisitor(baseUrl), next?: string): Promise<Page> {
    provider.present(person);
    return visitor.get(next === undefined ? START : `${START}?next=${encodeURIComponent(next)}`);
  }

  const at = ({ url }: Page): string => url.replace(baseUrl, "");
  const isSignedIn = async (visitor: Visitor): Promise<boolean> =>
    at(await visitor.get("/console/account")) === "/console/account";

  /** Refused with a page that says why, and signed in nowhere. */
  async function expectRefusal(page: Page, visitor: Visitor, reason: RegExp): Promise<void> {
    expect(page.status).toBe(401);
    expect(page.url.startsWith(`${baseUrl}/console/`)).toBe(true);
    expect(heading(page)).not.toBe("");
    expect(page.text).toMatch(reason);
    expect(await isSignedIn(visitor)).toBe(false);
  }

  /** Invites somebody to the demo organization; returns the path of the link. */
  async function invite(email: string): Promise<string> {
    const response = await fetch(`${baseUrl}/api/invitations`, {
      method: "POST",
      headers: { Authorization: `Token ${operatorToken}`, "Content-Type": "application/json" },
      body: JSON.stringify({ email, role: "writer" }),
    });
    expect(response.status).toBe(200);
    return new URL(z.object({ link: z.string() }).parse(await response.json()).link).pathname;
  }

  return { stranger, signIn, at, invite, expectRefusal };
}
