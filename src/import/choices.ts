/** What another choice would change of an import: the client has an option for each, and the console a field. */

export type Choice = "pages" | "pictures" | "siteUrl" | "renameDuplicates" | "publication";

/** What is said where a choice was not made. */
export const UNCHOSEN = {
  pages: "pages left out",
  pictures: "not copied to the library",
  siteUrl: "the address of the old site is not given",
  renameDuplicates: "has the same slug and locale",
  publication: "articles that do not say whether they are published, imported as drafts",
} as const satisfies Record<Choice, string>;

/** Returns the choice that would change what is said; undefined if none would. */
export const choiceFor = (said: string): Choice | undefined =>
  (Object.keys(UNCHOSEN) as Choice[]).find((choice) => said.includes(UNCHOSEN[choice]));
