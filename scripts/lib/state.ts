/** The state folder of local runs: the database, the credentials and the logs. */
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
  authSecret: z.string(),
});

export type Credentials = z.infer<typeof credentials>;

const webhook = z.object({ subscriptionId: z.string(), secret: z.string() });

/** Its secret has to be stored, because the API shows it only once. */
export type Webhook = z.infer<typeof webhook>;

const local = z.object({
  baseUrl: z.string(),
  blogId: z.string(),
  apiKey: z.string(),
  readOnlyKey: z.string(),
  operatorToken: z.string(),
  // Files of an earlier release have no account.
  email: z.string().default(""),
  password: z.string().default(""),
  feedUrl: z.string().default(""),
  /** The model for generation; "" if none is configured. */
  model: z.string().default(""),
});

/** The content of local.json: what other programs need to use the local service. */
export type Local = z.infer<typeof local>;

/** Bytes above which the next start renames a log and begins a new one. */
const LONGEST_LOG = 10 * 1024 * 1024;

/** Returns the absolute path in EDGEPRESS_STATE, or that of `.edgepress` in the project. */
export function getStateFolder(): string {
  return path.resolve(process.env["EDGEPRESS_STATE"] || path.join(ROOT, ".edgepress"));
}

export type State = ReturnType<typeof openState>;

/** Opens or creates the state folder. Throws a `Failure` if it cannot, as methods do for a damaged file. */
export function openState(folder: string) {
  makeFolder(folder);
  const file = (name: string) => path.join(folder, name);
  return {
    folder,
    /** For wrangler's own configuration and temporary files. */
    wranglerFolder: file("wrangler"),
    log: file("edgepress.log"),
    wranglerLog: file("wrangler.log"),

    /**
     * Returns the credentials. Writes missing ones to the folder before the database gets them, so that an interrupted start
     * cannot lose one.
     */
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
      // A file of an earlier release may have fewer credentials.
      const all = credentials.parse({ ...fresh, ...known });
      if (Object.keys(known).length < Object.keys(all).length) write(file("credentials.json"), all);
      return all;
    },

    webhook: () => read(file("webhook.json"), webhook),
    keepWebhook: (value: Webhook) => write(file("webhook.json"), value),

    /** The process id of the last `npx wrangler dev` that was prepared. "" if there was none. */
    wranglerPid: () => read(file("wrangler.json"), z.string()) ?? "",
    keepWranglerPid: (pid: string) => write(file("wrangler.json"), pid),

    /** Returns local.json, or null before the first start has been completed. */
    local: () => read(file("local.json"), local),
    /** Writes the Worker's settings to a file: on a command line, other users could read them. Returns its path. */
    settingsFile: (settings: Readonly<Record<string, string>>): string => {
      const lines = Object.entries(settings).map(([name, value]) => `${name}=${quoteValue(name, value)}\n`);
      writeFileSync(file("worker.env"), lines.join(""), { mode: 0o600 });
      return file("worker.env");
    },
    publish: (value: Local) => write(file("local.json"), value),

    /** Renames long logs, so that new ones begin. The previous renamed log is lost. */
    rotateLogs(): void {
      for (const name of ["edgepress.log", "wrangler.log"]) {
        if ((statSync(file(name), { throwIfNoEntry: false })?.size ?? 0) > LONGEST_LOG) {
          renameSync(file(name), file(`${name}.1`));
        }
      }
    },
  };
}

/**
 * Quotes a value for an env file. Its readers take everything literally up to the same quote, except for `\n` and `\r` in
 * double quotes. Throws a `Failure` for a value that would arrive altered.
 */
function quoteValue(name: string, value: string): string {
  const quote = ["'", "`", '"'].find((each) => !value.includes(each));
  if (quote === undefined)
    throw new Failure(`${name} has all three kinds of quotes (' " \`). It may have two of them.`);
  // Readers omit it, or make a new line of it.
  if (value.includes("\r"))
    throw new Failure(`${name} has a carriage return. Its lines have to end with a line feed alone.`);
  if (quote === '"' && /\\[nr]/.test(value))
    throw new Failure(`${name} has \\n or \\r beside two kinds of quotes (' \`).`);
  return quote + value + quote;
}

/** Creates a folder and its parents. Not by `recursive`: in a folder such as /proc, Node would try forever. */
function makeFolder(folder: string): void {
  const isThere = () => statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isThere()) return;
  makeFolder(path.dirname(folder));
  try {
    // Only for the owner: the database contains webhook secrets.
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!isThere()) throw new Failure(`The state folder ${folder} cannot be created: ${(error as Error).message}`);
  }
}

function read<T>(file: string, schema: z.ZodType<T>): T | null {
  if (!existsSync(file)) return null;
  const content = readFileSync(file, "utf8");
  try {
    return schema.parse(JSON.parse(content));
  } catch {
    throw new Failure(`${file} is damaged. Restore it, or remove its folder to start over.`);
  }
}

/** Replaces a JSON file by a rename, so that readers get the old file or the new one, complete. */
function write(file: string, value: unknown): void {
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(draft, file);
}
