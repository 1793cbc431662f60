/** The plan of an article: the model's outline as plain text, with the length of each section. */
import { plainLine } from "../../lib/plain-line.ts";
import type { Brief, GivenOutline, Outline } from "./brief.ts";

export type Plan = {
  readonly title: string;
  readonly keyword: string;
  readonly sections: readonly PlannedSection[];
};

export type PlannedSection = {
  readonly heading: string;
  readonly points: readonly string[];
  readonly words: number;
};

/** Each section has 150 to 300 words. */
export const countSections = (words: number): number => Math.max(2, Math.round(words / WORDS_OF_SECTION));

const WORDS_OF_SECTION = 220;

/**
 * Returns the plan for an outline. The primary keyword is that of an approved outline, or else the caller's first one, or
 * else the model's.
 */
export function toPlan(brief: Brief, answer: GivenOutline): Plan {
  const lengths = divideWords(
    brief.words,
    answer.sections.map(({ words = 0 }) => words),
  );
  return {
    title: plainLine(answer.title),
    keyword:
      [brief.outline?.keyword, brief.keywords[0], answer.keyword].map((each) => plainLine(each ?? "")).find(Boolean) ??
      "",
    sections: answer.sections.map(({ heading, points }, index) => ({
      heading: plainLine(heading),
      points: points.map(plainLine).filter((point) => point !== ""),
      words: lengths[index] ?? 0,
    })),
  };
}

export const toOutline = ({ sections }: Plan): Outline => sections.map(({ heading, points }) => ({ heading, points }));

/**
 * Divides `words` among the sections, in multiples of 10. The model's lengths seldom add up, so they are proportions. Each
 * section gets between half and one and a half of an equal share.
 */
function divideWords(words: number, lengths: readonly number[]): number[] {
  const equal = words / lengths.length;
  const sum = lengths.reduce((total, length) => total + Math.max(0, length), 0);
  return lengths.map((length) => {
    const own = sum > 0 ? (Math.max(0, length) / sum) * words : equal;
    return Math.round(Math.min(1.5 * equal, Math.max(0.5 * equal, own)) / 10) * 10;
  });
}
