/** The marketplace folder for agents' programs, with the catalogs and their only plugin. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./wrangler.ts";

export const PLUGINS = path.join(ROOT, "plugins");

/** The name of the plugin, and of its folder. */
export const PLUGIN = "edgepress";

/** Returns the paths of all files in a folder, from there. */
export const listFiles = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));

/** Returns the names of the plugin's skills, sorted. They are the names of their folders. */
export const listSkills = (): readonly string[] => readdirSync(path.join(PLUGINS, PLUGIN, "skills")).sort();

/** Where the Worker has the skills, which it serves over MCP. */
export const SERVED_SKILLS = path.join(ROOT, "src/surfaces/mcp/skills.json");

/** Returns the skills as the Worker has them: their front matter and texts, and the texts that all of them have. */
export function makeServedSkills(): string {
  const read = (...place: string[]): string => readFileSync(path.join(PLUGINS, ...place), "utf8");
  const skills = listSkills().map((name) => {
    const text = read(PLUGIN, "skills", name, "SKILL.md");
    const [, matter = ""] = text.split(/^---$/m);
    const frontmatter = Object.fromEntries(
      [...matter.matchAll(/^(\w+): (.*)$/gm)].map(([, key, value]) => [key, value]),
    );
    return { frontmatter, text };
  });
  const shared = listFiles(path.join(PLUGINS, "shared")).map((file) => ({
    path: `references/${file}`,
    text: read("shared", file),
  }));
  return `${JSON.stringify({ skills, shared }, null, 2)}\n`;
}
