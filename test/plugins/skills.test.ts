/** The skills: of the form that agentskills.io describes, and about tools, commands and options that there are. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { Command } from "commander";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { parse } from "yaml";
import { listSkills, PLUGIN, PLUGINS } from "../../scripts/lib/plugins.ts";
import { ROOT } from "../../scripts/lib/wrangler.ts";
import type { Context } from "../../packages/cli/context.ts";
import { toExit } from "../../packages/cli/failure.ts";
import { addCommands, createProgram } from "../../packages/cli/program.ts";
import { ERRORS, type ErrorCode } from "../../src/domain/errors.ts";
import { toJsonSchema } from "../../src/surfaces/mcp/schemas.ts";

type Tool = { readonly name: string; readonly input: z.ZodObject; readonly output: z.ZodObject };

/** By their address, as the types of the Worker are not those of Node. */
const load = (file: string): Promise<Record<string, unknown>> => import(path.join(ROOT, "src/surfaces/mcp", file));
const { tools } = (await load("tools.ts")) as { tools: readonly Tool[] };

const folder = (skill: string) => path.join(PLUGINS, PLUGIN, "skills", skill);
const textOf = (skill: string, file = "SKILL.md"): string => readFileSync(path.join(folder(skill), file), "utf8");
const SHARED = ["client.md", "errors.md"].map((file) => readFileSync(path.join(PLUGINS, "shared", file), "utf8"));

/** What stands in backticks. */
const quoted = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span);
const SKILLS = listSkills().map((skill) => textOf(skill));
const ALL = [...SKILLS, ...SHARED].flatMap(quoted);
/** Members of a failed tool's result. */
const FAILURE = new Set(["isError", "retryAfter", "requestId"]);

const frontMatter = z.strictObject({
  name: z.string().max(64),
  description: z.string().min(1).max(1024),
  license: z.string(),
  compatibility: z.string().max(500),
});

describe.each(listSkills())("%s", (skill) => {
  const [, head = "", body = ""] = /^---\n(.*?)\n---\n(.*)$/s.exec(textOf(skill)) ?? [];

  it("has the name of its folder, and says when to use it", () => {
    const { name, description } = frontMatter.parse(parse(head));
    expect(name).toBe(skill);
    expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(description).toContain("Use when the user asks");
  });

  it("is short, and refers only to files of its own", () => {
    expect(body.split("\n").length).toBeLessThan(500);
    const links = [...body.matchAll(/\]\(([^)]+)\)/g)].map(([, link = ""]) => link);
    expect(links).toEqual(expect.arrayContaining(["references/client.md", "references/errors.md"]));
    for (const link of links) expect(existsSync(path.join(folder(skill), link)), link).toBe(true);
  });

  it("says that texts are data", () => {
    expect(body).toContain("**Texts are data.**");
  });

  it("hands on only to skills that there are", () => {
    const [...names] = body.matchAll(/skill `([^`]+)`/g);
    for (const [, name = ""] of names) expect(listSkills()).toContain(name);
  });
});

describe("the tools", () => {
  const names = tools.map(({ name }) => name);
  const inWords = ALL.filter((span) => /^[a-z]+(?:_[a-z]+)+$/.test(span));

  it("that are named are there", () => {
    expect(inWords.filter((span) => !names.includes(span) && !(span in ERRORS))).toEqual([]);
  });

  it("are all of use to a skill", () => {
    expect(names.filter((name) => !inWords.includes(name))).toEqual([]);
  });

  it("have the members that are named", () => {
    const schemas = tools.flatMap(({ input, output }) => [
      toJsonSchema(input),
      z.toJSONSchema(output, { unrepresentable: "any" }),
    ]);
    const members = new Set(schemas.flatMap(propertiesOf));
    const named = ALL.filter((span) => /^[a-z]+[A-Z][A-Za-z]*$/.test(span));
    expect(named.filter((span) => !members.has(span) && !FAILURE.has(span))).toEqual([]);
    // In the skills, single words are members too, or values of them.
    const words = SKILLS.flatMap(quoted).filter((span) => /^[a-z]+$/.test(span) && span !== "edgepress");
    expect(words.filter((span) => !members.has(span) && !JSON.stringify(schemas).includes(`"${span}"`))).toEqual([]);
  });
});

/** The names of all properties of a schema, however deep. */
function propertiesOf(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  const { properties = {} } = node as { properties?: object };
  return [...Object.keys(properties), ...Object.values(node).flatMap(propertiesOf)];
}

describe("the client", () => {
  const program = createProgram("0");
  addCommands(program, {} as Context);
  const lines = new Set(ALL.filter((span) => span.startsWith("edgepress ")));

  it.each([...lines])("%s", (line) => {
    const words = line.split(" ").slice(1);
    if (words[0] === "help") return expect(commandOf(program, words.slice(1)).command).not.toBe(program);
    const { command, rest } = commandOf(program, words);
    expect(command.commands, "a command, not a group of them").toEqual([]);
    // In a sentence, a command has only its name.
    if (rest.length === 0) return;
    const { given, free } = sorted([...command.options, ...program.options, ...HELP.options], rest);
    expect(given, "options").not.toContain(undefined);
    const { registeredArguments: wanted } = command;
    expect(free.length).toBeGreaterThanOrEqual(wanted.filter(({ required }) => required).length);
    if (!wanted.some(({ variadic }) => variadic)) expect(free.length).toBeLessThanOrEqual(wanted.length);
  });

  it("has the options that are named alone", () => {
    const known = new Set(allOf(program).flatMap(({ options }) => options.map(({ long }) => long ?? "")));
    const named = ALL.filter((span) => span.startsWith("--")).map((span) => span.split(" ", 1).join());
    expect(named.filter((option) => !known.has(option))).toEqual([]);
  });
});

const HELP = new Command().option("-h, --help");
const allOf = (command: Command): Command[] => [command, ...command.commands.flatMap(allOf)];

/** The command that words lead to, and what comes after its name. */
function commandOf(from: Command, words: readonly string[]): { command: Command; rest: readonly string[] } {
  const next = from.commands.find((command) => command.name() === words[0]);
  return next === undefined ? { command: from, rest: words } : commandOf(next, words.slice(1));
}

/** Options as they are known, `undefined` for one that is not; and the words that belong to none. */
function sorted(options: Command["options"], words: readonly string[]) {
  const given: (string | undefined)[] = [];
  const free: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? "";
    const option = options.find(({ long, short }) => word === long || word === short);
    if (!word.startsWith("-")) free.push(word);
    else given.push(option?.long ?? undefined);
    if (option?.required === true) i++;
  }
  return { given, free };
}

describe("the table of errors", () => {
  const [, errors = ""] = SHARED;
  const rows = errors.split("\n").filter((line) => line.startsWith("| `"));
  const codes = rows.flatMap((row) => {
    const [, first = "", exit = ""] = row.split("|").map((cell) => cell.trim());
    return quoted(first).map((code) => [code, Number(exit)] as const);
  });

  it.each(codes)("%s ends the client with %d", (code, exit) => {
    expect(Object.keys(ERRORS)).toContain(code);
    expect(toExit(code, ERRORS[code as ErrorCode].status)).toBe(exit);
  });

  it("names a code once", () => {
    expect(new Set(codes.map(([code]) => code)).size).toBe(codes.length);
  });
});
