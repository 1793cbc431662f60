/** Returns a number of things in words: "no items", "1 item", "2 items". */
export const counted = (number: number, noun: string): string => `${number || "no"} ${noun}${number === 1 ? "" : "s"}`;

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
