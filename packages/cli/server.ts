import { isLoopbackAddress } from "../../src/lib/network.ts";
import { usageError, CliError, EXIT } from "./failure.ts";

/** The address of the local server that `npm start` runs. */
export const DEFAULT_SERVER = "http://127.0.0.1:8787";

/**
 * Returns the origin of a server's address. Throws a usage error if it is not an http or https address, or has more
 * than an origin; and `insecure_server` for http to another machine, because credentials must be encrypted on the way.
 */
export function parseServer(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw usageError(`${address} is not the URL of a server.`, "It should look like https://press.example.com");
  }
  if (url.username !== "" || url.password !== "") {
    throw usageError("The URL of a server must not contain credentials.", "Use edgepress login, or EDGEPRESS_API_KEY.");
  }
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "") {
    throw usageError(`The URL of a server must not contain a path: ${url.origin}`);
  }
  // RFC 8252, 8.3: the name "localhost" may resolve to another machine. With one address there is also one sign-in.
  if (url.hostname === "localhost") url.hostname = "127.0.0.1";
  if (url.protocol === "http:" && !isLoopback(url.origin)) {
    throw new CliError("insecure_server", `${url.origin} is not on this machine. Use https.`, EXIT.usage);
  }
  return url.origin;
}

export const isLoopback = (server: string): boolean => isLoopbackAddress(new URL(server).hostname);
