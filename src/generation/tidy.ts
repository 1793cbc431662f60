/** A model's Markdown in the shape in which an article takes it, without what it may not have (sanitize.ts). */
import { headingsOf, lineOf, parse, type Content, type Root } from "./markdown.ts";
import { sanitize, type Label, type Removed, type Rules } from "./sanitize.ts";

export type Tidy = { readonly blocks: Content[]; readonly removed: Removed };

/**
 * A section as it stands below its heading of the second level. A heading above it or like it goes; the others
 * begin at the third level and go on without jumps.
 * @param mark makes the labels of footnotes the section's own.
 */
export function tidySection(markdown: string, heading: string, mark: string, rules: Rules): Tidy {
  const { blocks, removed } = tidy(markdown, rules, (label) => `${mark}-${label}`);
  const start = blocks.findIndex((block) => !repeats(block, heading));
  const section = start < 0 ? [] : blocks.slice(start);
  nestHeadings(section);
  return { blocks: section, removed };
}

/** Paragraphs that stand before the first heading: headings of their own go. */
export function tidyLead(markdown: string, rules: Rules): Tidy {
  const { blocks, removed } = tidy(markdown, rules, (label) => `0-${label}`);
  return { blocks: blocks.filter(({ type }) => type !== "heading"), removed };
}

/**
 * A part of a longer text, with its headings as they are.
 * @param footnotes labels of notes that are defined in the text's other parts.
 */
export function tidyPart(markdown: string, footnotes: readonly string[], rules: Rules): Tidy {
  return tidy(markdown, rules, (label) => label, footnotes);
}

const repeats = (block: Content, heading: string): boolean =>
  block.type === "thematicBreak" ||
  (block.type === "heading" && (block.depth === 1 || folded(lineOf(block)) === folded(heading)));

const folded = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}]/gu, "");

/** Of headings within a section, by how many they are nested in. */
const LEVELS = [3, 4, 5] as const;

function nestHeadings(blocks: Content[]): void {
  const above: number[] = [];
  for (const heading of headingsOf(blocks)) {
    while ((above.at(-1) ?? 0) >= heading.depth) above.pop();
    above.push(heading.depth);
    heading.depth = LEVELS[above.length - 1] ?? 6;
  }
}

function tidy(markdown: string, rules: Rules, label: Label, footnotes: readonly string[] = []): Tidy {
  const { blocks, removed } = sanitize(parseAnswer(markdown, footnotes), rules, label);
  while (blocks.at(-1)?.type === "thematicBreak") blocks.pop();
  return { blocks, removed };
}

function parseAnswer(markdown: string, footnotes: readonly string[]): Root {
  const asIs = parse(markdown);
  const text = insideOf(asIs) ?? markdown;
  // A reference is only read as one where its note is defined: so it is, and the definition goes again.
  const lent = footnotes.filter((label) => text.includes(`[^${label}]`) && !text.includes(`[^${label}]:`));
  if (text === markdown && lent.length === 0) return asIs;
  const tree = parse([text, ...lent.map((label) => `[^${label}]: ${LENT}`)].join("\n\n"));
  return { ...tree, children: tree.children.filter((block) => !isLent(block)) };
}

/** Models like to put their whole answer into a fence: what is in it, or null. */
function insideOf({ children: [block, ...others] }: Root): string | null {
  const isFence = others.length === 0 && block?.type === "code" && /^(?:markdown|md)$/i.test(block.lang ?? "");
  return isFence ? block.value : null;
}

const LENT = "defined-elsewhere";
const isLent = (block: Content): boolean => block.type === "footnoteDefinition" && lineOf(block) === LENT;
