/** Reads and writes `blog.yaml` in the folder of a blog's articles: its settings, tags and authors. */
import * as z from "zod";
import path from "node:path";
import type { BlogChange, Client } from "../client.ts";
import { hasCode } from "../failure.ts";
import { Unusable } from "../../import/article.ts";
import type { SettingsOutcome } from "./import.ts";
import { parseYaml, writeYaml, type Value } from "../../import/front-matter.ts";
import { readText } from "./markdown-folder.ts";
import { sortMembers, termLists, loadTerms, type Terms } from "./terms.ts";

export const SETTINGS_FILE = "blog.yaml";
/** Room for a thousand tags in many languages and a thousand authors with their bios. */
const MOST_BYTES = 16 * 1024 * 1024;

/** The settings that can be copied to another blog: not the vanityId, which is unique. */
const settings = z.object({
  name: z.string(),
  coverUrl: z.string(),
  locales: z.array(z.string()),
  topicSources: z.array(z.record(z.string(), z.string())),
  topicRefresh: z.string(),
  styleGuide: z.object({ text: z.string(), avoid: z.array(z.record(z.string(), z.string())) }).partial(),
});
const someSettings = settings.partial();
export type Settings = z.infer<typeof someSettings>;
export type BlogFile = { readonly settings: Settings; readonly terms: Terms };
const blogFile = someSettings.extend(termLists);

export async function loadSettings(client: Client, blogId: string, full: boolean): Promise<string> {
  const { value } = await client.request("GET /api/blogs/{blogId}", { params: { blogId } });
  const terms = await loadTerms(client, blogId);
  const { name, coverUrl, locales, styleGuide, topicSources, topicRefresh } = value;
  const { _id, vanityId, creationTime, lastEditTime } = value;
  const own = full && { _id, vanityId, creationTime, lastEditTime };
  // Sorted, so that the same source always becomes the same text.
  const sources = topicSources.map(({ kind, name, ...others }) => Object.assign({ kind, name }, sortMembers(others)));
  return writeYaml({ name, coverUrl, locales, styleGuide, topicRefresh, topicSources: sources, ...terms, ...own });
}

export async function readSettings(folder: string): Promise<BlogFile | null> {
  const text = await readText(path.join(folder, SETTINGS_FILE), MOST_BYTES).catch((error: unknown) => {
    if (error instanceof Unusable && (error.cause as NodeJS.ErrnoException | undefined)?.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return null;
  const parsed = blogFile.safeParse(toPlain(parseYaml(text, "it")));
  if (parsed.success) {
    const { tags, authors, ...members } = parsed.data;
    return { settings: members, terms: { tags, authors } };
  }
  const [issue] = parsed.error.issues;
  throw new Unusable(`${issue?.path.join(".")}: ${issue?.message}`);
}

/**
 * Applies settings to a blog. If only the topic sources are refused, because a feed is gone, applies the others.
 * Returns the reason of a refusal, and throws other failures.
 */
export async function applySettings(client: Client, blogId: string, wanted: Settings): Promise<SettingsOutcome> {
  try {
    await client.request("PUT /api/blogs/{blogId}", { params: { blogId }, body: wanted as BlogChange });
    return { applied: true, problem: null };
  } catch (error) {
    if (!hasCode(error, ...REFUSALS)) throw error;
    const { topicSources: _, topicRefresh: __, ...others } = wanted;
    const { errors = [] } = error.details;
    const isOfSources = errors.length > 0 && errors.every(({ path: at }) => at.startsWith("topicSources"));
    const { applied } = isOfSources ? await applySettings(client, blogId, others) : { applied: false };
    return { applied, problem: error.message };
  }
}

/** Codes that do not stop an import: the credential may not change blogs, or a topic source is gone. */
const REFUSALS = ["invalid_request", "scope_missing", "role_forbidden"];

function toPlain(value: Value | undefined): unknown {
  if (typeof value !== "object") return value;
  if (value instanceof Map) return Object.fromEntries([...value].map(([name, each]) => [name, toPlain(each as Value)]));
  return (value as readonly Value[]).map(toPlain);
}
