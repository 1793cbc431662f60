/** Finds out what a request asks for, as far as the test server understands prompts. */
import { LANGUAGES } from "./languages.ts";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Schema = { [key: string]: Json };

export type Wanted = {
  /** A key of LANGUAGES. */
  readonly language: string;
  readonly words: number;
  /** The subjects of texts and titles. If empty, the keywords of the language are used. */
  readonly keywords: readonly string[];
  /** Decides with which sentence a text begins. Equal for equal prompts. */
  readonly seed: number;
};

const isObject = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns a value of a request as text. */
export const worded = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value ?? ""));

/** Returns the texts of all messages, one per line. Removes the random digits of the tags that enclose data. */
export function promptOf(body: Schema): string {
  const texts = (value: Json | undefined): string[] => {
    if (typeof value === "string") return [value];
    if (Array.isArray(value)) return value.flatMap(texts);
    return isObject(value) ? texts(value["content"] ?? value["text"]) : [];
  };
  return texts(body["messages"] ?? body["prompt"])
    .join("\n")
    .replace(/\bdata-[0-9a-f]{16}\b/g, "data");
}

/** Returns the schema of the answer: that of `response_format`, or else the first one in the prompt, or null. */
export function schemaOf(body: Schema): Schema | null {
  const format = body["response_format"];
  const named = isObject(format) && isObject(format["json_schema"]) ? format["json_schema"]["schema"] : null;
  if (isObject(named)) return named;
  const prompt = promptOf(body);
  for (const { index } of prompt.matchAll(/\{/g)) {
    const value = parsed(balanced(prompt, index));
    if (isObject(value) && (isObject(value["properties"]) || "$schema" in value || "$defs" in value)) return value;
  }
  return null;
}

/** Returns the text from the brace at `start` to the one that closes it; "" if there is none. */
function balanced(text: string, start: number): string {
  let depth = 0;
  let quoted = false;
  for (let i = start; i < text.length; i += 1) {
    const letter = text[i];
    if (letter === "\\") i += 1;
    else if (letter === '"') quoted = !quoted;
    else if (!quoted && letter === "{") depth += 1;
    else if (!quoted && letter === "}" && (depth -= 1) === 0) return text.slice(start, i + 1);
  }
  return "";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Reads language, length and subject from a prompt. `settings` are parts of the path, such as `lang-de`. */
export function wantedOf(prompt: string, settings: readonly string[]): Wanted {
  const setting = (name: string) => settings.find((part) => part.startsWith(`${name}-`))?.slice(name.length + 1);
  const keywords = setting("keyword") ?? /\bkeywords?\b[^:\n]*:\s*(\S[^\n]*)/i.exec(prompt)?.[1] ?? "";
  return {
    language: setting("lang") ?? languageOf(prompt) ?? "en",
    words: Number(setting("words") ?? lastNumberOf(prompt) ?? 300),
    keywords: decodeURIComponent(keywords)
      .split(/[,;、]/)
      .map((keyword) => keyword.replace(/^[\s"'`[(]+|[\s"'`\])>.]+$/g, ""))
      .filter((keyword) => keyword !== "" && keyword.length <= 60),
    seed: hash(prompt),
  };
}

const lastNumberOf = (prompt: string): string | undefined => [...prompt.matchAll(/(\d+)\s+words/gi)].at(-1)?.[1];

function languageOf(prompt: string): string | undefined {
  const names = Object.values(LANGUAGES).map(({ name }) => name);
  const tags = Object.keys(LANGUAGES).join("|");
  const patterns = [
    String.raw`target (?:locale|language)\W+(${tags})\b`,
    String.raw`\b(?:into|in|to) (${names.join("|")})\b`,
    String.raw`\b(?:locale|language)(?: tag)?\W+(?:is\W+)?(${tags})\b`,
    String.raw`\b(${names.join("|")})\b`,
  ];
  for (const pattern of patterns) {
    const found = new RegExp(pattern, "i").exec(prompt)?.[1]?.toLowerCase();
    if (found !== undefined)
      return Object.entries(LANGUAGES).find(([tag, { name }]) => tag === found || name.toLowerCase() === found)?.[0];
  }
}

/** Returns the FNV-1a hash of a text, 32 bits. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return value;
}
