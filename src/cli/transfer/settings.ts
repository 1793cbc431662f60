/** A blog's settings in a file beside its articles, `blog.yaml`. */
import * as z from "zod";
import path from "node:path";
import { path as route, type Client } from "../client.ts";
import { CliError } from "../failure.ts";
import { Unusable } from "./article.ts";
import { parseYaml, writeYaml, type Value } from "./front-matter.ts";
import { readText } from "./markdown-folder.ts";
import { readAs } from "./service.ts";

export const SETTINGS_FILE = "blog.yaml";
const MOST_BYTES = 256 * 1024;

/** What two blogs can have in common: not the vanityId, which is one blog's own. */
const settings = z.object({
  name: z.string(),
  coverUrl: z.string(),
  locales: z.array(z.string()),
  topicSources: z.array(z.record(z.string(), z.string())),
  topicRefresh: z.string(),
});
const someSettings = settings.partial();
export type Settings = z.infer<typeof someSettings>;

const own = z.object({ _id: z.string(), vanityId: z.string(), creationTime: z.string(), lastEditTime: z.string() });

/** The file's text. `full` adds what is this blog's own. */
export async function settingsOf(client: Client, blogId: string, full: boolean): Promise<string> {
  const { value } = await client.get(route`/api/blogs/${blogId}`);
  const { topicSources, ...members } = readAs(settings, value);
  return writeYaml({ ...members, topicSources: topicSources.map(inOrder), ...(full && readAs(own, value)) });
}

/** The same source is the same text, however the service orders its members. */
function inOrder({ kind, name, ...others }: Readonly<Record<string, string>>): object {
  return { kind, name, ...Object.fromEntries(Object.entries(others).sort(([a], [b]) => (a < b ? -1 : 1))) };
}

/** The settings beside the articles of a folder, or null where there are none. Throws `Unusable`. */
export async function readSettings(folder: string): Promise<Settings | null> {
  const text = await readText(path.join(folder, SETTINGS_FILE), MOST_BYTES).catch((error: unknown) => {
    if (error instanceof Unusable && (error.cause as NodeJS.ErrnoException | undefined)?.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return null;
  const parsed = someSettings.safeParse(plain(parseYaml(text)));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Unusable(`${issue?.path.join(".")}: ${issue?.message}`);
}

/** Gives a blog these settings; returns why they were refused, null where they were not. */
export async function applySettings(client: Client, blogId: string, wanted: Settings): Promise<string | null> {
  try {
    await client.request({ method: "PUT", path: route`/api/blogs/${blogId}`, body: wanted, finishes: true });
    return null;
  } catch (error) {
    if (!(error instanceof CliError) || !REFUSALS.has(error.code)) throw error;
    return error.message;
  }
}

/** A key may write articles and not the blog; a source of topics may be gone. */
const REFUSALS = new Set(["invalid_request", "scope_missing", "role_forbidden"]);

/** Maps as objects without a prototype's names in them. */
function plain(value: Value): unknown {
  if (typeof value === "string") return value;
  if (value instanceof Map) return Object.fromEntries([...value].map(([name, each]) => [name, plain(each as Value)]));
  return (value as readonly Value[]).map(plain);
}
