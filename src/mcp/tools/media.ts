/** Defines the tools on the library of pictures. */
import * as z from "zod";
import { encodeCursor } from "../../domain/cursor.ts";
import { LIMITS } from "../../domain/limits.ts";
import { UploadedFile } from "../../domain/pictures.ts";
import { invalidField } from "../../errors.ts";
import { registry } from "../../operations/registry.ts";
import { cursorFrom, defineTool, idempotencyKey, nextCursor, pageLimit, pageOf, READS, WRITES } from "../tool.ts";

const { query, cursor } = registry.listMedia.input.shape;
const { url, name, alt } = registry.createMedia.input.shape;

export const listMedia = defineTool({
  name: "list_media",
  title: "List pictures",
  description:
    "Lists the pictures of the organization's library, the newest first, with address, alternative text, size in pixels and how many articles show each. Use it before you put a picture into an article: `![alt](url)`, or `url` as `coverUrl`.",
  operations: [registry.listMedia],
  annotations: READS,
  input: z.strictObject({ query, limit: pageLimit(LIMITS.page, 20), cursor: cursorFrom(cursor) }),
  output: z.object({ media: registry.listMedia.output, nextCursor }),
  holdsTexts: true,
  async run({ run }, input) {
    const { value, next } = await pageOf(
      input,
      (asked) => run(registry.listMedia, () => asked),
      ({ creationTime, _id }) => encodeCursor({ time: creationTime, id: _id }),
    );
    return { media: value, nextCursor: next ?? null };
  },
});

export const uploadMedia = defineTool({
  name: "upload_media",
  title: "Upload a picture",
  description: `Stores a picture in the organization's library and returns its address: everybody who knows it can see the picture at once. PNG, JPEG, GIF, WebP or AVIF: by \`url\`, from which the service fetches it, or as \`data\`, at most ${LIMITS.mcpMediaBytes / 1024} KiB before base64. Where it was taken and other metadata are removed. The same picture again is the same item. Say in \`alt\` what it shows.`,
  operations: [registry.createMedia],
  annotations: { ...WRITES, idempotentHint: true },
  input: z.strictObject({
    data: z
      .string()
      .min(1, "must not be empty")
      .max(Math.ceil(LIMITS.mcpMediaBytes / 3) * 4)
      .optional()
      .meta({ description: "The file, in base64, if there is no `url`.", example: "iVBORw0KGgo=" }),
    url: url.meta({ description: "Where the picture is: the service fetches it once, instead of `data`." }),
    name,
    alt,
    idempotencyKey,
  }),
  output: registry.createMedia.output,
  holdsTexts: true,
  async run({ run }, { idempotencyKey: key, data, ...about }) {
    if (data === undefined && about.url === undefined) throw invalidField("data", "is required, or the `url` of one");
    const file = data === undefined ? undefined : await UploadedFile.of(decoded(data));
    return (await run(registry.createMedia, () => ({ ...about, file }), { idempotencyKey: key })).value;
  },
});

/** Returns the bytes of a text in base64. */
function decoded(data: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  } catch {
    throw invalidField("data", "must be base64, without `data:` and a type before it");
  }
}
