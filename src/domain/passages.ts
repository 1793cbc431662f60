/** Who wrote which lines of a text, by its former states. */
import { LIMITS } from "./limits.ts";

/** A state of a text, the newest first. States are numbered, and a missing number is a state that is not kept. */
export type TextState = {
  readonly number: number;
  /**
   * Whether it is a state of the working copy. Such states are numbered before that of the article which readers saw
   * meanwhile; the state of the article after that one may have their texts.
   */
  readonly workingCopy: boolean;
  /** Whether it brought back an earlier state. */
  readonly restores: boolean;
};

/** Maps each line of a text to the index of its line in the text before; undefined for new lines. */
type Matches = readonly (number | undefined)[];

/**
 * Returns for each line of the newest state the index of the state with which it came, or null if that is not known: it is
 * older than the states that are kept, or too much differs to compare. `read` returns the text of a state. Returns null if
 * the text has too many lines.
 */
export async function attributeLines(
  states: readonly TextState[],
  read: (index: number) => Promise<string>,
): Promise<(number | null)[] | null> {
  const newest = toLines(await read(0));
  if (newest.length > LIMITS.comparedLines) return null;
  const owners: (number | null)[] = newest.map(() => null);
  const match = await makeMatcher(read);
  let at = 0;
  // The lines whose state is not found yet: their places in the text of `at`, and in the newest one.
  let pending = newest.map((_, line) => ({ place: line, line }));
  const give = (some: Pending, owner: number | null) => some.forEach(({ line }) => (owners[line] = owner));
  while (pending.length > 0) {
    const restored = states[at]?.restores ? await findSame(states, at, read) : undefined;
    if (restored !== undefined) at = restored;
    const before = states.findIndex(({ workingCopy }, index) => index > at && !workingCopy);
    if (before === -1) {
      const isFirst = isWhole(states.slice(at)) && states.at(-1)?.number === 1;
      give(pending, isFirst ? at : null);
      break;
    }
    const matches = await match(before, at);
    if (matches === null) break;
    const fresh = pending.filter(({ place }) => matches[place] === undefined);
    if (isWhole(states.slice(at, before + 1)))
      await giveFresh(fresh, { at, copies: listCopies(states, before) }, match, give);
    pending = move(pending, matches);
    at = before;
  }
  return owners;
}

type Pending = readonly { readonly place: number; readonly line: number }[];

/** Returns where these lines are in the text before, without the new ones. */
const move = (pending: Pending, matches: Matches) =>
  pending.flatMap(({ place, line }) => {
    const former = matches[place];
    return former === undefined ? [] : [{ place: former, line }];
  });

/** Whether no state between these is missing. */
const isWhole = (states: readonly TextState[]): boolean =>
  states.every(({ number }, index) => index === 0 || number === (states[index - 1]?.number ?? 0) - 1);

/** Gives new lines of a state to it, or to the state of the working copy, of `copies`, with which they came. */
async function giveFresh(
  fresh: Pending,
  { at, copies }: { readonly at: number; readonly copies: readonly number[] },
  match: Matcher,
  give: (some: Pending, owner: number) => void,
): Promise<void> {
  let rest = fresh;
  let owner = at;
  for (const copy of copies) {
    const matches = rest.length === 0 ? null : await match(copy, owner);
    if (matches === null) break;
    give(
      rest.filter(({ place }) => matches[place] === undefined),
      owner,
    );
    rest = move(rest, matches);
    owner = copy;
  }
  give(rest, owner);
}

/** Returns the indexes of the states of the working copy that directly follow this one. */
function listCopies(states: readonly TextState[], index: number): number[] {
  const next = states.findIndex(({ workingCopy }, other) => other > index && !workingCopy);
  const end = next === -1 ? states.length : next;
  return Array.from({ length: end - index - 1 }, (_, nth) => index + 1 + nth);
}

/** Returns the index of the newest earlier state of the article with the same text; undefined if none is kept. */
async function findSame(
  states: readonly TextState[],
  at: number,
  read: (index: number) => Promise<string>,
): Promise<number | undefined> {
  const text = await read(at);
  for (let index = at + 1; index < states.length; index++) if ((await read(index)) === text) return index;
  return undefined;
}

type Matcher = (before: number, after: number) => Promise<Matches | null>;

/** Returns the function that compares two states. It returns null once all comparisons together cost too much. */
async function makeMatcher(read: (index: number) => Promise<string>): Promise<Matcher> {
  const { diffArrays } = await import("diff");
  let steps: number = LIMITS.comparedLineSteps;
  return async (before, after) => {
    const [old, current] = [await read(before), await read(after)];
    const [oldLines, lines] = [toLines(old), toLines(current)];
    if (old === current) return lines.map((_, line) => line);
    const total = oldLines.length + lines.length;
    const maxEditLength = Math.min(LIMITS.differentLines, Math.floor(steps / total));
    if (total > LIMITS.comparedLines || Math.abs(oldLines.length - lines.length) > maxEditLength) return null;
    const parts = diffArrays(oldLines, lines, { maxEditLength });
    const changed = parts?.reduce((sum, { added, removed, count }) => sum + (added || removed ? count : 0), 0);
    steps -= total * (changed ?? maxEditLength);
    return parts === undefined ? null : toMatches(parts);
  };
}

type Part = { readonly added: boolean; readonly removed: boolean; readonly count: number };

function toMatches(parts: readonly Part[]): Matches {
  const matches: (number | undefined)[] = [];
  let former = 0;
  for (const { added, removed, count } of parts) {
    if (!removed) for (let line = 0; line < count; line++) matches.push(added ? undefined : former + line);
    if (!added) former += count;
  }
  return matches;
}

export const toLines = (text: string): string[] => text.split("\n");
