/** What every local run has: the demo's organization with its credentials, and settings. */
import { DEFAULT_SCOPES, SCOPES } from "../../src/domain/principal.ts";
import { demoOrganization } from "../demo/index.ts";
import { findDemo, listAppliedMigrations, type Demo } from "./local-database.ts";
import { prepareDatabase, storeOrganization, type NewOrganization } from "./organization.ts";
import type { Credentials, State } from "./state.ts";

export const OWNER_EMAIL = "demo@example.com";

/** Migrates the local database and stores what it lacks of the demo's organization: nothing once that was deleted for good. */
export async function prepareDemo(state: State, known: Credentials): Promise<void> {
  // Somebody may have deleted the database, or the credentials, but not local.json.
  const isNew = listAppliedMigrations(state.folder).size === 0;
  const wasThere = !isNew && state.local()?.apiKey === known.apiKey;
  await prepareDatabase(state);
  const demo = findDemo(state.folder, known.organizationId);
  if (demo.state === "erased" || (demo.state === "absent" && wasThere)) return;
  await storeOrganization(state, makeDemoOrganization(known));
}

const GONE = "was deleted for good, and no demo is loaded again. To start over, remove the state folder.";

/** What is said of the organization of a demo that stays as it is. */
export const RESTING: Readonly<Partial<Record<Demo["state"], string>>> = {
  suspended: "is suspended: the demo stays as it is.",
  deleted: "is deleted, and its owner can restore it in the console: the demo stays as it is.",
  erased: GONE,
  absent: GONE,
};

function makeDemoOrganization(known: Credentials): NewOrganization {
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
