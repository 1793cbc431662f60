/** Brings a model's Markdown into the form of an article, and removes what is not allowed (sanitize.ts). */
import { listHeadings, toLine, parse, type Content, type Root } from "./markdown.ts";
import { sanitize, type Label, type Removed, type Rules } from "./sanitize.ts";

export type Tidy = { readonly blocks: Content[]; readonly removed: Removed };

/**
 * Returns the blocks below a section's heading. Removes thematic breaks, headings of level 1 and repetitions of the
 * section's heading from the start. The other headings begin at level 3 and skip no level.
 * @param mark a prefix for footnote labels, so that those of two sections differ.
 */
export function tidySection(markdown: string, heading: string, mark: string, rules: Rules): Tidy {
  const { blocks, removed } = tidy(markdown, rules, (label) => `${mark}-${label}`);
  const start = blocks.findIndex((block) => !isRepetition(block, heading));
  const section = start < 0 ? [] : blocks.slice(start);
  nestHeadings(section);
  return { blocks: section, removed };
}

/** Returns the blocks of the lead, the text before the first heading. Removes headings from it. */
export function tidyLead(markdown: string, rules: Rules): Tidy {
  const { blocks, removed } = tidy(markdown, rules, (label) => `0-${label}`);
  return { blocks: blocks.filter(({ type }) => type !== "heading"), removed };
}

/** Returns the blocks of a part of a longer text. `footnotes` are the labels that other parts define. */
export function tidyPart(markdown: string, footnotes: readonly string[], rules: Rules): Tidy {
  return tidy(markdown, rules, (label) => label, footnotes);
}

const isRepetition = (block: Content, heading: string): boolean =>
  block.type === "thematicBreak" ||
  (block.type === "heading" && (block.depth === 1 || foldText(toLine(block)) === foldText(heading)));

const foldText = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}]/gu, "");

/** The levels of headings within a section, by depth. Deeper ones get level 6. */
const LEVELS = [3, 4, 5] as const;

function nestHeadings(blocks: Content[]): void {
  const above: number[] = [];
  for (const heading of listHeadings(blocks)) {
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
  const text = unwrapFence(asIs) ?? markdown;
  // The parser reads a reference only if its footnote is defined, so a definition is added and removed afterwards.
  const lent = footnotes.filter((label) => text.includes(`[^${label}]`) && !text.includes(`[^${label}]:`));
  if (text === markdown && lent.length === 0) return asIs;
  const tree = parse([text, ...lent.map((label) => `[^${label}]: ${LENT}`)].join("\n\n"));
  return { ...tree, children: tree.children.filter((block) => !isLent(block)) };
}

/** Returns the content of a code fence around the whole answer, or null. Models often answer like this. */
function unwrapFence({ children: [block, ...others] }: Root): string | null {
  const isFence = others.length === 0 && block?.type === "code" && /^(?:markdown|md)$/i.test(block.lang ?? "");
  return isFence ? block.value : null;
}

const LENT = "defined-elsewhere";
const isLent = (block: Content): boolean => block.type === "footnoteDefinition" && toLine(block) === LENT;
