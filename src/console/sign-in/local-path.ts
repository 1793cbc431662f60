import type { ConsoleContext } from "../env.ts";

/** A path of the console from an address or a form; everything else, other hosts above all, is the start. */
export function localPath(c: ConsoleContext, asked: string | undefined): string {
  const { origin } = new URL(c.req.url);
  if (!asked?.startsWith("/") || !URL.canParse(asked, origin)) return "/console";
  const url = new URL(asked, origin);
  const within = url.origin === origin && (url.pathname === "/console" || url.pathname.startsWith("/console/"));
  return within ? url.pathname + url.search : "/console";
}
