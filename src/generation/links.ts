/** Which links an article may have. Sources and models cannot add any: that is what keeps planted links out. */
import { visit } from "unist-util-visit";
import { BARE_URLS, mailsIn } from "../lib/addresses.ts";
import type { Brief } from "./brief.ts";
import { definitionsOf, lineOf, parse, type ContentOf } from "./markdown.ts";

/** From a normalized target to the target as it is to be written. */
type Targets = ReadonlyMap<string, string>;

export type LinkRules = {
  /** What a link with a text of its own may lead to. */
  readonly linked: Targets;
  /** What may stand as a bare address. */
  readonly bare: Targets;
  /** E-mail addresses that may appear in the text, in lower case: GitHub's Markdown makes links of them. */
  readonly mails: ReadonlySet<string>;
};

/**
 * The blog's articles as `/{slug}`, the addresses in the caller's own words, an idea's own address, and what a
 * source article links to. A source's bare addresses are text in which anything may be planted: a translation
 * may repeat them as they are, nothing makes links of them. Addresses of mail are the caller's and the source's.
 */
export function linkRules({ blog, instructions, subject }: Brief): LinkRules {
  const targets = blog.articles.map(({ slug }) => internalTarget(slug)).concat(addressesIn(instructions));
  const bare: string[] = [];
  const mails = mailsIn(instructions);
  if (subject.kind === "topic") {
    targets.push(...addressesIn(subject.topic));
    mails.push(...mailsIn(subject.topic));
  }
  if (subject.kind === "idea" && isOnTheWeb(subject.idea.url)) targets.push(subject.idea.url);
  if (subject.kind === "rewrite" || subject.kind === "translation") {
    const links = linksOf(subject.article.content);
    targets.push(...links.written);
    if (subject.kind === "translation") bare.push(...links.literal);
    mails.push(...mailsIn(subject.article.content));
  }
  return { linked: targetsOf(targets), bare: targetsOf(targets.concat(bare)), mails: new Set(mails) };
}

export const internalTarget = (slug: string): string => `/${slug}`;

/** The target as it is to be written, or null where no link may lead there. Compared whole, never by prefix. */
export function allowed(targets: Targets, target: string): string | null {
  const normalized = normalize(target);
  return normalized === null ? null : (targets.get(normalized) ?? null);
}

function targetsOf(targets: readonly string[]): Targets {
  const known = new Map<string, string>();
  for (const target of targets) {
    const normalized = normalize(target);
    if (normalized !== null && !known.has(normalized)) known.set(normalized, target);
  }
  return known;
}

const PROTOCOLS = new Set(["https:", "http:", "mailto:", "tel:"]);

/** As the URL Standard normalizes it; null for anything that is not an address or could run something. */
function normalize(target: string): string | null {
  // Targets within the blog need a base to be parsed, one that nobody can have.
  const url = URL.parse(target, "https://blog.invalid");
  return url !== null && PROTOCOLS.has(url.protocol) ? url.href : null;
}

/** The addresses in a person's own text, whatever surrounds them. */
function addressesIn(text: string): string[] {
  const { written, literal } = linksOf(text);
  // Also those in code, and those that run into letters of a script without spaces.
  const runs = text.match(/https?:\/\/[!#$%&'()*+,./0-9:;=?@A-Z[\]_a-z~-]+/g) ?? [];
  const ended = runs.map((run) => run.replace(/["'),.:;!?\]*_]+$/, ""));
  return [...written, ...literal, ...runs, ...ended].filter(isOnTheWeb);
}

const isOnTheWeb = (target: string): boolean => /^https?:\/\//i.test(target);

/** The targets of a Markdown text's links: those written as such, and addresses that only stand there. */
export function linksOf(markdown: string): { written: string[]; literal: string[] } {
  const links: { written: string[]; literal: string[] } = { written: [], literal: [] };
  const text = markdown.toWellFormed();
  const tree = parse(text);
  const definitions = definitionsOf(tree);
  visit(tree, (node) => {
    if (node.type === "linkReference") links.written.push(definitions.get(node.identifier) ?? "");
    // An address of mail in a text is no more than text.
    if (node.type !== "link" || isMailLiteral(node)) return;
    const start = node.position?.start.offset;
    const isWritten = start !== undefined && (text[start] === "[" || text[start] === "<");
    links[isWritten ? "written" : "literal"].push(node.url);
  });
  return links;
}

/** Whether a link is an address of mail that GitHub's Markdown, or angle brackets, made a link. */
export function isMailLiteral(link: ContentOf<"link">): boolean {
  const text = lineOf(link);
  return /^(?:mailto|xmpp):/i.test(link.url) && (link.url === text || link.url === `mailto:${text}`);
}

/** The address that a text begins with, or "". */
export function addressAtStart(text: string): string {
  const [address = ""] = text.match(BARE_URLS) ?? [];
  return text.startsWith(address) ? address : "";
}
