/** The APIs of the forums, at the same paths. The files contain responses in the form of these APIs. */
import { gzipSync } from "node:zlib";
import { fixture } from "./fixtures.ts";
import type { Call } from "./server.ts";

type Answer = {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** A file of test/fixtures/forums. `body` is the body itself instead. */
  readonly file?: string;
  readonly body?: unknown;
  readonly gzip?: boolean;
};

type Forum = (path: string, call: Call) => Answer | undefined;

/** Answers like the forum of the path. Returns false if the path belongs to no forum. */
export async function serveForum(call: Call): Promise<boolean> {
  const [, name = "", path = ""] = /^\/(\w+)(\/.*)$/.exec(call.url.pathname) ?? [];
  const forum = FORUMS[name];
  if (forum === undefined) return false;
  const {
    status = 200,
    headers,
    file,
    body,
    gzip,
  } = forum(path, call) ?? { status: 404, body: { error: "not found" } };
  const bytes =
    file === undefined ? Buffer.from(JSON.stringify(body ?? {})) : await fixture(`forums/${file}`, call.recent);
  const encoding = gzip === true ? { "Content-Encoding": "gzip" } : {};
  call.response.writeHead(bytes === undefined ? 404 : status, {
    "Content-Type": "application/json; charset=utf-8",
    ...encoding,
    ...headers,
  });
  call.response.end(gzip === true ? gzipSync(bytes ?? "") : bytes);
  return true;
}

const hackernews: Forum = (path, { url }) => {
  if (path === "/api/v1/search" && url.searchParams.get("tags") === "front_page") {
    return { file: "hackernews-front-page.json" };
  }
  const isSearch = path === "/api/v1/search" && url.searchParams.get("tags") === "story";
  return isSearch ? { file: `hackernews-search-${url.searchParams.get("query")?.split(" ")[0]}.json` } : undefined;
};

const discourse: Forum = (path) => {
  // The URL of a category contains its id. Without it, Discourse redirects.
  const [, category] = /^\/c\/([\w-]+)\/l\/latest\.json$/.exec(path) ?? [];
  if (category === "support") return { status: 301, headers: { Location: "/discourse/c/support/6/l/latest.json" } };
  if (path === "/latest.json") return { file: "discourse-latest.json" };
  if (path === "/c/support/6/l/latest.json") return { file: "discourse-category.json" };
  return path === "/tag/release.json" || path === "/tags/c/support/release.json"
    ? { file: "discourse-tag.json" }
    : undefined;
};

const reddit: Forum = (path, { request }) => {
  if ((request.headers["user-agent"] ?? "").length < 10) return { status: 429, body: { message: "Too Many Requests" } };
  const [, subreddit = ""] = /^\/r\/(\w+)\/hot\.json$/.exec(path) ?? [];
  if (subreddit === "nobodyhasthis") {
    return { status: 302, headers: { Location: `/reddit/subreddits/search.json?q=${subreddit}` } };
  }
  if (path === "/subreddits/search.json") return { file: "reddit-subreddits.json" };
  if (subreddit === "private") {
    return { status: 403, body: { reason: "private", message: "Forbidden", error: 403 } };
  }
  // What Reddit sends to data centres is a page.
  if (subreddit === "datacentre") return { status: 403, body: "<html><title>Blocked</title>" };
  if (subreddit === "busy") {
    const headers = { "Retry-After": "60" };
    return { status: 429, headers, body: { message: "Too Many Requests", error: 429 } };
  }
  return { file: `reddit-${subreddit}.json` };
};

const stackexchange: Forum = (path, { url }) => {
  if (path !== "/2.3/questions") return undefined;
  const site = url.searchParams.get("site");
  const tagged = url.searchParams.get("tagged");
  const failure = (error_id: number, error_name: string, error_message: string): Answer => ({
    status: 400,
    body: { error_id, error_message, error_name },
    gzip: true,
  });
  if (site === "throttled") {
    const message = "too many requests from this IP, more requests available in 38211 seconds";
    return failure(502, "throttle_violation", message);
  }
  if (site === "backoff") return { body: { items: [], backoff: 40 }, gzip: true };
  if (site !== "stackoverflow") return failure(400, "bad_parameter", `No site found for name \`${site}\``);
  // The API compresses every response.
  return { file: `stackexchange-${tagged ?? "all"}.json`, gzip: true };
};

const lobsters: Forum = (path) => {
  if (path === "/hottest.json") return { file: "lobsters-hottest.json" };
  const [, tag] = /^\/t\/(\w+)\.json$/.exec(path) ?? [];
  return tag === undefined ? undefined : { file: `lobsters-${tag}.json` };
};

const lemmy: Forum = (path, { url }) => {
  if (path !== "/api/v3/post/list" || url.searchParams.get("sort") !== "Hot") return undefined;
  const [name = ""] = url.searchParams.get("community_name")?.split("@") ?? [];
  if (name === "closed") return { status: 400, body: { error: "instance_is_private" } };
  return name === "kilns" ? { file: "lemmy-kilns.json" } : { status: 404, body: { error: "couldnt_find_community" } };
};

const FORUMS: Readonly<Record<string, Forum>> = { hackernews, discourse, reddit, stackexchange, lobsters, lemmy };
