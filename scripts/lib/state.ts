/** The state folder of local runs: the database, the credentials, the logs. */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { newId } from "../../src/lib/ids.ts";
import { newSecret } from "../../src/domain/secrets.ts";
import { Failure } from "./failure.ts";
import { ROOT } from "./wrangler.ts";

const credentials = z.object({
  organizationId: z.string(),
  apiKey: z.string(),
  readOnlyKey: z.string(),
  operatorToken: z.string(),
  password: z.string(),
  /** The key of the local Worker's session cookies. */
  authSecret: z.string(),
});

/** The demo organization's credentials. */
export type Credentials = z.infer<typeof credentials>;

const webhook = z.object({ subscriptionId: z.string(), secret: z.string() });

/** The receiver's subscription; its secret is shown only when it is created. */
export type Webhook = z.infer<typeof webhook>;

const local = z.object({
  baseUrl: z.string(),
  blogId: z.string(),
  apiKey: z.string(),
  readOnlyKey: z.string(),
  operatorToken: z.string(),
  // An earlier release knew no accounts.
  email: z.string().default(""),
  password: z.string().default(""),
  /** The source of the demo blog's topic ideas. */
  feedUrl: z.string().default(""),
  /** The model that generates articles; "" where none is configured. */
  model: z.string().default(""),
});

/** What other programs need to use the local service. */
export type Local = z.infer<typeof local>;

/** A log that has grown beyond this is put aside at the next start. */
const LONGEST_LOG = 10 * 1024 * 1024;

/** The folder that EDGEPRESS_STATE names, or `.edgepress` in the project. */
export function stateFolder(): string {
  return path.resolve(process.env["EDGEPRESS_STATE"] || path.join(ROOT, ".edgepress"));
}

export type State = ReturnType<typeof openState>;

/** Opens the state folder, and makes it where it is missing. */
export function openState(folder: string) {
  makeFolder(folder);
  const file = (name: string) => path.join(folder, name);
  return {
    folder,
    /** Where wrangler keeps what is its own. */
    wranglerFolder: file("wrangler"),
    log: file("edgepress.log"),
    wranglerLog: file("wrangler.log"),

    /** The credentials; made and kept before anything is stored of them, so that none can be lost. */
    async credentials(): Promise<Credentials> {
      const known = read(file("credentials.json"), credentials.partial()) ?? {};
      const fresh: Credentials = {
        organizationId: newId(),
        apiKey: (await newSecret("key")).secret,
        readOnlyKey: (await newSecret("key")).secret,
        operatorToken: (await newSecret("token")).secret,
        password: randomBytes(12).toString("base64url"),
        authSecret: randomBytes(32).toString("base64url"),
      };
      // An earlier release knew fewer.
      const all = credentials.parse({ ...fresh, ...known });
      if (Object.keys(known).length < Object.keys(all).length) write(file("credentials.json"), all);
      return all;
    },

    webhook: () => read(file("webhook.json"), webhook),
    keepWebhook: (value: Webhook) => write(file("webhook.json"), value),

    /** Null until a first start has been completed. */
    local: () => read(file("local.json"), local),
    /** Settings of the local Worker that no command line should show. */
    settingsFile: (settings: Readonly<Record<string, string>>): string => {
      const lines = Object.entries(settings).map(([name, value]) => `${name}=${quoted(value)}\n`);
      writeFileSync(file("worker.env"), lines.join(""), { mode: 0o600 });
      return file("worker.env");
    },
    publish: (value: Local) => write(file("local.json"), value),

    /** Begins new logs where the old ones have grown long. */
    rotateLogs(): void {
      for (const name of ["edgepress.log", "wrangler.log"]) {
        if ((statSync(file(name), { throwIfNoEntry: false })?.size ?? 0) > LONGEST_LOG) {
          renameSync(file(name), file(`${name}.1`));
        }
      }
    },
  };
}

/** Single quotes keep a value as it is; double ones would keep the backslashes of a JSON text. */
const quoted = (value: string): string => (value.includes("'") ? JSON.stringify(value) : `'${value}'`);

function makeFolder(folder: string): void {
  try {
    // The database holds webhook secrets: for the owner only.
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new Failure(`The state folder ${folder} cannot be created: ${(error as Error).message}`);
  }
}

function read<T>(file: string, schema: z.ZodType<T>): T | null {
  if (!existsSync(file)) return null;
  try {
    return schema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    throw new Failure(`${file} is damaged. Restore it, or remove its folder to start over.`);
  }
}

/** By rename, so that a reader meets the old file or the new one, whole. */
function write(file: string, value: unknown): void {
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(draft, file);
}
