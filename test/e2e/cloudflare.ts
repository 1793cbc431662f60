/** What wrangler and `npm run deploy` ask of Cloudflare's API, on loopback: accounts that keep what is created in them. */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { buffer } from "node:stream/consumers";

type Version = { readonly id: string; readonly tag: string | undefined; readonly bindings: readonly Binding[] };

type Binding = { readonly name: string; readonly type: string };

type Share = { readonly version_id: string; readonly percentage: number };

class Script {
  readonly secrets = new Set<string>();
  readonly versions: Version[] = [];
  readonly deployments: Share[][] = [];
  /** What each of the deployments is called. */
  readonly messages: (string | undefined)[] = [];
  tags: readonly string[] = [];

  add(metadata: Metadata): Version {
    for (const { name, type } of metadata.bindings) if (type === "secret_text") this.secrets.add(name);
    const known = new Set([...this.secrets, ...(this.versions[0]?.bindings.map(({ name }) => name) ?? [])]);
    const lacking = metadata.bindings.find(({ name, type }) => type === "inherit" && !known.has(name));
    if (lacking) throw new Refusal(400, 10057, `inherit binding '${lacking.name}' is invalid`);
    const version = { id: randomUUID(), tag: metadata.annotations?.["workers/tag"], bindings: metadata.bindings };
    this.versions.unshift(version);
    return version;
  }

  deploy(shares: Share[], { annotations }: Pick<Metadata, "annotations">): void {
    this.deployments.unshift(shares);
    this.messages.unshift(annotations?.["workers/message"]);
  }
}

class Refusal extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

type Metadata = { readonly annotations?: Readonly<Record<string, string>>; readonly bindings: readonly Binding[] };

/** The members of all bodies. */
type Body = {
  readonly name: string;
  readonly queue_name: string;
  readonly script_name: string;
  readonly sql: string;
  readonly versions: Share[];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly tags?: readonly string[];
  readonly read_replication: { readonly mode: string };
};

type Request = {
  readonly query: URLSearchParams;
  readonly body: () => Body;
  readonly form: () => Promise<Metadata>;
};

type Handler = (request: Request, ...parts: string[]) => unknown;

/** An account. `writes` has all requests that change something. */
export class Account {
  readonly id = randomUUID().replaceAll("-", "");
  readonly writes: string[] = [];
  readonly databases = new Map<string, { readonly name: string; readonly sql: DatabaseSync; replicas?: string }>();
  readonly queues = new Map<string, { readonly queue_id: string; readonly consumers: object[] }>();
  readonly buckets = new Set<string>();
  readonly scripts = new Map<string, Script>();

  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  script(name: string): Script {
    const script = this.scripts.get(name);
    if (script === undefined) throw new Refusal(404, 10007, "This Worker does not exist on your account.");
    return script;
  }

  private findDatabase(id: string) {
    const database = this.databases.get(id);
    if (database === undefined) throw new Refusal(404, 7404, "The database does not exist.");
    return database;
  }

  query(id: string, sql: string): unknown {
    const { sql: database } = this.findDatabase(id);
    const isRead = /^\s*SELECT/i.test(sql);
    if (!isRead) database.exec(sql);
    return [{ results: isRead ? database.prepare(sql).all() : [], success: true, meta: { duration: 0 } }];
  }

  private listQueues({ query }: Request) {
    const names = query.getAll("name");
    return [...this.queues]
      .filter(([name]) => names.includes(name))
      .map(([queue_name, { queue_id, consumers }]) => ({ queue_name, queue_id, consumers }));
  }

  private createDatabase({ body }: Request) {
    const uuid = randomUUID();
    this.databases.set(uuid, { name: body().name, sql: new DatabaseSync(":memory:") });
    return { uuid, name: body().name };
  }

  private async putScript({ form }: Request, name: string) {
    const script = this.scripts.get(name) ?? new Script();
    const metadata = await form();
    const { id } = script.add(metadata);
    this.scripts.set(name, script);
    script.deploy([{ version_id: id, percentage: 100 }], metadata);
    return { id: name, etag: id, deployment_id: id.replaceAll("-", ""), startup_time_ms: 1 };
  }

  private async addVersion({ form }: Request, name: string) {
    const { id } = this.script(name).add(await form());
    return { id, startup_time_ms: 1, resources: { script: { etag: id } }, metadata: { has_preview: false } };
  }

  private deploy({ body }: Request, name: string) {
    this.script(name).deploy(body().versions, body());
    return { id: randomUUID() };
  }

  private listDeployments(name: string) {
    const script = this.script(name);
    const deployments = script.deployments.map((versions, age) => ({
      id: randomUUID(),
      annotations: { "workers/message": script.messages[age] },
      created_on: new Date(1e12 - age).toISOString(),
      versions,
    }));
    return { deployments };
  }

  private showVersion(name: string, id: string) {
    const version = this.script(name).versions.find((each) => each.id === id);
    if (version === undefined) throw new Refusal(404, 10222, "The version does not exist.");
    return {
      id,
      metadata: { created_on: new Date(0).toISOString() },
      annotations: { "workers/tag": version.tag },
      resources: { bindings: version.bindings },
    };
  }

  private showService(name: string) {
    this.script(name);
    const script = { tag: name, tags: [], last_deployed_from: "wrangler" };
    return { default_environment: { environment: "production", script } };
  }

  /** How many of the next changes of cron triggers fail. */
  failingSchedules = 0;

  private putSchedules() {
    if (this.failingSchedules-- > 0) throw new Refusal(400, 10100, "Invalid cron string");
    return {};
  }

