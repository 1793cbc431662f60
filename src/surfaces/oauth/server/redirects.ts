/** Checks redirect URIs: https, http on loopback, and private schemes of applications are allowed (RFC 8252, 7). */
import { isLoopbackAddress } from "../../../lib/network.ts";

/** Returns why a redirect URI may not be used, as a sentence for people. Undefined if it may be used. */
export function findRedirectProblem(redirectUri: string): string | undefined {
  // The library refuses a malformed URI itself.
  if (!URL.canParse(redirectUri)) return undefined;
  const { protocol, hostname, username, password } = new URL(redirectUri);
  if (username !== "" || password !== "" || redirectUri.includes("#")) return "It has a user name or a fragment.";
  if (protocol === "https:") return undefined;
  if (protocol === "http:")
    return isLocalHost(hostname) ? undefined : "It is on another computer, but does not use https.";
  return hasPrivateScheme(redirectUri) ? undefined : "Its scheme does not belong to an application.";
}

/** Returns the private scheme of a redirect URI, with its colon. Undefined for https and http. */
export function findPrivateScheme(redirectUri: string): string | undefined {
  const { protocol } = new URL(redirectUri);
  return protocol === "https:" || protocol === "http:" ? undefined : protocol;
}

/**
 * Returns whether a scheme can belong to an application: a reversed domain, such as `com.example.app` (RFC 8252, 7.1), or
 * a word before `//`, as some applications use, unless browsers, operating systems or sites handle that scheme.
 */
function hasPrivateScheme(redirectUri: string): boolean {
  const { protocol, href } = new URL(redirectUri);
  const scheme = protocol.slice(0, -1);
  if (scheme.includes(".")) return true;
  return href.startsWith(`${protocol}//`) && !RESERVED_SCHEMES.has(scheme) && !RESERVED_PREFIX.test(scheme);
}

const isLocalHost = (hostname: string): boolean => hostname === "localhost" || isLoopbackAddress(hostname);

/** Schemes of browsers, of operating systems, and those that sites may register for (HTML, 8.10.1). */
const RESERVED_SCHEMES: ReadonlySet<string> = new Set(
  `about blob data file filesystem ftp ftps javascript vbscript view-source ws wss
  brave chrome chrome-extension chrome-untrusted content devtools edge feed intent jar moz-extension opera resource
  safari-web-extension vivaldi
  afp applescript facetime facetime-audio gopher help itms itms-apps itms-services ldap ldaps macappstore nfs rdp
  rlogin search-ms sftp shell shortcuts smb ssh telnet vnc x-apple-helpbasic x-man-page
  bitcoin geo im irc ircs magnet mailto matrix mms news nntp openpgp4fpr sip sips sms smsto tel urn webcal wtai
  xmpp`.split(/\s+/),
);

const RESERVED_PREFIX = /^(?:web\+|ext\+|ms-)/;
