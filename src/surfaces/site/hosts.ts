/**
 * Hosts that show a site and nothing else (contract 21.6): `{vanityId}.{SITE_DOMAIN}`, and custom domains that a blog has
 * verified. Loaded on first use.
 */
import { Hono } from "hono";
import type { Settings } from "../../env.ts";
import { DEFAULT_ARTICLE_PATH } from "../../domain/site.ts";
import { isVanityId } from "../../domain/vanity.ts";
import { isLoopbackHost } from "../../lib/network.ts";
import { enforceHostLookupLimit } from "../request/strangers.ts";
import { findHosted, type HostedBlog } from "../../store/blogs/names.ts";
import { makeReplicaReader } from "../../store/core/replica.ts";
import { openDatabaseOf, openDatabaseOfBlog } from "../../store/database.ts";
import type { AppEnv } from "../rest/app-env.ts";
import { observe, getSettings } from "../rest/observe.ts";
import type { Mount } from "./place.ts";
import { serveMount, parseSegments } from "./site.ts";

/** Milliseconds that an isolate remembers what a host shows. */
const KEPT_MS = 60_000;
const MOST_KEPT = 1000;

const mountCache = new Map<string, { readonly mount: Mount | null; readonly until: number }>();

/**
 * Returns the application for the host of a request, or null for a host of the service itself. Never throws: if the lookup
 * fails, the application answers with the error.
 */
export async function findHostApp(request: Request, env: Env): Promise<Hono<AppEnv> | null> {
  try {
    const mount = await findMount(request, env);
    return mount && makeApp((c) => serveMount(c, mount, parseSegments(c.req.path)));
  } catch (error) {
    return makeApp(() => {
      throw error;
    });
  }
}

/** Returns the site that a host shows, or null for a host of the service itself. Throws `rate_limited`. */
async function findMount(request: Request, env: Env): Promise<Mount | null> {
  const { host, hostname } = parseHost(request.url);
  const settings = getSettings(env);
  const { baseUrl, siteDomain } = settings;
  // Without a base URL, the service cannot tell its own hosts from others.
  if (baseUrl === "" || new URL(baseUrl).hostname === hostname || isLoopbackHost(hostname)) return null;
  // Ignore the port: the platform accepts requests at several.
  const label = siteDomain === "" ? null : findLabel(siteDomain.replace(/:\d+$/, ""), hostname);
  if (label !== null && !isVanityId(label)) return null;
  const known = mountCache.get(host);
  if (known !== undefined && known.until > Date.now()) return known.mount;
  await enforceHostLookupLimit(env, request);
  return lookUpMount(label === null ? { host: hostname } : { vanityId: label }, host, settings, env);
}

/** Returns the part of a host name before a domain, or null if the host is not below the domain. */
const findLabel = (domain: string, hostname: string): string | null =>
  hostname.endsWith(`.${domain}`) ? hostname.slice(0, -domain.length - 1) : null;

/** Removes the dot at the end of a fully qualified host name: `a.example.` is `a.example`. */
function parseHost(url: string): URL {
  const asked = new URL(url);
  asked.hostname = asked.hostname.replace(/\.$/, "");
  return asked;
}

async function lookUpMount(
  name: { readonly vanityId: string } | { readonly host: string },
  host: string,
  { baseUrl }: Settings,
  env: Env,
): Promise<Mount | null> {
  const db = "host" in name ? openDatabaseOf(env, "host", name.host) : openDatabaseOfBlog(env, name.vanityId);
  const found = await findHosted(makeReplicaReader(db), name);
  const address = `${new URL(baseUrl).protocol}//${host}`;
  // A host below the domain never belongs to the service itself, even if no blog has it.
  const unknown = "vanityId" in name ? makeHostMount(name.vanityId, null, address) : null;
  const mount =
    found === null ? unknown : makeHostMount(found.vanityId, found, address, "host" in name ? found._id : null);
  if (mountCache.size >= MOST_KEPT) mountCache.clear();
  mountCache.set(host, { mount, until: Date.now() + KEPT_MS });
  return mount;
}

/** If the host is the blog's `siteUrl`, articles have the blog's own paths, and search engines find the site there. */
function makeHostMount(
  vanityId: string,
  blog: HostedBlog | null,
  address: string,
  blogId: string | null = null,
): Mount {
  const isHome = blog?.siteUrl === address;
  return {
    vanityId,
    blogId,
    prefix: "",
    articlePath: isHome ? blog.articlePath : DEFAULT_ARTICLE_PATH,
    root: isHome ? address : null,
  };
}

const makeApp = (handle: Parameters<typeof observe>[1]): Hono<AppEnv> =>
  new Hono<AppEnv>().all("*", observe("site", handle));
