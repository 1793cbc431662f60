/** What every local run has: the demo's organization with its credentials, and settings. */
import { DEFAULT_SCOPES, SCOPES } from "../../src/domain/principal.ts";
import { demoOrganization } from "../demo/index.ts";
import type { Demo } from "./local-database.ts";
import type { NewOrganization } from "./organization.ts";
import type { Credentials } from "./state.ts";

export const OWNER_EMAIL = "demo@example.com";

const GONE = "was deleted for good, and no demo is loaded again. To start over, remove the state folder.";

/** What is said of the organization of a demo that stays as it is. */
export const RESTING: Readonly<Partial<Record<Demo["state"], string>>> = {
  suspended: "is suspended: the demo stays as it is.",
  deleted: "is deleted, and its owner can restore it in the console: the demo stays as it is.",
  erased: GONE,
  absent: GONE,
};

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
