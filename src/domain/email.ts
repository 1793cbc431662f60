import { parseHost } from "./hosts.ts";

/**
 * Returns an email address trimmed, in lower case, and with its domain in Punycode, as browsers send it in forms.
 * Returns an invalid address unchanged but for trimming and case.
 */
export function normalizeEmail(text: string): string {
  const address = text.trim().toLowerCase();
  const domain = address.slice(address.lastIndexOf("@") + 1);
  const host = /^\p{ASCII}*$/u.test(domain) ? null : parseHost(domain);
  return host === null ? address : address.slice(0, -domain.length) + host;
}
