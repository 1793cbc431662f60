/** Where access may be sent to: https, http on this computer, and the schemes of applications (RFC 8252, 7). */
import { isLoopbackAddress } from "../../lib/network.ts";

/** Why nothing is sent to a redirect URI, as a sentence for people; undefined for one that may be used. */
export function redirectProblem(redirectUri: string): string | undefined {
  // The library refuses it.
  if (!URL.canParse(redirectUri)) return undefined;
  const { protocol, hostname, username, password } = new URL(redirectUri);
  if (username !== "" || password !== "" || redirectUri.includes("#")) return "It has a user name or a fragment.";
  if (protocol === "https:") return undefined;
  if (protocol === "http:") return isHere(hostname) ? undefined : "It is on another computer, without https.";
  return hasPrivateScheme(redirectUri) ? undefined : "Its scheme is not one of an application's own.";
}

/** The scheme of an application by which the browser hands a redirect URI to it, with its colon; else undefined. */
export function privateSchemeOf(redirectUri: string): string | undefined {
  const { protocol } = new URL(redirectUri);
  return protocol === "https:" || protocol === "http:" ? undefined : protocol;
}

/**
 * Whether the scheme can be an application's own: a domain turned around, such as `com.example.app` (RFC 8252, 7.1), or,
 * as there are applications with others, a word before `//`: unless browsers, systems or other sites act on it.
 */
function hasPrivateScheme(redirectUri: string): boolean {
  const { protocol, href } = new URL(redirectUri);
  const scheme = protocol.slice(0, -1);
  if (scheme.includes(".")) return true;
  return href.startsWith(`${protocol}//`) && !TAKEN.has(scheme) && !TAKEN_PREFIX.test(scheme);
}

const isHere = (hostname: string): boolean => hostname === "localhost" || isLoopbackAddress(hostname);

/** Schemes of browsers, of systems, and those that sites may register themselves for (HTML, 8.10.1). */
const TAKEN: ReadonlySet<string> = new Set(
  `about blob data file filesystem ftp ftps javascript vbscript view-source ws wss
  brave chrome chrome-extension chrome-untrusted content devtools edge feed intent jar moz-extension opera resource
  safari-web-extension vivaldi
  afp applescript facetime facetime-audio gopher help itms itms-apps itms-services ldap ldaps macappstore nfs rdp
  rlogin search-ms sftp shell shortcuts smb ssh telnet vnc x-apple-helpbasic x-man-page
  bitcoin geo im irc ircs magnet mailto matrix mms news nntp openpgp4fpr sip sips sms smsto tel urn webcal wtai
  xmpp`.split(/\s+/),
);

/** Of sites, of extensions, and of Windows. */
const TAKEN_PREFIX = /^(?:web\+|ext\+|ms-)/;
