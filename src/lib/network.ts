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
