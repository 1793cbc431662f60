/** What stands in the deployed bundle for `domutils`: htmlparser2's tools for trees, of which only its parser is used. */
export function getFeed(): never {
  throw new Error("The tools for trees of HTML are not part of this bundle.");
}
