/** Replaces `domutils` in the deployed bundle: htmlparser2's tools for trees. Only its parser is used here. */
export function getFeed(): never {
  throw new Error("The tools for trees of HTML are not part of this bundle.");
}
