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
  const parts = sections.map(({ heading, points = [], words = 0 }) =>
    [`## ${heading}${words > 0 ? ` (${words} words)` : ""}`, ...points.map((point) => `- ${point}`)].join("\n"),
  );
  return [`# ${title}\nKeyword: ${keyword}`, ...parts].join("\n\n");
}

/** Reads what {@link formatOutline} writes, also after changes by hand. Returns a sentence if a line cannot be read. */
export function parseOutline(text: string): OutlineText | string {
  let title = "";
  let keyword = "";
  const sections: OutlineText["sections"] = [];
  for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
    const { kind, value = "", words = "0" } = LINE.exec(line.trim())?.groups ?? {};
    const last = sections.at(-1);
    if (line.trim() === "") continue;
    if (kind === "#") title = value;
    else if (/^keyword:$/i.test(kind ?? "")) keyword = value;
    else if (kind === "##") sections.push({ heading: value, points: [], words: Number(words) });
    else if (kind !== undefined && last !== undefined) last.points.push(value);
    else
      return `Line ${index + 1} is neither a “# title”, a “Keyword: …”, a “## section” nor a “- point” of a section.`;
  }
  return { title, keyword, sections };
}

const LINE = /^(?<kind>#{1,2}|[-*•・]|keyword:)\s*(?<value>.*?)(?:\s*\((?<words>\d{1,5}) words\))?$/iu;
