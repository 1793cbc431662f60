/** Returns a number as the console writes it: "12,345". */
export const grouped = (number: number): string => number.toLocaleString("en");

/** Returns a number of things in words: "no items", "1 item", "2,000 items". */
export const counted = (number: number, noun: string): string =>
  `${number === 0 ? "no" : grouped(number)} ${noun}${number === 1 ? "" : "s"}`;

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