  private findBucket(name: string) {
    if (!this.buckets.has(name)) throw new Refusal(404, 10006, "The specified bucket does not exist.");
    return { name };
  }

  /** By method and path below the account. A `*` is a part of a path, which the handler gets. */
  readonly routes: Readonly<Record<string, Handler>> = {
    "GET /d1/database": () => [...this.databases].map(([uuid, { name }]) => ({ uuid, name })),
    "GET /d1/database/*": (_, id = "") => ({ uuid: id, name: this.findDatabase(id).name }),
    "POST /d1/database": (request) => this.createDatabase(request),
    "PATCH /d1/database/*": ({ body }, id) =>
      Object.assign(this.databases.get(id ?? "") ?? {}, { replicas: body().read_replication.mode }),
    "POST /d1/database/*/query": ({ body }, id = "") => this.query(id, body().sql),
    "GET /queues": (request) => this.listQueues(request),
    "POST /queues": ({ body }) =>
      void this.queues.set(body().queue_name, { queue_id: body().queue_name, consumers: [] }),
    "POST /queues/*/consumers": ({ body }, queue = "") =>
      void this.queues.get(queue)?.consumers.push({ ...body(), script: body().script_name, consumer_id: "1" }),
    "PUT /queues/*/consumers/*": () => ({}),
    "GET /r2/buckets/*": (_, name = "") => this.findBucket(name),
    "POST /r2/buckets": ({ body }) => void this.buckets.add(body().name),
    "GET /workers/domains": () => [],
    "GET /workers/services/*": (_, name = "") => this.showService(name),
    "GET /workers/scripts/*/secrets": (_, name = "") =>
      [...this.script(name).secrets].map((secret) => ({ name: secret, type: "secret_text" })),
    "GET /workers/scripts/*/settings": (_, name = "") => ({ bindings: this.script(name).versions[0]?.bindings }),
    "GET /workers/scripts/*/deployments": (_, name = "") => this.listDeployments(name),
    "POST /workers/scripts/*/deployments": (request, name = "") => this.deploy(request, name),
    "GET /workers/scripts/*/versions/*": (_, name = "", id = "") => this.showVersion(name, id),
    "POST /workers/scripts/*/versions": (request, name = "") => this.addVersion(request, name),
    "PUT /workers/scripts/*": (request, name = "") => this.putScript(request, name),
    "GET /workers/scripts/*/script-settings": (_, name = "") => ({ tags: this.script(name).tags }),
    "PATCH /workers/scripts/*/script-settings": ({ body }, name = "") =>
      void (this.script(name).tags = body().tags ?? this.script(name).tags),
    "POST /workers/scripts/*/assets-upload-session": () => ({ jwt: "assets", buckets: [] }),
    "GET /workers/scripts/*/subdomain": () => ({ enabled: false, previews_enabled: false }),
    "POST /workers/scripts/*/subdomain": () => ({ enabled: false, previews_enabled: false }),
    "PUT /workers/scripts/*/schedules": () => this.putSchedules(),
  };

  async answer(method: string, url: URL, request: IncomingMessage): Promise<unknown> {
    const bytes = await buffer(request);
    const at = url.pathname.split("/").slice(5).join("/");
    for (const [route, handler] of Object.entries(this.routes)) {
      const parts = new RegExp(`^${route.replaceAll("*", "([^/]+)")}$`).exec(`${method} /${at}`);
      if (parts === null) continue;
      const headers = { "Content-Type": request.headers["content-type"] ?? "" };
      const asked: Request = {
        query: url.searchParams,
        body: () => JSON.parse(bytes.toString()) as Body,
        form: async () =>
          JSON.parse((await new Response(bytes, { headers }).formData()).get("metadata") as string) as Metadata,
      };
      const isQuery = at.endsWith("/query") && /^\s*SELECT/i.test(asked.body().sql);
      if (method !== "GET" && !isQuery) this.writes.push(`${method} /${at}`);
      return handler(asked, ...parts.slice(1));
    }
    throw new Refusal(404, 7003, `Could not route to ${method} ${url.pathname}`);
  }
}

/** Starts the API of some accounts, and a service at the same origin whose health `isHealthy` tells by the header of a request. */
export async function startCloudflare(accounts: readonly Account[], health: (version?: string) => [number, object]) {
  const server = createServer((request, response) => {
    const { method = "GET", headers } = request;
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const send = (status: number, body: object) =>
      response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    if (url.pathname === "/healthz") {
      const [, version] = /="(.*)"$/.exec(String(headers["cloudflare-workers-version-overrides"])) ?? [];
      return void send(...health(version));
    }
    if (headers.authorization !== "Bearer a-token") return void send(403, refuse(9109, "Unauthorized"));
    if (url.pathname === "/client/v4/accounts")
      return void send(200, succeed(accounts.map(({ id, name }) => ({ id, name }))));
    const account = accounts.find(({ id }) => url.pathname.startsWith(`/client/v4/accounts/${id}/`));
    if (account === undefined) return void send(403, refuse(10000, `No access to ${url.pathname}`));
    account.answer(method, url, request).then(
      (result) => send(200, succeed(result ?? null)),
      (error: unknown) =>
        error instanceof Refusal
          ? send(error.status, refuse(error.code, error.message))
          : send(400, refuse(7500, (error as Error).message)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, stop: () => void server.close() };
}

const succeed = (result: unknown) => ({
  success: true,
  errors: [],
  messages: [],
  result,
  result_info: { page: 1, per_page: 100, count: 1, total_count: 1, total_pages: 1 },
});

const refuse = (code: number, message: string) => ({
  success: false,
  errors: [{ code, message }],
  messages: [],
  result: null,
});
