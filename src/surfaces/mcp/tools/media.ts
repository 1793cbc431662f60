import * as z from "zod";
import { encodeCursor } from "../../../domain/cursor.ts";
import { LIMITS } from "../../../domain/limits.ts";
import { UploadedFile } from "../../../domain/pictures.ts";
import { invalidField } from "../../../domain/errors.ts";
import { decodeBase64 } from "../../../lib/bytes.ts";
import { registry } from "../../../operations/registry.ts";
import {
  describeCursor,
  defineTool,
  idempotencyKey,
  nextCursor,
  describeLimit,
  readPage,
  READS,
  WRITES,
} from "../tool.ts";

const { query, cursor } = registry.listMedia.input.shape;
const { url, name, alt } = registry.createMedia.input.shape;

export const listMedia = defineTool({
  name: "list_media",
  title: "List images",
  description:
    "Lists the images in the organization's library, newest first, with URL, alt text, size in pixels and how many articles show each. Use it before you put an image into an article: `![alt](url)`, or `url` as `coverUrl`.",
  operations: [registry.listMedia],
  annotations: READS,
  input: z.strictObject({ query, limit: describeLimit(LIMITS.page, 20), cursor: describeCursor(cursor) }),
  output: z.object({ media: registry.listMedia.output, nextCursor }),
  holdsTexts: true,
  async run({ run }, input) {
    const { value, next } = await readPage(
      input,
      (asked) => run(registry.listMedia, () => asked),
      ({ creationTime, _id }) => encodeCursor({ time: creationTime, id: _id }),
    );
    return { media: value, nextCursor: next ?? null };
  },
});

export const uploadMedia = defineTool({
  name: "upload_media",
  title: "Upload an image",
  description: `Stores an image in the organization's library and returns its URL. Everybody who knows the URL can see the image at once. PNG, JPEG, GIF, WebP or AVIF: as \`url\`, or as \`data\` of at most ${LIMITS.mcpMediaBytes / 1024} KiB before base64. Location and other metadata are removed. An image that is already in the library is not stored again.`,
  operations: [registry.createMedia],
  annotations: { ...WRITES, idempotentHint: true },
  input: z.strictObject({
    data: z
      .string()
      .min(1, "must not be empty")
      .max(Math.ceil(LIMITS.mcpMediaBytes / 3) * 4)
      .optional()
      .meta({ description: "The file, in base64, if there is no `url`.", example: "iVBORw0KGgo=" }),
    url: url.meta({ description: "The URL of the image, which the service fetches once, instead of `data`." }),
    name,
    alt,
    idempotencyKey,
  }),
  output: registry.createMedia.output,
  holdsTexts: true,
  async run({ run }, { idempotencyKey: key, data, ...about }) {
    if (data === undefined && about.url === undefined)
      throw invalidField("data", "is required, unless you send a `url`");
    const file = data === undefined ? undefined : await UploadedFile.of(decodeFile(data));
    return (await run(registry.createMedia, () => ({ ...about, file }), { idempotencyKey: key })).value;
  },
});

export const createEmbed = defineTool({
  name: "create_embed",
  title: "Get the title and image of an embed",
  description:
    "Makes the card of a video, a sound or code: asks YouTube, Vimeo, Dailymotion, Loom, Spotify, SoundCloud, CodePen or CodeSandbox for its title and image, stores the image in the library, and returns `markdown`, which goes into an article as a paragraph of its own. Where it fails, and for posts of X, Bluesky and Mastodon, put the URL alone into a paragraph: it is a card without title and image.",
  operations: [registry.createEmbed],
  annotations: { ...WRITES, idempotentHint: true, openWorldHint: true },
  input: registry.createEmbed.input.extend({ idempotencyKey }),
  output: registry.createEmbed.output,
  holdsTexts: true,
  run: async ({ run }, { idempotencyKey: key, ...input }) =>
    (await run(registry.createEmbed, () => input, { idempotencyKey: key })).value,
});

/** Throws `invalid_request` if the text is not base64. */
function decodeFile(data: string): Uint8Array<ArrayBuffer> {
  try {
    return decodeBase64(data);
  } catch {
    throw invalidField("data", "must be base64, without a `data:` prefix");
  }
}
