/**
 * Which site a host name shows (contract 21.6): `{vanityId}.{SITE_DOMAIN}`, or a host name that a blog has proved to be its own.
 * Such a host shows the site and nothing else: neither the API nor the console. Loaded on first use.
 */
import { Hono } from "hono";
import type { Settings } from "../../env.ts";
import { DEFAULT_ARTICLE_PATH } from "../../domain/site.ts";
import { isVanityId } from "../../domain/vanity.ts";
import { isLoopbackHost } from "../../lib/network.ts";
import { limitHostLookups } from "../request/strangers.ts";
import { findHosted, type HostedBlog } from "../../store/blogs/names.ts";
import { replicaReader } from "../../store/core/replica.ts";
import { sharedDatabase } from "../../store/database.ts";
import type { AppEnv } from "../rest/app-env.ts";
import { observed, settingsFor } from "../rest/observe.ts";
import type { Mount } from "./place.ts";
import { mountedReply, segmentsOf } from "./site.ts";

/** For how long an isolate remembers what a host shows, in milliseconds, and how many hosts it remembers. */
const KEPT_MS = 60_000;
const MOST_KEPT = 1000;

const kept = new Map<string, { readonly mount: Mount | null; readonly until: number }>();

/**
 * Returns what answers a request for its host; null if that is a host of the service itself. Never throws: if it cannot be
 * found out what the host shows, the request is answered with that error.
 */
export async function appOfHost(request: Request, env: Env): Promise<Hono<AppEnv> | null> {
  try {
    const mount = await mountOfHost(request, env);
    return mount === null ? null : siteApp(mount);
  } catch (error) {
    return appWith(() => {
      throw error;
    });
  }
}

/** Returns the site that a request's host shows; null if it is a host of the service itself. Throws `rate_limited`. */
async function mountOfHost(request: Request, env: Env): Promise<Mount | null> {
  const { host, hostname } = plainHost(request.url);
  const settings = settingsFor(env);
  const { baseUrl, siteDomain } = settings;
  // Without an address of its own, the service cannot know which hosts are others.
  if (baseUrl === "" || new URL(baseUrl).hostname === hostname || isLoopbackHost(hostname)) return null;
  // Whatever the port: the platform takes requests at several.
  const label = siteDomain === "" ? null : labelBelow(siteDomain.replace(/:\d+$/, ""), hostname);
  if (label !== null && !isVanityId(label)) return null;
  const known = kept.get(host);
  if (known !== undefined && known.until > Date.now()) return known.mount;
  await limitHostLookups(env, request);
  return mountOf(label === null ? { host: hostname } : { vanityId: label }, host, settings, env);
}

/** Returns what a host has before a domain that it is below; null if it is not. */
const labelBelow = (domain: string, hostname: string): string | null =>
  hostname.endsWith(`.${domain}`) ? hostname.slice(0, -domain.length - 1) : null;

/** Returns the host of an address without the dot that a full name may end with: `a.example.` is `a.example`. */
function plainHost(url: string): URL {
  const asked = new URL(url);
  asked.hostname = asked.hostname.replace(/\.$/, "");
  return asked;
}

/** Looks for what a host shows, and remembers it. */
async function mountOf(
  name: { readonly vanityId: string } | { readonly host: string },
  host: string,
  { baseUrl }: Settings,
  env: Env,
): Promise<Mount | null> {
  const found = await findHosted(replicaReader(sharedDatabase(env)), name);
  const address = `${new URL(baseUrl).protocol}//${host}`;
  // A host below the domain is never the service's own, also if no blog has it.
  const unknown = "vanityId" in name ? hostMount(name.vanityId, null, address) : null;
  const mount = found === null ? unknown : hostMount(found.vanityId, found, address, "host" in name ? found._id : null);
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(host, { mount, until: Date.now() + KEPT_MS });
  return mount;
}

/**
 * Returns how a host shows a blog's site. If it is the address that the blog names (`siteUrl`), articles have the
 * blog's own paths, and search engines are told that the site is there.
 */
function hostMount(vanityId: string, blog: HostedBlog | null, address: string, blogId: string | null = null): Mount {
  const isHome = blog?.siteUrl === address;
  return {
    vanityId,
    blogId,
    prefix: "",
    articlePath: isHome ? blog.articlePath : DEFAULT_ARTICLE_PATH,
    root: isHome ? address : null,
  };
}

const siteApp = (mount: Mount): Hono<AppEnv> => appWith((c) => mountedReply(c, mount, segmentsOf(c.req.path)));

/** Returns an application that answers every request in one way. */
const appWith = (handle: Parameters<typeof observed>[1]): Hono<AppEnv> =>
  new Hono<AppEnv>().all("*", observed("site", handle));
