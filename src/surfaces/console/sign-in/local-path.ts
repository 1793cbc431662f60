import type { ConsoleContext } from "../env.ts";

/**
 * Returns the console path, with its query, that a URL parameter or form field names. Returns `start` if the value is
 * missing or leads anywhere else, above all to another host.
 */
export function toLocalPath(c: ConsoleContext, asked: string | undefined, start = "/console"): string {
  const { origin } = new URL(c.req.url);
  if (!asked?.startsWith("/") || !URL.canParse(asked, origin)) return start;
  const url = new URL(asked, origin);
  const within = url.origin === origin && (url.pathname === "/console" || url.pathname.startsWith("/console/"));
  return within ? url.pathname + formatQuery(url.searchParams) : start;
}

/** Returns the query with "*" escaped, too: better-auth refuses a callback path that contains one. */
function formatQuery(parameters: URLSearchParams): string {
  return parameters.size === 0 ? "" : `?${parameters.toString().replaceAll("*", "%2A")}`;
}

/** Returns the path with `next` as a parameter. Omits it if it is missing or the default, /console. */
export const addNext = (path: string, next: string | undefined): string =>
  next === undefined || next === "" || next === "/console" ? path : `${path}?next=${encodeURIComponent(next)}`;
