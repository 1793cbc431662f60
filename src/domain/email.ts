/** E-mail addresses as they are stored and compared. */
import { hostOf } from "./hosts.ts";

/**
 * Returns an e-mail address without white space around it, in lower case, and with its domain in Punycode: browsers write an
 * international one so in a form, but programs as people do. What is no address stays none.
 */
export function emailOf(text: string): string {
  const address = text.trim().toLowerCase();
  const domain = address.slice(address.lastIndexOf("@") + 1);
  const host = /^\p{ASCII}*$/u.test(domain) ? null : hostOf(domain);
  return host === null ? address : address.slice(0, -domain.length) + host;
}
