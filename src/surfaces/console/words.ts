/** Returns a number as the console writes it: "12,345". */
export const formatNumber = (number: number): string => number.toLocaleString("en");

/** Returns a number of things in words: "no items", "1 item", "2,000 items". */
export const formatCount = (number: number, noun: string): string =>
  `${number === 0 ? "no" : formatNumber(number)} ${noun}${number === 1 ? "" : "s"}`;
