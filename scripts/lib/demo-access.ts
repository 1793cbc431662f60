/** What every local run has: the demo's organization with its credentials, and settings. */
import { DEFAULT_SCOPES, SCOPES } from "../../src/domain/principal.ts";
import { demoOrganization } from "../demo/index.ts";
import type { NewOrganization } from "./organization.ts";
import type { Credentials } from "./state.ts";

export const OWNER_EMAIL = "demo@example.com";

export function makeDemoOrganization(known: Credentials): NewOrganization {
  const { organizationId: id, apiKey, readOnlyKey, operatorToken, password } = known;
  const credentials = [
    { name: "Demo key", secret: apiKey, scopes: SCOPES },
    { name: "Demo key, read-only", secret: readOnlyKey, scopes: DEFAULT_SCOPES },
    { name: "Demo operator token", secret: operatorToken, scopes: [] },
  ];
  const owner = { name: "Demo owner", email: OWNER_EMAIL, password };
  return { id, name: demoOrganization.name, credentials, owner };
}

export const makeLocalSettings = ({ authSecret }: Credentials) => ({
  ENVIRONMENT: "local",
  ALLOW_LOOPBACK_WEBHOOKS: "true",
  AUTH_SECRET: authSecret,
});
