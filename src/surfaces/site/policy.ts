import { toPath, PLACES, type Site } from "./place.ts";
import type { EmbeddedContent } from "./players.ts";

type Page = { readonly site?: Site; readonly shows?: EmbeddedContent };

/**
 * Returns the Content-Security-Policy of a page. It allows no scripts. `sandbox` gives the page an opaque origin: even a
 * malicious article has no rights at the console's origin, and its requests carry none of the console's cookies.
 *
 * Frames inherit the sandbox, and players need scripts and their own origin. So a page with a frame keeps its origin, and
 * its forms may only search and subscribe.
 */
export function buildPolicy(style: string, baseUrl: string, { site, shows }: Page = {}) {
  const { frames = [], media = false } = shows ?? {};
  const http = baseUrl.startsWith("http:") ? " http:" : "";
  // A page on its own host has no rights at the console's origin anyway.
  const isOwn = frames.length > 0 && site !== undefined && site.prefix !== "";
  const forms = isOwn
    ? `${baseUrl}${toPath(site, PLACES.search())} ${baseUrl}/blogs/${site.blog._id}/subscribe`
    : `'self' ${baseUrl}`;
  return [
    "default-src 'none'",
    `style-src ${style}`,
    // Writers may use pictures, audio and video from anywhere.
    `img-src 'self' https: data:${http}`,
    ...(media ? [`media-src 'self' https:${http}`] : []),
    ...(frames.length > 0 ? [`frame-src ${frames.join(" ")}`] : []),
    // The search is on this host, subscribing at the service's base URL.
    `form-action ${forms}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    `sandbox allow-forms allow-downloads allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation${frames.length > 0 ? " allow-scripts allow-same-origin allow-presentation" : ""}`,
  ].join("; ");
}
