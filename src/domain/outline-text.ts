/** An article's outline as a text that people edit: Markdown headings and lists. */

export type OutlineText = {
  readonly title: string;
  /** The primary keyword. */
  readonly keyword: string;
  readonly sections: { heading: string; points: string[]; words: number }[];
};

type Planned = {
  readonly title: string;
  readonly keyword: string;
  readonly sections: readonly {
    readonly heading: string;
    readonly points?: readonly string[];
    readonly words?: number;
  }[];
};

/** Returns the text; a section without a length has none in it. */
export function formatOutline({ title, keyword, sections }: Planned): string {
  const parts = sections.map(({ heading, points = [], words = 0 }) => {
    const length = words > 0 || LENGTH.test(heading) ? ` (${words} words)` : "";
    return [`## ${heading}${length}`, ...points.map((point) => `- ${point}`)].join("\n");
  });
  return [`# ${title}\nKeyword: ${keyword}`, ...parts].join("\n\n");
}

/** Reads what {@link formatOutline} writes, also after changes by hand. Returns a sentence if a line cannot be read. */
export function parseOutline(text: string): OutlineText | string {
  let title = "";
  let keyword = "";
  const sections: OutlineText["sections"] = [];
  for (const [index, given] of text.split(/\r\n?|\n/).entries()) {
    const line = given.trim().replaceAll(/\s+/gu, " ");
    const last = sections.at(-1);
    const [mark = ""] = MARK.exec(line) ?? [];
    const value = line.slice(mark.length);
    if (line === "") continue;
    if (/^#\s?$/.test(mark) && title === "" && last === undefined) title = value;
    else if (/^keyword/i.test(mark) && keyword === "" && last === undefined) keyword = value;
    else if (mark.startsWith("##")) sections.push(readSection(value));
    else if (/^[-*•・\d]/u.test(mark) && last !== undefined) last.points.push(value);
    else
      return `Line ${index + 1} is neither the “# title”, the “Keyword: …”, a “## section” nor a “- point” of a section.`;
  }
  return { title, keyword, sections };
}

function readSection(heading: string): OutlineText["sections"][number] {
  const [end = "", words = "0"] = LENGTH.exec(heading) ?? [];
  return { heading: heading.slice(0, heading.length - end.length), points: [], words: Number(words.replace(",", "")) };
}

/** What a line begins with, after its white space is single spaces. */
const MARK = /^(?:#{1,2}(?!#) ?|[-*] |[•・] ?|\d{1,3}[).] |keyword ?[:：] ?)/iu;

/** The length at the end of a heading. */
const LENGTH = / \((\d,?\d{0,3}) words\)$/;
