/**
 * Returns the networks by which rate limits count an IP address, the smallest first. IPv4: only the address. IPv6: its
 * /64 (usually one connection), /56 (often a household) and /48 (a company or tunnel). Returns "unknown" if there is no
 * address.
 */
export function listNetworks(address: string | undefined): readonly [string, ...string[]] {
  if (address === undefined) return ["unknown"];
  if (!address.includes(":")) return [address];
  const [head = "", tail] = address.toLowerCase().split("::");
  const groups = head.split(":").filter((group) => group !== "");
  const rest = tail === undefined ? [] : tail.split(":").filter((group) => group !== "");
  const missing = tail === undefined ? 0 : Math.max(0, 8 - groups.length - rest.length);
  const all = [...groups, ...Array<string>(missing).fill("0"), ...rest].map((group) => group.replace(/^0+(?=.)/, ""));
  const site = all.slice(0, 3).join(":");
  const [subnet = "0"] = all.slice(3);
  // A /56 ends in the middle of the fourth group: zero the group's last two hexadecimal digits.
  const upper = subnet.length > 2 ? `${subnet.slice(0, -2)}00` : "0";
  return [`${site}:${subnet}::/64`, `${site}:${upper}::/56`, `${site}::/48`];
}

/** Returns whether a URL's `hostname` is a loopback address (RFC 1122, 3.2.1.3; RFC 4291, 2.5.3). Names are not. */
export const isLoopbackAddress = (hostname: string): boolean =>
  hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);

/** Returns whether a URL's `hostname` is exactly `localhost`, `127.0.0.1` or `[::1]`. */
export const isLoopbackHost = (hostname: string): boolean => ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
