/** The commands `media`: `list`, `upload`, `embed`, `update` and `delete`. */
import { basename } from "node:path";
import type { Command } from "commander";
import { isWebUrl } from "../../../src/lib/web-url.ts";
import type { Embed, Media, MediaUse } from "../api.ts";
import { path } from "../client.ts";
import type { Context } from "../context.ts";
import { usage } from "../failure.ts";
import { printableLine } from "../terminal.ts";
import { bytesOf, counted, given, wholeNumber } from "./shared.ts";

type Options = {
  readonly query?: string;
  readonly limit?: number;
  readonly name?: string;
  readonly alt?: string;
  readonly file?: string;
  readonly yes?: boolean;
};

export function addMediaCommands(program: Command, context: Context): void {
  const group = program.command("media").description("the images in the organization's library");
  group
    .command("list", { isDefault: true })
    .description("list the images, newest first")
    .option("--query <words>", "only images with all these words in their name or alt text")
    .option("--limit <n>", "the most to list", wholeNumber(1, 100_000))
    .action((options: Options) => list(context, options));
  group
    .command("upload <files...>")
    .description("upload images from files or URLs, and print their URLs")
    .option("--alt <text>", "its alt text: what it shows, for people who cannot see it; for one file")
    .option("--name <text>", "its name (default: the name of the file); for one file")
    .action((files: string[], options: Options) => upload(context, files, options));
  group
    .command("embed <url>")
    .description("get the title and image of a video, a sound or code, and print the Markdown of its card")
    .action((url: string) => embed(context, url));
  group
    .command("update <id>")
    .description("change the name, the alt text or the file of an image")
    .option("--alt <text>", "its alt text: what it shows")
    .option("--name <text>", "its name")
    .option("--file <file>", "a new file, which all articles will show")
    .action((id: string, options: Options) => update(context, id, options));
  group
    .command("delete <id>")
    .description("delete an image, after showing which articles use it")
    .option("-y, --yes", "do not ask for confirmation, and delete it even if articles show it")
    .action((id: string, options: Options) => remove(context, id, options));
}

async function list(context: Context, { query, limit }: Options): Promise<void> {
  const { output } = context;
  const service = await context.client();
  const found: Media[] = [];
  for await (const item of service.items<Media>("/api/media", { query })) {
    if (limit !== undefined && found.length >= limit) break;
    found.push(item);
  }
  output.result(found, () =>
    found.length === 0
      ? "No images."
      : output.table(
          [
            { head: "NAME", cell: ({ name }) => name, shrinks: true },
            { head: "ALT", cell: ({ alt }) => alt, shrinks: true },
            { head: "PIXELS", cell: ({ width, height }) => `${width}x${height}` },
            { head: "ARTICLES", cell: ({ articles }) => String(articles) },
            { head: "URL", cell: ({ url }) => url },
          ],
          found,
        ),
  );
}

/** A photo over a slow line takes longer than other requests. */
const TIMEOUT_MS = 5 * 60_000;

async function upload(context: Context, files: readonly string[], { alt, name }: Options): Promise<void> {
  if (files.length > 1 && (alt !== undefined || name !== undefined))
    throw usage("--alt and --name are for one image: name one file.");
  const { output } = context;
  const service = await context.client();
  const stored: Media[] = [];
  try {
    for (const file of files) {
      const place = { method: "POST", path: "/api/media", timeoutMs: TIMEOUT_MS } as const;
      const sent = isWebUrl(file)
        ? { body: given({ url: file, alt, name }) }
        : {
            query: given({ alt, name: name ?? (file === "-" ? undefined : basename(file)) }) as Record<string, string>,
            file: await bytesOf(file, context),
          };
      stored.push((await service.request<Media>({ ...place, ...sent })).value);
    }
  } finally {
    // Also if a later file failed: these are in the library.
    if (stored.length > 0)
      output.result(files.length === 1 ? stored[0] : stored, () => stored.map(({ url }) => url).join("\n"));
  }
}

async function embed(context: Context, url: string): Promise<void> {
  const service = await context.client();
  const { value } = await service.request<Embed>({ method: "POST", path: "/api/embeds", body: { url } });
  context.output.result(value, () => value.markdown);
}

async function update(context: Context, id: string, { file, alt, name }: Options): Promise<void> {
  const { output } = context;
  const body = given({ alt, name });
  const hasTexts = Object.keys(body).length > 0;
  if (!hasTexts && file === undefined) throw usage("Nothing to change. Pass at least one option.");
  const service = await context.client();
  const place = path`/api/media/${id}`;
  if (file !== undefined) {
    const request = {
      method: "PUT",
      path: `${place}/file`,
      file: await bytesOf(file, context),
      timeoutMs: TIMEOUT_MS,
    } as const;
    const { value } = await service.request<Media>(request);
    if (!hasTexts) return output.result(value, () => `Replaced the file of ${titleOf(value)}.`);
  }
  const { value } = await service.request<Media>({ method: "PUT", path: place, body });
  output.result(value, () => `Changed ${titleOf(value)}.`);
}

async function remove(context: Context, id: string, { yes }: Options): Promise<void> {
  const { output } = context;
  const service = await context.client();
  const place = path`/api/media/${id}`;
  const { value: item, etag } = await service.get<Media>(place);
  const { value: uses } = await service.get<MediaUse[]>(`${place}/usage`, { limit: NAMED });
  const shown = uses.map(({ title }) => `“${printableLine(title)}”`).join(", ");
  const more = item.articles > uses.length ? ` and ${counted(item.articles - uses.length, "other")}` : "";
  const question = item.articles === 0 ? "which no article shows" : `which is shown by ${shown}${more}`;
  await context.confirm(`Delete ${titleOf(item)}, ${question}?`, yes);
  // What was confirmed names these articles; `--yes` is for all.
  const force = yes === true || item.articles > 0;
  const { value } = await service.request<object>({ method: "DELETE", path: place, query: { force }, ifMatch: etag });
  output.result(value, () => `Deleted ${titleOf(item)}.`);
}

/** How many articles a question names. */
const NAMED = 5;

const titleOf = ({ _id, name }: Media): string => (name === "" ? _id : `“${printableLine(name)}”`);
