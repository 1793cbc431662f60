/** An OpenID Connect provider on loopback: the npm package oidc-provider, with people who never have to click. */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import Provider, { type Configuration } from "oidc-provider";

const CLIENT = { id: "edgepress", secret: "a secret that the Worker and the provider share" };

/** What the provider says about somebody. `sub` is who they are, whatever their address. */
export type Claims = {
  readonly sub: string;
  readonly email?: string;
  /** Some providers send it as a text. */
  readonly email_verified?: boolean | string;
  readonly name?: string;
};

const INTERACTION = "/interaction/";

export type TestProvider = Awaited<ReturnType<typeof startProvider>>;

/** The name under which the console offers the provider. */
export const NAME = "Example ID";

/** The settings of a service whose provider listens on the port. */
export const oidcSettings = (port: number) => ({
  OIDC_ISSUER: `http://127.0.0.1:${port}`,
  OIDC_CLIENT_ID: CLIENT.id,
  OIDC_CLIENT_SECRET: CLIENT.secret,
  OIDC_NAME: NAME,
});

/** Listens at once, on a port that a service may know already; answers once it knows its client by {@link serve}. */
export async function startProvider(port: number) {
  const people = new Map<string, Claims>();
  let present: Claims | null = null;
  let handle: (request: IncomingMessage, response: ServerResponse) => void = (_, response) =>
    void response.writeHead(503).end();
  const server = createServer((request, response) => handle(request, response)).listen(port, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${port}`;

  const stop = async () => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };

  return {
    issuer,
    port,
    /** Knows the Worker as its client. */
    serve(baseUrl: string): void {
      const provider = new Provider(issuer, configurationOf(baseUrl, people));
      const protocol = provider.callback();
      handle = (request, response) => {
        if (!request.url?.startsWith(INTERACTION)) return protocol(request, response);
        const login =
          present === null ? { error: "access_denied" } : { login: { accountId: present.sub, remember: false } };
        provider.interactionFinished(request, response, login).catch(() => response.destroy());
      };
    },
    /** Who sits before the browser, from now on; null is somebody who refuses to sign in. */
    present(person: Claims | null): void {
      present = person;
      if (person !== null) people.set(person.sub, person);
    },
    stop,
    async startAgain(): Promise<void> {
      await once(server.listen(port, "127.0.0.1"), "listening");
    },
    /** Accepts the next request, and never answers it. Resolves once it is here. */
    hangNext(): Promise<void> {
      const before = handle;
      return new Promise((resolve) => {
        handle = () => {
          handle = before;
          resolve();
        };
      });
    },
  };
}

function configurationOf(baseUrl: string, people: ReadonlyMap<string, Claims>): Configuration {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${baseUrl}/console/auth/callback/oidc`],
        token_endpoint_auth_method: "client_secret_post",
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), alg: "RS256", use: "sig" }] },
    cookies: { keys: [randomBytes(16).toString("hex")] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    ttl: { AccessToken: 600, AuthorizationCode: 60, IdToken: 600, Interaction: 600, Session: 600, Grant: 600 },
    interactions: { url: (_, { uid }) => `${INTERACTION}${uid}` },
    findAccount(_, id) {
      const person = people.get(id);
      return person && { accountId: id, claims: () => person };
    },
    /** Nobody is asked whether the client may know what it asks for. */
    async loadExistingGrant({ oidc }) {
      const { provider, client, session } = oidc;
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  };
}
