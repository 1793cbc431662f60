/** The ids of headings, and the targets of links within a text (contract 20.3). */
import type { Heading } from "../../src/domain/rendering.ts";
import { listNodes, walk, type ContentByType, type Root } from "./tree.ts";
import { decodeAddress } from "./parser.ts";
import { getLine, getText } from "./plain-text.ts";

/** The prefix of all ids of headings, so that they differ from other ids of the page. */
export const PREFIX = "h-";
const MOST_ID = 80;

export type Anchors = {
  /** The level on the page, id and text of each heading. Headings without content are left out. */
  readonly headings: ReadonlyMap<ContentByType<"heading">, Heading>;
  /** Returns the id that a link to this fragment leads to; null if there is none. */
  readonly findId: (fragment: string) => string | null;
};

export function makeAnchors(tree: Root, above: number): Anchors {
  const headings = new Map<ContentByType<"heading">, Heading>();
  const level = makeOutline(above);
  const [ours, theirs] = [new Map<string, number>(), new Map<string, number>()];
  const known = new Map<string, string>();
  const late: [string, string][] = [];
  for (const heading of listNodes(tree.children, "heading")) {
    const text = getLine(heading);
    if (text === "" && heading.children.length === 0) continue;
    const name = makeUnique(ours, toHeadingName(text), 2);
    const id = PREFIX + name;
    headings.set(heading, { level: level(heading.depth), id, text });
    const github = makeUnique(theirs, toGitHubName(getText(heading).trim()), 1);
    if (!known.has(github)) known.set(github, id);
    late.push([name, id], [id, id]);
    if (heading.id) late.push([heading.id, id]);
  }
  walk(tree, (node) => {
    const name = node.type === "element" ? (node.attributes["id"] ?? node.attributes["name"]) : undefined;
    if (name !== undefined) late.push([name, PREFIX + name]);
  });
  for (const [name, id] of late) if (!known.has(name)) known.set(name, id);
  return { headings, findId: (fragment) => known.get(fragment) ?? known.get(decodeAddress(fragment)) ?? null };
}

/**
 * Returns a function for the level of each heading, to be called in document order. Levels keep the nesting, lie
 * below `above`, have no gaps, and are at most 6.
 */
export function makeOutline(above: number): (depth: number) => number {
  const open: number[] = [];
  return (depth) => {
    while ((open.at(-1) ?? 0) >= depth) open.pop();
    open.push(depth);
    return Math.min(above + open.length, 6);
  };
}

/** Returns the id of a heading without its prefix, if no earlier heading has it. */
export const toHeadingName = (title: string): string =>
  title
    .slice(0, MOST_ID)
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "") || "section";

/** Returns the anchor of a heading on GitHub and most site generators. Texts from there link to it. */
export const toGitHubName = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");

/** Returns a unique name: the second "notes" is "notes-2" if `first` is 2. */
function makeUnique(times: Map<string, number>, name: string, first: number): string {
  for (let n = times.get(name) ?? first - 1; ; n++) {
    const id = n === first - 1 ? name : `${name}-${n}`;
    times.set(name, n + 1);
    if (n === first - 1 || !times.has(id)) {
      if (id !== name) times.set(id, first);
      return id;
    }
  }
}
