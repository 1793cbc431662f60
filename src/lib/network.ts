/**
 * The networks that an address is counted by, the smallest first. Of IPv4 it is the address alone. Of IPv6 it is the
 * /64 that one connection owns all of, and the /56 and the /48 around it: households often own a /56, and companies or
 * tunnels a /48, which are 256 and 65,536 times a /64.
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
  // The fourth group's upper half; its lower half is two hexadecimal digits.
  const upper = subnet.length > 2 ? `${subnet.slice(0, -2)}00` : "0";
  return [`${site}:${subnet}::/64`, `${site}:${upper}::/56`, `${site}::/48`];
}

/** Whether a URL's `hostname` is an address of this computer (RFC 1122, 3.2.1.3; RFC 4291, 2.5.3), and no name. */
export const isLoopbackAddress = (hostname: string): boolean =>
  hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether a URL's `hostname` is this computer: exactly these, not the rest of 127.0.0.0/8 or `*.localhost`. */
export const isLoopbackHost = (hostname: string): boolean => LOOPBACK_HOSTS.has(hostname);
