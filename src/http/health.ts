import { sharedDatabase } from "../store/database.ts";
import type { Context } from "hono";
import journal from "../../migrations/meta/_journal.json";
import { missingSettings } from "../env.ts";
import { DomainError } from "../errors.ts";
import { schemaVersion } from "../store/core/system.ts";
import { exporting } from "../unexpected.ts";
import type { AppEnv } from "./app-env.ts";
import { jsonReply, type Reply } from "./reply.ts";

/** The migration that this code was written for. */
const EXPECTED = journal.entries.at(-1)?.tag ?? "";

/**
 * Whether D1 can be reached and has the schema of this code; 503 with a remedy where not. A missing setting is named,
 * but is no 503: readers and API keys are served without it, so no load balancer should turn the service off.
 */
export async function healthz(c: Context<AppEnv>): Promise<Reply> {
  const schema = await schemaVersion(sharedDatabase(c.env)).catch((error: unknown) => {
    const passing = exporting(error);
    if (passing !== null) throw passing;
    return null;
  });
  if (schema === null)
    throw new DomainError("not_ready", "D1 cannot be reached, or has no schema: run `npm run migrate`.");
  if (schema < EXPECTED) {
    throw new DomainError("not_ready", `The schema is ${schema}, the code needs ${EXPECTED}: run \`npm run migrate\`.`);
  }
  const missing = missingSettings(c.get("settings"));
  return jsonReply(200, { status: "ok", schema, ...(missing.length > 0 && { missing }) });
}
