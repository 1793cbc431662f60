/** What an address is counted by: itself, or of IPv6 the /64 that one connection owns all of. */
export function networkOf(address: string | undefined): string {
  if (address === undefined) return "unknown";
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.toLowerCase().split("::");
  const groups = head.split(":").filter((group) => group !== "");
  const rest = tail === undefined ? [] : tail.split(":").filter((group) => group !== "");
  const missing = tail === undefined ? 0 : Math.max(0, 8 - groups.length - rest.length);
  const all = [...groups, ...Array<string>(missing).fill("0"), ...rest];
  return `${all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether a URL's `hostname` is this computer: exactly these, not the rest of 127.0.0.0/8 or `*.localhost`. */
export const isLoopbackHost = (hostname: string): boolean => LOOPBACK_HOSTS.has(hostname);
