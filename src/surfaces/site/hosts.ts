/**
 * Hosts that show a site and nothing else (contract 21.6): `{vanityId}.{SITE_DOMAIN}`, and custom domains that a blog has
 * verified. Loaded on first use.
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

/** Milliseconds that an isolate remembers what a host shows. */
const KEPT_MS = 60_000;
const MOST_KEPT = 1000;

const kept = new Map<string, { readonly mount: Mount | null; readonly until: number }>();

/**
 * Returns the application for the host of a request, or null for a host of the service itself. Never throws: if the lookup
 * fails, the application answers with the error.
 */
export async function appOfHost(request: Request, env: Env): Promise<Hono<AppEnv> | null> {
  try {
    const mount = await mountOfHost(request, env);
    return mount && appWith((c) => mountedReply(c, mount, segmentsOf(c.req.path)));
  } catch (error) {
    return appWith(() => {
      throw error;
    });
  }
}

/** Returns the site that a host shows, or null for a host of the service itself. Throws `rate_limited`. */
async function mountOfHost(request: Request, env: Env): Promise<Mount | null> {
  const { host, hostname } = plainHost(request.url);
  const settings = settingsFor(env);
  const { baseUrl, siteDomain } = settings;
  // Without a base URL, the service cannot tell its own hosts from others.
  if (baseUrl === "" || new URL(baseUrl).hostname === hostname || isLoopbackHost(hostname)) return null;
  // Ignore the port: the platform accepts requests at several.
  const label = siteDomain === "" ? null : labelBelow(siteDomain.replace(/:\d+$/, ""), hostname);
  if (label !== null && !isVanityId(label)) return null;
  const known = kept.get(host);
  if (known !== undefined && known.until > Date.now()) return known.mount;
  await limitHostLookups(env, request);
  return mountOf(label === null ? { host: hostname } : { vanityId: label }, host, settings, env);
}

/** Returns the part of a host name before a domain, or null if the host is not below the domain. */
const labelBelow = (domain: string, hostname: string): string | null =>
  hostname.endsWith(`.${domain}`) ? hostname.slice(0, -domain.length - 1) : null;

/** Removes the dot at the end of a fully qualified host name: `a.example.` is `a.example`. */
function plainHost(url: string): URL {
  const asked = new URL(url);
  asked.hostname = asked.hostname.replace(/\.$/, "");
  return asked;
}

async function mountOf(
  name: { readonly vanityId: string } | { readonly host: string },
  host: string,
  { baseUrl }: Settings,
  env: Env,
): Promise<Mount | null> {
  const found = await findHosted(replicaReader(sharedDatabase(env)), name);
  const address = `${new URL(baseUrl).protocol}//${host}`;
  // A host below the domain never belongs to the service itself, even if no blog has it.
  const unknown = "vanityId" in name ? hostMount(name.vanityId, null, address) : null;
  const mount = found === null ? unknown : hostMount(found.vanityId, found, address, "host" in name ? found._id : null);
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(host, { mount, until: Date.now() + KEPT_MS });
  return mount;
}

/** If the host is the blog's `siteUrl`, articles have the blog's own paths, and search engines find the site there. */
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

const appWith = (handle: Parameters<typeof observed>[1]): Hono<AppEnv> =>
  new Hono<AppEnv>().all("*", observed("site", handle));
