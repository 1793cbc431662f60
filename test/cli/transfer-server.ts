/**
 * A small service over real HTTP, with what imports rely on: slugs that are taken, versions, Idempotency-Keys
 * that replay. It has no rate limit, and loses answers on request: what the real one should do, the contract
 * tests say.
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

type Stored = Record<string, unknown> & { _id: string; slug: string; locale: string };
type Reply = { status: number; value: unknown; etag?: string; replayed?: boolean };

export async function startServer() {
  const articles = new Map<string, Stored>();
  const versions = new Map<string, number>();
  const answers = new Map<string, { body: string; reply: Reply }>();
  /** The time of each scheduled article, by its id. */
  const schedules = new Map<string, string>();
  const told = { writes: 0, requests: 0, keys: new Set<string>(), saved: [] as string[] };
  /** `delay` milliseconds before each answer, `slow` of them more by its request; every `lose`-th write is done, but its answer lost; `refuse` answers. */
  const behaviour = {
    delay: 0,
    slow: (_body: string) => 0,
    lose: 0,
    refuse: null as null | (() => (Reply & { retryAfter?: number }) | null),
    /** Why a write is invalid, and kept as such under its Idempotency-Key; null if it is not. */
    reject: () => null as string | null,
    scopes: ["articles:write"],
    locales: ["en"],
  };

  const etagOf = (id: string) => `"${id}-${versions.get(id)}"`;
  const shown = (article: Stored): Reply => ({ status: 200, value: article, etag: etagOf(article._id) });
  const refusal = (status: number, code: string): Reply => ({ status, value: { status, code, detail: code } });
  const at = (slug: unknown, locale: unknown) =>
    [...articles.values()].find((each) => each.slug === slug && each.locale === locale);

  function save(members: Record<string, unknown>, ifMatch: string | undefined): Reply {
    const id = members["_id"];
    const existing = typeof id === "string" ? articles.get(id) : undefined;
    if (id !== undefined && existing === undefined) return refusal(404, "not_found");
    if (existing !== undefined && ifMatch !== undefined && ifMatch !== etagOf(existing._id)) {
      return refusal(412, "precondition_failed");
    }
    const namesake = at(members["slug"], members["locale"]);
    if (namesake !== undefined && namesake !== existing) return refusal(409, "slug_taken");
    told.writes++;
    told.saved.push(`${String(members["slug"])} ${String(members["locale"])}`);
    const now = new Date(1_700_000_000_000 + told.writes).toISOString();
    const created = { _id: `article-${told.writes}`, blogId: "blog", creationTime: now };
    const article = { ...(existing ?? created), ...members, lastEditTime: now } as Stored;
    articles.set(article._id, article);
    versions.set(article._id, (versions.get(article._id) ?? 0) + 1);
    return shown({ ...article });
  }

  function schedule(id: string, method: string, body: string): Reply {
    if (!articles.has(id) || (method === "DELETE" && !schedules.delete(id))) return refusal(404, "not_found");
    if (method === "PUT") schedules.set(id, (JSON.parse(body) as { publishTime: string }).publishTime);
    return { status: 200, value: { articleId: id } };
  }

  function write(body: string, { headers }: IncomingMessage): Reply {
    const key = String(headers["idempotency-key"]);
    told.keys.add(key);
    const earlier = answers.get(key);
    const asked = createHash("sha256").update(`${body} ${headers["if-match"]}`).digest("hex");
    if (earlier !== undefined) {
      return earlier.body === asked ? { ...earlier.reply, replayed: true } : refusal(422, "idempotency_key_reused");
    }
    const reason = behaviour.reject();
    const reply =
      reason === null
        ? save(JSON.parse(body) as Record<string, unknown>, headers["if-match"])
        : { status: 400, value: { status: 400, code: "invalid_request", detail: reason } };
    answers.set(key, { body: asked, reply });
    return reply;
  }

  function read(url: URL): Reply {
    if (url.pathname === "/api/me") return { status: 200, value: { scopes: behaviour.scopes } };
    if (url.pathname.startsWith("/blogs/")) return { status: 200, value: { _id: "blog", locales: behaviour.locales } };
    const limit = Number(url.searchParams.get("limit") ?? articles.size);
    if (url.pathname === "/api/articles") return { status: 200, value: [...articles.values()].slice(0, limit) };
    const name = decodeURIComponent(url.pathname.replace("/api/articles/", ""));
    const found = articles.get(name) ?? at(name, url.searchParams.get("locale"));
    return found === undefined ? refusal(404, "not_found") : shown(found);
  }

  function replyTo(request: IncomingMessage, body: string): Reply {
    const { method = "GET", url = "" } = request;
    const [, scheduled] = /^\/api\/articles\/([^/]+)\/schedule$/.exec(url) ?? [];
    if (scheduled !== undefined) return schedule(scheduled, method, body);
    return method === "POST" ? write(body, request) : read(new URL(url, "http://localhost"));
  }

  const server = createServer(async (request, response) => {
    told.requests++;
    const body = await text(request);
    const delay = behaviour.delay + behaviour.slow(body);
    if (delay > 0) await sleep(delay);
    const refused = behaviour.refuse?.();
    const reply = refused ?? replyTo(request, body);
    const isWritten = request.method !== "GET" && reply.status === 200;
    if (isWritten && behaviour.lose > 0 && told.requests % behaviour.lose === 0) {
      response.destroy();
      return;
    }
    answer(response, reply, refused?.retryAfter);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    articles,
    schedules,
    told,
    behaviour,
    /** What somebody does in the console. */
    edit: (id: string, members: Record<string, unknown>) =>
      void save({ ...articles.get(id), ...members, _id: id }, undefined),
    forgetAnswers: () => answers.clear(),
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answer(response: ServerResponse, { status, value, etag, replayed }: Reply, retryAfter?: number): void {
  response.writeHead(status, {
    "Content-Type": "application/json",
    ...(etag !== undefined && { ETag: etag }),
    ...(replayed === true && { "Idempotent-Replayed": "true" }),
    ...(retryAfter !== undefined && { "Retry-After": String(retryAfter) }),
  });
  response.end(JSON.stringify(value));
}
