/**
 * Finds addresses without brackets (GitHub Flavored Markdown, 6.9). Unlike there, an address ends before Chinese,
 * Japanese and Korean words and punctuation, which may follow without a space.
 */
import { countMatches } from "../../src/lib/text.ts";

/** Scripts without spaces. Korean has spaces, but not before particles. */
const CJK = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}]/u;
const CJK_PUNCTUATION = "\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65‘’“”…";
const END = new RegExp(`[\\s<${CJK_PUNCTUATION}]`, "u");
/** Ends an address before a word: addresses mix scripts only after a slash or another sign. */
const WORD = new RegExp(`(?<=[A-Za-z0-9]\\)?)${CJK.source}`, "u");
const BESIDE_CJK = new RegExp(`${CJK.source}$`, "u");

/** Returns the length of the address at the start of a text, if it begins with `http://` or the like; else 0. */
export function measureAddress(text: string, before: string): number {
  const [scheme = ""] = /^(?:https?|ftp):\/\//i.exec(text) ?? [];
  if (scheme === "" || /[A-Za-z]$/.test(before)) return 0;
  return measureHost(text, scheme.length, before);
}

const LONGEST = 4096;

/** Returns 0 if there is no host at `start`. */
function measureHost(text: string, start: number, before: string): number {
  const host = /^[^\s<>/?#]{1,300}/.exec(text.slice(start, start + 300))?.[0] ?? "";
  const rest = text.slice(start, start + LONGEST);
  const hostEnd = Math.min(
    findEnd(END, host),
    findEnd(WORD, host),
    BESIDE_CJK.test(before) ? findEnd(CJK, host) : LONGEST,
  );
  if (!isHost(host.slice(0, hostEnd).replace(/[^\p{L}\p{N}]+$/u, ""))) return 0;
  const end = Math.min(findEnd(END, rest), findEnd(WORD, rest), BESIDE_CJK.test(before) ? findEnd(CJK, rest) : LONGEST);
  return start + trimPunctuation(rest.slice(0, end)).length;
}

function findEnd(from: RegExp, within: string): number {
  const found = within.search(from);
  return found === -1 ? within.length : found;
}

/** Returns whether a name is a host, perhaps with a port. The last two labels have no underscores. */
const isHost = (name: string): boolean =>
  /^(?:[\p{L}\p{M}\p{N}_-]+\.)*[\p{L}\p{M}\p{N}-]+(?::\d{1,5})?$/u.test(name) &&
  !/_/.test(name.split(".").slice(-2).join("."));

function trimPunctuation(address: string): string {
  const excess = new Map([
    [")", countMatches(address, /\)/g) - countMatches(address, /\(/g)],
    ["]", countMatches(address, /\]/g) - countMatches(address, /\[/g)],
  ]);
  for (let end = address.length; end > 0; end--) {
    const last = address.charAt(end - 1);
    const closing = excess.get(last);
    if (closing !== undefined && closing > 0) excess.set(last, closing - 1);
    else if (last === ";")
      end -= (/&[A-Za-z0-9]+;$/.exec(address.slice(Math.max(0, end - 40), end))?.[0].length ?? 1) - 1;
    else if (closing !== undefined || !/[?!.,:*_~'"]/.test(last)) return address.slice(0, end);
  }
  return "";
}

export type BareLink = { readonly from: number; readonly to: number; readonly url: string };

const CANDIDATE = /(?<![\p{L}\p{N}])www\.(?=[^\s.])|(?<![\w.+-])(?:(?:mailto|xmpp):)?[\w.+-]{1,64}@/giu;
const DOMAIN = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+/;

/** Returns the web addresses without a scheme (`www.`) and the email addresses in a text. */
export function findBareLinks(text: string, before: string): BareLink[] {
  const links: BareLink[] = [];
  if (!/www\.|@/i.test(text)) return links;
  for (const { 0: match, index: from } of text.matchAll(CANDIDATE)) {
    if (from < (links.at(-1)?.to ?? 0)) continue;
    const link = match.endsWith("@") ? findMail(text, from, match) : findHost(text, from, before);
    if (link !== null) links.push(link);
  }
  return links;
}

function findHost(text: string, from: number, before: string): BareLink | null {
  const length = measureHost(text.slice(from, from + LONGEST), 0, (before + text.slice(0, from)).slice(-2));
  const url = text.slice(from, from + length);
  return /^www\.[^/?#]*\w/i.test(url) ? { from, to: from + length, url: `http://${url}` } : null;
}

function findMail(text: string, from: number, start: string): BareLink | null {
  const at = from + start.length;
  const domain = DOMAIN.exec(text.slice(at, at + 255))?.[0] ?? "";
  // The last label has a letter: `name@1.2.3` is a package with its version.
  if (!/\.[^.]*[A-Za-z][^.]*$/.test(domain) || /[_-]$/.test(domain)) return null;
  const address = start + domain;
  return { from, to: at + domain.length, url: /^(?:mailto|xmpp):/i.test(address) ? address : `mailto:${address}` };
}
