/** The choices of an import that a report mentions: the client has an option for each, and the console a field. */

export type Choice = "pages" | "pictures" | "siteUrl" | "renameDuplicates" | "publication";

/** The words of a report where a choice was not made. */
export const UNCHOSEN = {
  pages: "pages left out",
  pictures: "not copied to the library",
  siteUrl: "the address of the old site is not given",
  renameDuplicates: "has the same slug and locale",
  publication: "articles that do not say whether they are published, imported as drafts",
} as const satisfies Record<Choice, string>;

/** Appends the name of the choice that would change what a report says, if there is one. */
export function addChoice(said: string, getChoiceName: (choice: Choice) => string): string {
  const choice = (Object.keys(UNCHOSEN) as Choice[]).find((each) => said.includes(UNCHOSEN[each]));
  return choice === undefined ? said : `${said} (${getChoiceName(choice)})`;
}
