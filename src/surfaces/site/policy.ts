/** What a page of a site may load, run and send. */
import { pathTo, PLACES, type Site } from "./place.ts";
import type { Shows } from "./players.ts";

type Page = { readonly site?: Site; readonly shows?: Shows };

/**
 * Returns the Content-Security-Policy. There is no script. `sandbox` gives the page an origin that nobody shares: whatever an
 * article managed to be, it would have no rights at the console's, and what it sends carries none of the console's cookies.
 *
 * Frames inherit the sandbox, and no player works without scripts and its own origin. So a page with a frame keeps its origin,
 * and nothing but what else is here: no script of its own, and forms that reach the search and subscribing only.
 */
export function policyOf(style: string, baseUrl: string, { site, shows }: Page = {}) {
  const { frames = [], media = false } = shows ?? {};
  // A local run is at http.
  const http = baseUrl.startsWith("http:") ? " http:" : "";
  // On a host of its own, a page has no rights at the console's origin anyway.
  const isOwn = frames.length > 0 && site !== undefined && site.prefix !== "";
  const forms = isOwn
    ? `${baseUrl}${pathTo(site, PLACES.search())} ${baseUrl}/blogs/${site.blog._id}/subscribe`
    : `'self' ${baseUrl}`;
  return [
    "default-src 'none'",
    `style-src ${style}`,
    // Pictures are from anywhere, as writers choose, and so are sounds and films.
    `img-src 'self' https: data:${http}`,
    ...(media ? [`media-src 'self' https:${http}`] : []),
    ...(frames.length > 0 ? [`frame-src ${frames.join(" ")}`] : []),
    // The search is on this host, and subscribing at the service's own address.
    `form-action ${forms}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    `sandbox allow-forms allow-downloads allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation${frames.length > 0 ? " allow-scripts allow-same-origin allow-presentation" : ""}`,
  ].join("; ");
}
