/** An authorization server that behaves as a test wants: what the real one never does, the client has to survive. */
import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { answering, json, type Asked } from "./scripted-server.ts";

/** Whose articles the tokens are for. */
export const ORGANIZATION = { _id: "019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d", name: "Acme\u001b[31m" };

type Behaviour = {
  /** Changes the metadata. */
  readonly metadata?: (url: string) => Record<string, unknown>;
  /** Answers a token request; null for the usual answer. */
  readonly token?: (form: URLSearchParams) => { status: number; body: unknown } | null | "break" | Promise<null>;
  /** Answers any request before the rest does; whether it has. */
  readonly first?: (path: string, response: ServerResponse) => boolean;
};

/** What the client shows the person, taken apart; and how a browser would come back from it. */
export function opened(stderr: string) {
  const address = /https?:\S+authorize\S+(?=\n)/.exec(stderr)?.[0];
  if (address === undefined) return null;
  const asked = new URL(address).searchParams;
  return {
    asked,
    /** Goes to the redirect URI; the status and text of its page. */
    async comeBack(parameters: Record<string, string>): Promise<{ status: number; text: string }> {
      const url = new URL(asked.get("redirect_uri") ?? "");
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      const response = await fetch(url);
      return { status: response.status, text: await response.text() };
    },
  };
}

/** Starts one; `challenge` is what the code that it gives was asked with. */
export async function authorizationServer(behaviour: Behaviour = {}) {
  const state = { serial: 0, challenge: "", refreshToken: "", forms: [] as URLSearchParams[] };
  const server = await answering(async (asked: Asked, response) => {
    if (behaviour.first?.(asked.path, response) === true) return;
    const url = `http://${asked.headers.host}`;
    if (asked.path === "/.well-known/oauth-authorization-server") {
      return json(response, {
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        revocation_endpoint: `${url}/revoke`,
        response_types_supported: ["code"],
        code_challenge_methods_supported: ["S256"],
        authorization_response_iss_parameter_supported: true,
        ...behaviour.metadata?.(url),
      });
    }
    if (asked.path === "/api/blogs") return json(response, []);
    if (asked.path === "/api/me") {
      const isKnown = asked.headers.authorization === `Bearer access-${state.serial}`;
      return isKnown ? json(response, { organization: ORGANIZATION, scopes: [] }) : json(response, {}, 401);
    }
    const form = new URLSearchParams(asked.body);
    state.forms.push(form);
    if (asked.path === "/revoke") return json(response, {});
    const special = await behaviour.token?.(form);
    if (special === "break") return void response.destroy();
    if (special) return json(response, special.body, special.status);
    const verifier = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const good =
      form.get("grant_type") === "refresh_token"
        ? form.get("refresh_token") === state.refreshToken
        : form.get("code") === "the-code" && verifier === state.challenge;
    if (!good) return json(response, { error: "invalid_grant" }, 400);
    state.serial += 1;
    state.refreshToken = `refresh-${state.serial}`;
    const tokens = { access_token: `access-${state.serial}`, refresh_token: state.refreshToken };
    json(response, { ...tokens, token_type: "bearer", expires_in: 3600, scope: "articles:read" });
  });
  return { ...server, state };
}
