import { basename } from "node:path";
import type { Command } from "commander";
import { isWebUrl } from "../../../src/lib/web-url.ts";
import type { Media } from "../client.ts";
import type { Context } from "../context.ts";
import { usageError } from "../failure.ts";
import { toPrintableLine } from "../terminal.ts";
import { addRows, declare, getGroup, defineRow } from "./declare.ts";
import { readBytes, formatCount, omitUndefined, limit, requireChanges } from "./shared.ts";

type Options = { readonly name?: string; readonly alt?: string; readonly file?: string; readonly yes?: boolean };

export function addMediaCommands(program: Command, context: Context): void {
  addRows(program, context, [
    defineRow("GET /api/media", "media list", "list the images, newest first", {
      isDefault: true,
      members: {
        query: ["--query <words>", "only images with all these words in their name or alt text"],
        limit: limit(),
      },
      none: "No images.",
      columns: [
        { head: "NAME", cell: ({ name }) => name, shrinks: true },
        { head: "ALT", cell: ({ alt }) => alt, shrinks: true },
        { head: "PIXELS", cell: ({ width, height }) => `${width}x${height}` },
        { head: "ARTICLES", cell: ({ articles }) => String(articles) },
        { head: "URL", cell: ({ url }) => url },
      ],
    }),
    defineRow(
      "POST /api/embeds",
      "media embed",
      "get the title and image of a video, a sound or code, and print the Markdown of its card",
      {
        members: { url: ["<url>", "its address"] },
        says: ({ markdown }) => markdown,
      },
    ),
  ]);
  const media = getGroup(program, "media");
  declare(media, "upload <files...>", "upload images from files or URLs, and print their URLs", {
    takes: [
      ["--alt <text>", "its alt text: what it shows, for people who cannot see it; for one file"],
      ["--name <text>", "its name (default: the name of the file); for one file"],
    ],
    run: (files: string[], options: Options) => upload(context, files, options),
  });
  declare(media, "update <id>", "change the name, the alt text or the file of an image", {
    takes: [
      ["--alt <text>", "its alt text: what it shows"],
      ["--name <text>", "its name"],
      ["--file <file>", "a new file, which all articles will show"],
    ],
    run: (id: string, options: Options) => update(context, id, options),
  });
  declare(media, "delete <id>", "delete an image, after showing which articles use it", {
    takes: [["-y, --yes", "do not ask for confirmation, and delete it even if articles show it"]],
    run: (id: string, options: Options) => remove(context, id, options),
  });
}

/** Milliseconds. A photo takes longer than other requests over a slow line. */
export const UPLOAD_MS = 5 * 60_000;

const readBlob = async (name: string, context: Context): Promise<Blob> => toBlob(await readBytes(name, context));

/** The type is general, because the service tells the format by the bytes. */
export const toBlob = (bytes: Uint8Array<ArrayBuffer>): Blob => new Blob([bytes], { type: "application/octet-stream" });

async function upload(context: Context, files: readonly string[], { alt, name }: Options): Promise<void> {
  if (files.length > 1 && (alt !== undefined || name !== undefined))
    throw usageError("--alt and --name are for one image: name one file.");
  const { output } = context;
  const client = await context.client({ timeoutMs: UPLOAD_MS });
  const stored: Media[] = [];
  try {
    for (const file of files) {
      const sent = isWebUrl(file)
        ? { body: { url: file, ...omitUndefined({ alt, name }) } }
        : {
            query: { alt, name: name ?? (file === "-" ? undefined : basename(file)) },
            body: await readBlob(file, context),
          };
      stored.push((await client.request("POST /api/media", sent)).value);
    }
  } finally {
    // If a later file fails, these are still in the library.
    if (stored.length > 0)
      output.result(files.length === 1 ? stored[0] : stored, () => stored.map(({ url }) => url).join("\n"));
  }
}

async function update(context: Context, mediaId: string, { file, alt, name }: Options): Promise<void> {
  const { output } = context;
  const body = omitUndefined({ alt, name });
  requireChanges({ ...body, ...omitUndefined({ file }) });
  const client = await context.client({ timeoutMs: UPLOAD_MS });
  const params = { mediaId };
  if (file !== undefined) {
    const input = { params, body: await readBlob(file, context) };
    const { value } = await client.request("PUT /api/media/{mediaId}/file", input);
    if (Object.keys(body).length === 0)
      return output.result(value, () => `Replaced the file of ${formatTitle(value)}.`);
  }
  const { value } = await client.request("PUT /api/media/{mediaId}", { params, body });
  output.result(value, () => `Changed ${formatTitle(value)}.`);
}

/** The most articles that the question names. */
const NAMED = 5;

async function remove(context: Context, mediaId: string, { yes }: Options): Promise<void> {
  const client = await context.client();
  const params = { mediaId };
  const { value: item, etag } = await client.request("GET /api/media/{mediaId}", { params });
  const { value: uses } = await client.request("GET /api/media/{mediaId}/usage", { params, query: { limit: NAMED } });
  const shown = uses.map(({ title }) => `“${toPrintableLine(title)}”`).join(", ");
  const more = item.articles > uses.length ? ` and ${formatCount(item.articles - uses.length, "other")}` : "";
  const question = item.articles === 0 ? "which no article shows" : `which is shown by ${shown}${more}`;
  await context.confirm(`Delete ${formatTitle(item)}, ${question}?`, yes);
  // The question named the articles, and `--yes` is meant for any.
  const query = { force: yes === true || item.articles > 0 };
  const { value } = await client.request("DELETE /api/media/{mediaId}", { params, query, ifMatch: etag });
  context.output.result(value, () => `Deleted ${formatTitle(item)}.`);
}

const formatTitle = ({ _id, name }: Media): string => (name === "" ? _id : `“${toPrintableLine(name)}”`);
