/** `count(1, "link")` is "1 link", `count(2, "link")` is "2 links". */
export const countNoun = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;

export const describeRemovedLinks = (number: number): string =>
  `${countNoun(number, "link")} ${number === 1 ? "was removed: it" : "were removed: they"} led to addresses that nobody provided.`;
