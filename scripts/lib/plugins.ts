/** The marketplace folder for agents' programs, with the catalogs and their only plugin. */
import { readdirSync } from "node:fs";
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
