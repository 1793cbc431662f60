/**
 * `npm run docs`: every relative link and anchor of the documents leads somewhere, every path of the repository that
 * they name exists, and so does every section of docs/contract.md and docs/architecture.md that anything cites.
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "..");

const DOCUMENTS = globSync(["*.md", "docs/*.md"], { cwd: ROOT }).toSorted();
const CITING = [
  ...DOCUMENTS,
  ...globSync("{src,test,bench,scripts}/**/*.{ts,tsx}", { cwd: ROOT }),
  ...globSync("{public,styles}/**/*.{js,css}", { cwd: ROOT }),
  "wrangler.toml",
];

const read = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");

/** A document without its code blocks, in which nothing is a link or a heading. */
const proseOf = (file: string): string => read(file).replaceAll(/^```.*?^```/gms, "");

const headingsOf = (file: string): string[] =>
  Array.from(proseOf(file).matchAll(/^#{1,6} +(.+)$/gm), ([, title = ""]) => title);

/** The anchor that GitHub gives a heading. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

function brokenLinks(file: string): string[] {
  return Array.from(proseOf(file).matchAll(/\]\(([^)\s]+)\)/g), ([, link = ""]) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [target = "", anchor] = link.split("#");
      const found = target === "" ? file : path.join(path.dirname(file), target);
      if (!existsSync(path.join(ROOT, found))) return true;
      return anchor !== undefined && !headingsOf(found).map(anchorOf).includes(anchor);
    })
    .map((link) => `${file}: the link ${link} leads nowhere`);
}

/** Paths in code, such as `src/worker.ts`; a folder ends with a slash. What is built or has placeholders is left out. */
function missingPaths(file: string): string[] {
  const named = Array.from(
    read(file).matchAll(/`((?:src|test|docs|scripts|bench|migrations|public|styles)\/[\w./-]*)`/g),
    ([, name = ""]) => name,
  );
  return named.filter((name) => !existsSync(path.join(ROOT, name))).map((name) => `${file}: there is no ${name}`);
}

const sections = new Set(headingsOf("docs/contract.md").map((title) => /^\d+(\.\d+)?/.exec(title)?.[0]));
const parts = new Set(headingsOf("docs/architecture.md"));

/** Citations have the form `contract 4.2`, `contract 4.2, 4.5 and 11` and `architecture, "Write"`. */
function wrongCitations(file: string): string[] {
  const text = read(file);
  const cited = Array.from(text.matchAll(/\bcontract((?:(?:,| and)? \d+(?:\.\d+)?\b)+)/gi), ([, numbers = ""]) =>
    Array.from(numbers.matchAll(/\d+(?:\.\d+)?/g), ([number]) => number),
  ).flat();
  const titles = Array.from(text.matchAll(/\barchitecture, "([^"]+)"/gi), ([, title = ""]) => title);
  return [
    ...cited.filter((number) => !sections.has(number)).map((number) => `${file}: there is no contract ${number}`),
    ...titles.filter((title) => !parts.has(title)).map((title) => `${file}: the architecture has no "${title}"`),
  ];
}

const problems = [
  ...DOCUMENTS.flatMap(brokenLinks),
  ...DOCUMENTS.flatMap(missingPaths),
  ...CITING.flatMap(wrongCitations),
];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
