/** Merges two people's changes to the same article: field by field, and long texts line by line. */
import { diff3Merge } from "node-diff3";
import { ARTICLE_TEXTS, isMultiline, TEXTS } from "../../../src/domain/article-fields.ts";
import { LABELS } from "../../../src/surfaces/console/articles/field-labels.ts";
import { splitAtCommas, normalizeLineBreaks } from "../../../src/lib/text.ts";
import type { Values } from "./fields.ts";

/** A part that both have changed in different ways, as lines. */
export type Overlap = {
  readonly name: string;
  readonly label: string;
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
};

/** Merged lines, or an overlap that needs a choice. */
type Part = readonly string[] | Overlap;

export type Merged = Readonly<Record<string, readonly Part[]>>;

const LONG = new Set<string>([...TEXTS.filter(isMultiline), "seoDescription"]);
/** Texts of one line that can be joined. */
const TITLES = new Set<string>([...TEXTS.filter((name) => ARTICLE_TEXTS[name].kind === "line"), "seoTitle"]);
const LISTS = new Set(["tags", "authors"]);

/** The most lines that are compared line by line. More could block the browser for seconds. */
const MOST_LINES = 30_000;

/** Merges all fields of `mine` with `theirs`. `base` is what both began with. */
export function merge(base: Values, mine: Values, theirs: Values): Merged {
  const parts = (name: string) => mergeField(name, base[name] ?? "", mine[name] ?? "", theirs[name] ?? "");
  return Object.fromEntries(Object.keys(mine).map((name) => [name, parts(name)]));
}

function mergeField(name: string, base: string, mine: string, theirs: string): readonly Part[] {
  if (mine === theirs || theirs === base) return [[mine]];
  if (mine === base) return [[theirs]];
  if (LISTS.has(name)) return [[mergeLists(splitAtCommas(base), splitAtCommas(mine), splitAtCommas(theirs))]];
  const label = LABELS[name] ?? name;
  const [a, o, b] = [splitLines(mine), splitLines(base), splitLines(theirs)];
  if (!LONG.has(name) || a.length + o.length + b.length > MOST_LINES) {
    return [{ name, label, mine: [mine], theirs: [theirs] }];
  }
  let line = 1;
  return (diff3Merge(a, o, b, { excludeFalseConflicts: true }) as Region[]).map(({ ok, conflict }) => {
    const from = line;
    line += (ok ?? conflict?.a ?? []).length;
    if (conflict === undefined) return ok ?? [];
    return { name, label: `${label}, line ${from}`, mine: conflict.a, theirs: conflict.b };
  });
}

/** Returns `mine` without what they removed, and with what they added. */
function mergeLists(base: readonly string[], mine: readonly string[], theirs: readonly string[]): string {
  const kept = mine.filter((each) => theirs.includes(each) || !base.includes(each));
  const added = theirs.filter((each) => !base.includes(each) && !mine.includes(each));
  return [...kept, ...added].join(", ");
}

type Region = { readonly ok?: string[]; readonly conflict?: { readonly a: string[]; readonly b: string[] } };

const splitLines = (text: string): string[] => normalizeLineBreaks(text).split("\n");

const isOverlap = (part: Part): part is Overlap => "mine" in part;

export const listOverlaps = (merged: Merged): Overlap[] =>
  Object.values(merged).flatMap((parts) => parts.filter(isOverlap));

/** Whether both sides of an overlap can be kept. A URL or a language has only one value. */
export const canKeepBoth = ({ name }: Overlap): boolean => LONG.has(name) || TITLES.has(name);

export type Choice = "mine" | "theirs" | "both";

/** Returns the merged values. `choices` has one for each overlap, in the order of {@link listOverlaps}. */
export function resolveOverlaps(merged: Merged, choices: readonly Choice[] = []): Values {
  let next = 0;
  const linesIn = (part: Part): readonly string[] => {
    if (!isOverlap(part)) return part;
    const choice = choices[next++] ?? "mine";
    if (choice !== "both") return part[choice];
    const both = [...part.mine, ...part.theirs];
    return LONG.has(part.name) ? both : [both.join(" ")];
  };
  return Object.fromEntries(Object.entries(merged).map(([name, parts]) => [name, parts.flatMap(linesIn).join("\n")]));
}
