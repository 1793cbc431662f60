/**
 * `npm run docs`: checks that all links, anchors and paths in the documents have a target, that all cited sections of the
 * contract and the architecture exist, that a test cites every section of the contract, and that the costs are those of the budgets.
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { formatCosts } from "../bench/costs.ts";

const ROOT = path.resolve(import.meta.dirname, "..");

const DOCUMENTS = globSync(["*.md", "docs/*.md", "docs/{contract,how-to}/*.md"], { cwd: ROOT }).toSorted();
const CITING = [
  ...DOCUMENTS,
  ...globSync("{src,packages,test,bench,scripts}/**/*.{ts,tsx}", { cwd: ROOT }),
  ...globSync("{public,styles}/**/*.{js,css}", { cwd: ROOT }),
  "wrangler.toml",
];

const read = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");

/** Leaves out code blocks, because their links and headings are only examples. */
const readProse = (file: string): string => read(file).replaceAll(/^```.*?^```/gms, "");

const listHeadings = (file: string): string[] =>
  Array.from(readProse(file).matchAll(/^#{1,6} +(.+)$/gm), ([, title = ""]) => title);

/** Returns the anchor that GitHub generates for a heading. */
const toAnchor = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

function findBrokenLinks(file: string): string[] {
  return Array.from(readProse(file).matchAll(/\]\(([^)\s]+)\)/g), ([, link = ""]) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [target = "", anchor] = link.split("#");
      const found = target === "" ? file : path.join(path.dirname(file), target);
      if (!existsSync(path.join(ROOT, found))) return true;
      return anchor !== undefined && !listHeadings(found).map(toAnchor).includes(anchor);
    })
    .map((link) => `${file}: the link ${link} leads nowhere`);
}

/** Reports paths in backquotes, such as `src/worker.ts`, that do not exist. Names of folders end with a slash. */
function findMissingPaths(file: string): string[] {
  const named = Array.from(
    read(file).matchAll(/`((?:src|packages|test|docs|scripts|bench|migrations|public|styles)\/[\w./-]*)`/g),
    ([, name = ""]) => name,
  );
  return named
    .filter((name) => !BUILT.test(name) && !existsSync(path.join(ROOT, name)))
    .map((name) => `${file}: there is no ${name}`);
}

/** The results of scripts/build-assets.ts, which a fresh checkout lacks. */
const BUILT = /^public\/(?:console|docs)\//;

const sections = new Set(
  DOCUMENTS.filter((file) => file.startsWith("docs/contract/"))
    .flatMap(listHeadings)
    .map((title) => /^\d+(\.\d+)?/.exec(title)?.[0]),
);
const parts = new Set(listHeadings("docs/architecture.md"));

/** Returns the sections of the contract that a text cites, as `contract 4.2` or `contract 4.2, 4.5 and 11`. */
const listCitations = (text: string): string[] =>
  Array.from(text.matchAll(/\bcontract((?:(?:,| and)? \d+(?:\.\d+)?\b)+)/gi), ([, numbers = ""]) =>
    Array.from(numbers.matchAll(/\d+(?:\.\d+)?/g), ([number]) => number),
  ).flat();

/** Reports citations of missing sections, of the contract or as `architecture, "Write"`. */
function findWrongCitations(file: string): string[] {
  const text = read(file);
  const cited = listCitations(text);
  const titles = Array.from(text.matchAll(/\barchitecture, "([^"]+)"/gi), ([, title = ""]) => title);
  return [
    ...cited.filter((number) => !sections.has(number)).map((number) => `${file}: there is no contract ${number}`),
    ...titles.filter((title) => !parts.has(title)).map((title) => `${file}: the architecture has no "${title}"`),
  ];
}

function findUntestedSections(): string[] {
  const cited = new Set(CITING.filter((file) => file.startsWith("test/")).flatMap((file) => listCitations(read(file))));
  return [...sections]
    .filter((number) => number?.includes(".") && !cited.has(number))
    .map((number) => `no test cites contract ${number}`);
}

const problems = [
  ...(read("docs/operations.md").includes(formatCosts())
    ? []
    : ["docs/operations.md: `npm run costs` prints another table"]),
  ...findUntestedSections(),
  ...DOCUMENTS.flatMap(findBrokenLinks),
  ...DOCUMENTS.flatMap(findMissingPaths),
  ...CITING.flatMap(findWrongCitations),
];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
