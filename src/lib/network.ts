/**
 * Returns the networks by which the rate limits count an IP address, the smallest first. For IPv4: only the address.
 * For IPv6: its /64, /56 and /48. One connection usually owns a /64, a household often a /56 (256 of them), and a
 * company or tunnel a /48 (65,536 of them). Returns "unknown" if there is no address.
 */
export function networksOf(address: string | undefined): readonly [string, ...string[]] {
  if (address === undefined) return ["unknown"];
  if (!address.includes(":")) return [address];
  const [head = "", tail] = address.toLowerCase().split("::");
  const groups = head.split(":").filter((group) => group !== "");
  const rest = tail === undefined ? [] : tail.split(":").filter((group) => group !== "");
  const missing = tail === undefined ? 0 : Math.max(0, 8 - groups.length - rest.length);
  const all = [...groups, ...Array<string>(missing).fill("0"), ...rest].map((group) => group.replace(/^0+(?=.)/, ""));
  const site = all.slice(0, 3).join(":");
  const [subnet = "0"] = all.slice(3);
  // A /56 ends in the middle of the fourth group: replace the group's last two hexadecimal digits by zeros.
  const upper = subnet.length > 2 ? `${subnet.slice(0, -2)}00` : "0";
  return [`${site}:${subnet}::/64`, `${site}:${upper}::/56`, `${site}::/48`];
}

/** Returns whether a URL's `hostname` is a loopback address (RFC 1122, 3.2.1.3; RFC 4291, 2.5.3). Names are not. */
export const isLoopbackAddress = (hostname: string): boolean =>
  hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Returns whether a URL's `hostname` is `localhost`, `127.0.0.1` or `[::1]`. The rest of 127.0.0.0/8 and `*.localhost`
 * do not count.
 */
export const isLoopbackHost = (hostname: string): boolean => LOOPBACK_HOSTS.has(hostname);
