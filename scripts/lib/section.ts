/** Replaces the part of a document that `npm run NAME` writes, between two marker lines. Throws if these are missing. */
export function replaceSection(document: string, name: "costs" | "tools", content: string): string {
  const [begin, end] = [`<!-- ${name}: npm run ${name} -->`, `<!-- /${name} -->`];
  const [before, rest] = document.split(begin);
  const [, after] = rest?.split(end) ?? [];
  if (before === undefined || after === undefined)
    throw new Error(`The document has no section between ${begin} and ${end}.`);
  return `${before}${begin}\n\n${content}\n${end}${after}`;
}
