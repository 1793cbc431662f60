/**
 * Searches for Markdown that takes the service long to process: `npm run fuzz:markdown -- --minutes 60 --seed 1`.
 *
 * Builds texts from fragments of the parser's grammar, and varies the slowest ones. Prints each text that takes longer
 * than all before it, and the slowest ones at the end, as sections for test/domain/markdown-parser.test.ts. The seed
 * decides the first texts; later ones also depend on the measured times.
 */
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { html } from "hono/html";
import { parse, plainText, print } from "../src/generation/markdown.ts";
import { textOf, type Section } from "../test/helpers/markdown-sections.ts";

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "10" }, seed: { type: "string", default: "1" } },
});

/** Most characters of a text: of the preview, and of an article that a generation reads. */
const CHARACTERS = { preview: 200_000, generation: 60_000 };
const KEPT = 40;

const FRAGMENTS = [
  ..."[ ] ( ) ! * _ ~ ` < > & | \\ : ^ @ / . - + = # \" ' ; ? w h a 1 é 中 😀".split(" "),
  " ",
  "  ",
  "    ",
  "\t",
  "\n",
  "\r",
  "\r\n",
  "\n\n",
  "  \n",
  "\\\n",
  "\0",
  "\u00a0",
  "\ufeff",
  "**",
  "__",
  "~~",
  "***",
  "*a",
  "a*",
  "*a*",
  "_a",
  "_a_",
  "``",
  "` `",
  "![",
  "](",
  "](a)",
  "][",
  "]:",
  "[]",
  "[a]",
  "[^",
  "[^a]",
  "[a](b)",
  "![a](b)",
  "[a][b]",
  "[a]: b",
  '\n[a]: b "c"\n',
  "\n[^a]: b\n",
  "\n[^{n}]: b\n",
  "[^{n}]",
  "[{n}]",
  "\n[{n}]: b\n",
  "&a",
  "&a;",
  "&amp;",
  "&#1",
  "&#x41;",
  "www.",
  "www.a",
  "www.a.b",
  "_www.",
  "http://",
  "https://a",
  "http://a_b",
  "a@b",
  "a@b.c",
  "mailto:",
  "xmpp:a@b/",
  "<!--",
  "-->",
  "<!",
  "<?",
  "?>",
  "<![CDATA[",
  "<a",
  "<a>",
  "</a>",
  '<a b="',
  "<a b",
  "<https:",
  "<div>",
  "<pre>",
  "<script",
  "\n> ",
  "> ",
  "\n- ",
  "- ",
  "\n* ",
  "\n+ ",
  "\n1. ",
  "1. ",
  "\n2) ",
  "\n  - ",
  "\n    - ",
  "\n   ",
  "- [ ] ",
  "\n# ",
  "\n=\n",
  "\n---\n",
  "\n***\n",
  "\n```\n",
  "\n~~~",
  "```a",
  "\n|a|b|\n|-|-|\n",
  "|a",
  "|-",
  "\n|-\n",
  "|:-:",
  "\\|",
  "a\n=\n",
  "a\nb\n",
  "> a\nb\n\n",
  "-\n\n",
  "word ",
  "aaaaaaaaaa",
  "{run} a ",
  "{n} ",
];

let state = Number(values.seed) | 0;
/** Returns a number from 0 to below 1 (mulberry32). */
function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}
const below = (most: number): number => Math.floor(random() * most);
const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
/** Returns an integer up to `most`. Each order of magnitude is equally likely, so most results are small. */
const upTo = (most: number): number => Math.floor(Math.exp(random() * Math.log(most))) || 1;
const many = <T>(most: number, make: () => T): T[] => Array.from({ length: 1 + below(most) }, make);

const newSection = (): Section => ({
  text: many(4, () => pick(FRAGMENTS)).join(""),
  times: random() < 0.3 ? 1 : upTo(60_000),
});

/** Returns a copy of the sections with one random change. */
function varied(sections: readonly Section[]): Section[] {
  const next = sections.map((section) => ({ ...section }));
  const at = below(next.length);
  const section = next[at] as { text: string; times: number };
  const place = below(section.text.length + 1);
  const kind = below(6);
  if (kind === 0) next.splice(at, 0, newSection());
  else if (kind === 1 && next.length > 1) next.splice(at, 1);
  else if (kind === 2) section.text = section.text.slice(0, place) + pick(FRAGMENTS) + section.text.slice(place);
  else if (kind === 3) section.text = section.text.slice(0, place) + section.text.slice(place + 1) || "a";
  else if (kind === 4) section.times = upTo(60_000);
  else section.times = Math.max(1, Math.round(section.times * (0.5 + random())));
  return next;
}

type Work = (text: string) => unknown;

/** Returns the function that renders the preview of the console. It bundles the component first. */
async function previewing(): Promise<Work> {
  const folder = resolve("node_modules/.cache/edgepress");
  await mkdir(folder, { recursive: true });
  const outfile = join(folder, "preview.mjs");
  const entryPoints = ["src/console/articles/markdown.tsx"];
  await build({ entryPoints, outfile, bundle: true, format: "esm", packages: "external", logLevel: "error" });
  const { Markdown } = (await import(pathToFileURL(outfile).href)) as {
    Markdown: (props: { text: string; locale: string }) => unknown;
  };
  return async (text) => String(await html`${Markdown({ text, locale: "en" })}`);
}

function generating(text: string): void {
  const printed = print(parse(text).children);
  plainText(printed);
}

/** Returns the CPU milliseconds that this process needs for the work. */
async function cost(work: Work, text: string): Promise<number> {
  const before = process.cpuUsage();
  await work(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

type Found = { readonly ms: number; readonly sections: readonly Section[] };

/** Tries texts until `until` (milliseconds since 1970). Returns the slowest ones, slowest first. */
async function search(name: keyof typeof CHARACTERS, work: Work, until: number): Promise<Found[]> {
  let best: Found[] = [];
  let tried = 0;
  while (Date.now() < until) {
    const fresh = best.length < KEPT || random() < 0.3;
    const sections = fresh ? many(4, newSection) : varied((best[Math.min(below(KEPT), below(KEPT))] as Found).sections);
    const text = textOf(sections).slice(0, CHARACTERS[name]);
    let ms = await cost(work, text);
    // Other processes can only add time, so the smallest of three measurements counts.
    if (ms > (best[0]?.ms ?? 0)) ms = Math.min(ms, await cost(work, text), await cost(work, text));
    if (ms > (best[0]?.ms ?? 0)) console.log(name, ++tried, `${ms.toFixed(0)} ms`, JSON.stringify(sections));
    else tried++;
    best = [...best, { ms, sections }].toSorted((a, b) => b.ms - a.ms).slice(0, KEPT);
  }
  console.log(`${name}: ${tried} texts`);
  return best;
}

const minutes = Number(values.minutes);
const works: Record<keyof typeof CHARACTERS, Work> = { preview: await previewing(), generation: generating };
for (const name of ["preview", "generation"] as const) {
  const share = name === "preview" ? 0.7 : 0.3;
  const best = await search(name, works[name], Date.now() + minutes * share * 60_000);
  for (const { ms, sections } of best.slice(0, 10)) console.log(`${ms.toFixed(0)} ms`, JSON.stringify(sections));
}
