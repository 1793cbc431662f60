/** Which server is meant, and whether it is safe to talk to. */
import { isLoopbackAddress } from "../lib/network.ts";
import { usage, CliError, EXIT } from "./failure.ts";

/** Where `npm start` listens. */
export const DEFAULT_SERVER = "http://127.0.0.1:8787";

/**
 * Scheme, host and port of a server's address. Throws a usage error for anything else, and for plain http to
 * another machine: credentials never leave this one unencrypted.
 */
export function serverOf(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw usage(`${address} is not a server's address.`, "An address looks like this: https://press.example.com");
  }
  if (url.username !== "" || url.password !== "") {
    throw usage("A server's address must not contain credentials.", "Use edgepress login, or EDGEPRESS_API_KEY.");
  }
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "") {
    throw usage(`A server's address must not contain a path: ${url.origin}`);
  }
  // RFC 8252, 8.3: the address, not the name, because a name may lead anywhere. So one server has one name.
  if (url.hostname === "localhost") url.hostname = "127.0.0.1";
  if (url.protocol === "http:" && !isLoopback(url.origin)) {
    throw new CliError("insecure_server", `${url.origin} is another machine: use https.`, EXIT.usage);
  }
  return url.origin;
}

/** Whether a server's address is this machine's own. */
export const isLoopback = (server: string): boolean => isLoopbackAddress(new URL(server).hostname);
