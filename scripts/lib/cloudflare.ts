/** Cloudflare's API, as whoever wrangler is signed in as, and what a deployment needs in an account. */
import type { Config } from "./deployment.ts";
import { Failure } from "./failure.ts";
import { runWrangler } from "./wrangler.ts";

/** Returns the result of a request, or null if what is read does not exist. Throws a `Failure` for any other error. */
export type CallApi = <T>(path: string, body?: object, method?: "POST" | "PATCH") => Promise<T | null>;

type Credentials = { readonly token?: string; readonly key?: string; readonly email?: string };

type Reply = {
  readonly success: boolean;
  readonly result: unknown;
  readonly errors: readonly { readonly message: string }[];
};

/** Signs in as wrangler does. Throws a `Failure` if wrangler is not signed in. */
export async function signIn(): Promise<CallApi> {
  const given = process.env["CLOUDFLARE_API_TOKEN"];
  const found = given ? { token: given } : JSON.parse(await runWrangler(["auth", "token", "--json"], null));
  const { token, key = "", email = "" } = found as Credentials;
  const base = process.env["CLOUDFLARE_API_BASE_URL"] ?? "https://api.cloudflare.com/client/v4";
  const headers = {
    "Content-Type": "application/json",
    // Minutes may pass between two requests: an idle connection may just be closed.
    Connection: "close",
    ...(token ? { Authorization: `Bearer ${token}` } : { "X-Auth-Key": key, "X-Auth-Email": email }),
  };
  return async <T>(path: string, body?: object, method = "POST") => {
    const sent = body && { method, body: JSON.stringify(body) };
    const response = await fetch(base + path, { ...sent, headers, signal: AbortSignal.timeout(60_000) }).catch(
      (error: Error) => {
        throw new Failure(
          `Cloudflare cannot be reached: ${error.message} ${(error.cause as Error | undefined)?.message ?? ""}`,
        );
      },
    );
    if (response.status === 404 && body === undefined) return null;
    const { success, result, errors } = (await response.json()) as Reply;
    if (success) return result as T;
    throw new Failure(`Cloudflare refuses ${path}: ${errors.map(({ message }) => message).join("; ")}`);
  };
}

export type Account = { readonly id: string; readonly name: string };

/** Returns the account that is wanted, or the only one there is. Throws a `Failure` if it is not clear which one is meant. */
export async function findAccount(call: CallApi, wanted: string | undefined): Promise<Account> {
  const accounts = (await call<Account[]>("/accounts?per_page=50")) ?? [];
  const found = accounts.filter(({ id }) => wanted === undefined || id === wanted);
  if (found.length === 1 && found[0]) return found[0];
  const list = accounts.map(({ id, name }) => `  ${id}  ${name}`).join("\n");
  const why = wanted === undefined ? "Name the account" : `There is no account ${wanted}. Name one`;
  throw new Failure(`${why} by --account. Those that wrangler is signed in to:\n\n${list}`, 2);
}

type Resource = {
  readonly what: string;
  readonly isThere: boolean;
  readonly create: () => Promise<unknown>;
};

/**
 * Creates the databases, the queues and the buckets of a configuration that an account lacks, or with `isDryRun` only says
 * which ones: a line for each. `at` is the account's path, and `known` has the ids of databases that the settings name, if they do. Returns the
 * ids of all databases, "" for one that is not there. Throws a `Failure` if the settings name a database that is not there.
 */
export async function createMissing(
  call: CallApi,
  at: string,
  { config, known }: { readonly config: Config; readonly known: readonly (string | undefined)[] },
  isDryRun: boolean,
): Promise<string[]> {
  const databases = await Promise.all(
    (config.d1_databases ?? []).map(({ database_name: name = "" }, n) => findDatabase(call, at, name, known[n])),
  );
  const ids = databases.map(({ uuid }) => uuid);
  const resources: Resource[] = [
    ...databases.map(({ name, uuid }, n) => ({
      what: `database ${name}`,
      isThere: uuid !== "",
      create: async () => (ids[n] = await createDatabase(call, at, name)),
    })),
    ...(await listQueues(call, at, config)),
    ...(await listBuckets(call, at, config)),
  ];
  for (const { what, isThere, create } of resources) {
    if (!isThere && !isDryRun) await create();
    report(what, isThere, isDryRun);
  }
  return ids;
}

/** Prints that something was there, was created, or would be created. */
export const report = (what: string, isThere: boolean, isDryRun: boolean): void =>
  console.log(`${isThere ? "Is there        " : isDryRun ? "To be created   " : "Created         "}${what}`);

type Database = { readonly uuid: string; readonly name: string };

/** Finds a database by the id that the settings have, or else by its name. Without one, its id is "". */
async function findDatabase(call: CallApi, at: string, name: string, known = ""): Promise<Database> {
  if (known !== "") {
    const found = await call<Database>(`${at}/d1/database/${known}`);
    if (found !== null) return found;
    throw new Failure(`The account has no database ${known}, which the settings name.`);
  }
  const databases = await call<Database[]>(`${at}/d1/database?name=${name}`);
  return { name, uuid: databases?.find((database) => database.name === name)?.uuid ?? "" };
}

/** Creates a database with read replicas. */
async function createDatabase(call: CallApi, at: string, name: string): Promise<string> {
  const created = await call<Database>(`${at}/d1/database`, { name });
  await call(`${at}/d1/database/${created?.uuid}`, { read_replication: { mode: "auto" } }, "PATCH");
  return created?.uuid ?? "";
}

async function listQueues(call: CallApi, at: string, { queues }: Config): Promise<Resource[]> {
  const all = [...(queues?.producers ?? []), ...(queues?.consumers ?? [])];
  const names = [...new Set(all.map(({ queue }) => queue ?? ""))];
  const query = new URLSearchParams(names.map((name) => ["name", name]));
  const found = (await call<{ queue_name: string }[]>(`${at}/queues?${query.toString()}`)) ?? [];
  const known = new Set(found.map((queue) => queue.queue_name));
  return names.map((name) => ({
    what: `queue ${name}`,
    isThere: known.has(name),
    create: () => call(`${at}/queues`, { queue_name: name }),
  }));
}

function listBuckets(call: CallApi, at: string, { r2_buckets = [] }: Config): Promise<Resource[]> {
  return Promise.all(
    r2_buckets.map(async ({ bucket_name: name = "" }) => ({
      what: `bucket ${name}`,
      isThere: (await call(`${at}/r2/buckets/${name}`)) !== null,
      create: () => call(`${at}/r2/buckets`, { name }),
    })),
  );
}
