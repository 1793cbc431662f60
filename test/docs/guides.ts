/** The commands of a guide, as its reader would run them: in order, beside the files that it has the reader save. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parse } from "../../packages/markdown/parse.ts";
import { ROOT } from "../e2e/local-run.ts";

export type Guide = {
  /** One script of all blocks in `sh`. */
  readonly script: string;
  /** Blocks with `file=NAME`. */
  readonly files: readonly { readonly name: string; readonly text: string }[];
};

/** Reads a guide of docs/guides/. */
export const readGuide = (name: string): Guide => readDocument(`docs/guides/${name}.md`);

/** Reads a document of the repository. Blocks in other languages are shown to the reader only. */
export function readDocument(file: string): Guide {
  const tree = parse(readFileSync(path.join(ROOT, file), "utf8"));
  const blocks = tree.children.flatMap((node) => (node.type === "code" ? [node] : []));
  return {
    script: blocks.flatMap(({ lang, value }) => (lang === "sh" ? [value] : [])).join("\n"),
    files: blocks.flatMap(({ meta, value }) => {
      const [, file] = /^file=(\S+)$/.exec(meta ?? "") ?? [];
      return file === undefined ? [] : [{ name: file, text: value }];
    }),
  };
}

/** Saves the files of a guide in a folder. */
export function saveFiles({ files }: Guide, folder: string): void {
  for (const { name, text } of files) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
