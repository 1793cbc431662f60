/**
 * Which saves keep no former state, so that hours of typing leave few (contract 18.7): those that go on with what the
 * same writer has saved shortly before, and take little away.
 */
import { sql } from "drizzle-orm";
import { commonEnds } from "../../lib/ends.ts";
import type { Writer } from "../core/writer.ts";
import type { Optional } from "../core/preconditions.ts";
import type { SearchedTexts } from "./search-index.ts";
import { articles, revisions } from "../../schema/articles.ts";

/** How long saves go on with a state, from when it began, in milliseconds. */
const WINDOW_MS = 10 * 60_000;

/**
 * How many characters a save may take away at most, and how many if they are more than half of all. More may be what somebody
 * wants back.
 */
const MOST_REMOVED = 200;
const MOST_OF_SHORT = 20;

type Texts = Omit<SearchedTexts, "text">;

/** A state that somebody is writing, as it was read before a save. */
export type Begun = Texts & {
  /** When it began: when the former state before it ended, or the whole was created. */
  readonly began: string;
  /** 1 if the writer has saved it in the same way. */
  readonly isOwn: number;
};

/** Returns whether a save of these texts goes on with the state. */
export function goesOn({ now }: Writer, begun: Begun, saved: Optional<Texts>): boolean {
  if (begun.isOwn === 0 || now().getTime() - Date.parse(begun.began) >= WINDOW_MS) return false;
  let [removed, all] = [0, 0];
  for (const name of ["title", "description", "content"] as const) {
    removed += removedFrom(begun[name], saved[name]);
    all += begun[name].length;
  }
  return removed <= (removed > all / 2 ? MOST_OF_SHORT : MOST_REMOVED);
}

/** Returns how many characters a text loses between the beginning and the end that it has in common with the next one. */
function removedFrom(text: string, next = text): number {
  const { before, after } = commonEnds(text, next);
  return text.length - before - after;
}

/** When the newest former state of an article ended, on a row of `articles`; NULL if it has none. */
export const LAST_END = sql`(select ${revisions.endTime} from ${revisions} where ${revisions.articleId} = ${articles.id}
  order by ${revisions.number} desc limit 1)`;
