import type { ConsoleContext } from "../env.ts";

/** A path of the console from an address or a form; everything else, other hosts above all, is the start. */
export function localPath(c: ConsoleContext, asked: string | undefined, start = "/console"): string {
  const { origin } = new URL(c.req.url);
  if (!asked?.startsWith("/") || !URL.canParse(asked, origin)) return start;
  const url = new URL(asked, origin);
  const within = url.origin === origin && (url.pathname === "/console" || url.pathname.startsWith("/console/"));
  return within ? url.pathname + plain(url.searchParams) : start;
}

/** The parameters, with all characters escaped that better-auth does not take in a path to come back to. */
function plain(parameters: URLSearchParams): string {
  return parameters.size === 0 ? "" : `?${parameters.toString().replaceAll("*", "%2A")}`;
}

/** A path with where to go afterwards, where that is not its own end. */
export const withNext = (path: string, next: string | undefined): string =>
  next === undefined || next === "" || next === "/console" ? path : `${path}?next=${encodeURIComponent(next)}`;
