/** The links that an article may contain. Sources and models cannot add others. */
import { BARE_URLS, findEmails } from "../../lib/addresses.ts";
import type { Brief } from "./brief.ts";
import { toLine, listNodes, parse, type ContentByType } from "./markdown.ts";

type Targets = ReadonlyMap<string, string>;

export type LinkRules = {
  /** Targets of links with a text, as in `[text](target)`. */
  readonly linked: Targets;
  /** Addresses without a link text. */
  readonly bare: Targets;
  /** E-mail addresses in lower case. GitHub's Markdown turns them into links. */
  readonly mails: ReadonlySet<string>;
};

/**
 * Allows the blog's articles as `/{slug}`, the addresses in the caller's own text and of sources that are offered, the address of an
 * idea, and the links of a source article. Anybody could plant a bare address in a source article: a translation may repeat it, but not make
 * it a link with a text. E-mail addresses may come from the caller and from a source article.
 */
export function buildLinkRules({
  blog,
  instructions,
  subject,
  sources = [],
}: Pick<Brief, "blog" | "instructions" | "subject" | "sources">): LinkRules {
  const targets = blog.articles.map(({ slug }) => toInternalTarget(slug)).concat(listAddresses(instructions));
  targets.push(...sources.map(({ url }) => url).filter(isOffered));
  const bare: string[] = [];
  const mails = findEmails(instructions);
  if (subject.kind === "topic") {
    targets.push(...listAddresses(subject.topic));
    mails.push(...findEmails(subject.topic));
  }
  if (subject.kind === "idea" && isOnTheWeb(subject.idea.url)) targets.push(subject.idea.url);
  if (subject.kind === "rewrite" || subject.kind === "translation") {
    const links = listLinks(subject.article.content);
    targets.push(...links.written);
    if (subject.kind === "translation") bare.push(...links.literal);
    mails.push(...findEmails(subject.article.content));
  }
  return { linked: toTargets(targets), bare: toTargets(targets.concat(bare)), mails: new Set(mails) };
}

/** Whether texts may link to a source. What stands in a query may be a secret, such as the key of a shared document. */
export function isOffered(source: string): boolean {
  const url = URL.parse(source);
  return url !== null && `${url.search}${url.hash}${url.username}${url.password}` === "";
}

export const toInternalTarget = (slug: string): string => `/${slug}`;

/** Returns the target as it is written, or null if it is not allowed. It must match as a whole, not as a prefix. */
export function findAllowedTarget(targets: Targets, target: string): string | null {
  const normalized = normalize(target);
  return normalized === null ? null : (targets.get(normalized) ?? null);
}

/** Of targets that are equal after normalization, the first one is written. Drops those that cannot be links. */
function toTargets(targets: readonly string[]): Targets {
  const known = new Map<string, string>();
  for (const target of targets) {
    const normalized = normalize(target);
    if (normalized !== null && !known.has(normalized)) known.set(normalized, target);
  }
  return known;
}

const PROTOCOLS = new Set(["https:", "http:", "mailto:", "tel:"]);

/** Normalizes a target by the URL Standard. Returns null if it is invalid, or if its scheme could run code. */
function normalize(target: string): string | null {
  // A target within the blog needs a base URL. Nobody owns `.invalid`.
  const url = URL.parse(target, "https://blog.invalid");
  return url !== null && PROTOCOLS.has(url.protocol) ? url.href : null;
}

/** Returns the web addresses in a person's own text, with and without Markdown. */
function listAddresses(text: string): string[] {
  const { written, literal } = listLinks(text);
  // Also finds addresses in code, and before letters of a script without spaces.
  const runs = text.match(/https?:\/\/[!#$%&'()*+,./0-9:;=?@A-Z[\]_a-z~-]+/g) ?? [];
  const ended = runs.map((run) => run.replace(/["'),.:;!?\]*_]+$/, ""));
  return [...written, ...literal, ...runs, ...ended].filter(isOnTheWeb);
}

const isOnTheWeb = (target: string): boolean => /^https?:\/\//i.test(target);

/** Returns the link targets in a Markdown text: `written` for explicit links, `literal` for bare addresses. */
export function listLinks(markdown: string): { written: string[]; literal: string[] } {
  const links: { written: string[]; literal: string[] } = { written: [], literal: [] };
  for (const link of listNodes(parse(markdown).children, "link")) {
    // A bare e-mail address counts as text.
    if (!isMailLiteral(link)) links[link.written === "bare" ? "literal" : "written"].push(link.url);
  }
  return links;
}

/** Returns true for an e-mail address that GitHub's Markdown or angle brackets turned into a link. */
export function isMailLiteral(link: ContentByType<"link">): boolean {
  const text = toLine(link);
  return /^(?:mailto|xmpp):/i.test(link.url) && (link.url === text || link.url === `mailto:${text}`);
}

export function findLeadingAddress(text: string): string {
  const [address = ""] = text.match(BARE_URLS) ?? [];
  return text.startsWith(address) ? address : "";
}
