import * as z from "zod";
import { LIMITS } from "../domain/limits.ts";
import { findEmbed } from "../../packages/markdown/embeds.ts";
import { toSizedUrl } from "../domain/pictures.ts";
import { invalidField } from "../domain/errors.ts";
import { defineOperation } from "./define.ts";
import { PICTURE_ERRORS } from "./media.ts";
import { line } from "./fields.ts";
import { createMedia } from "./media.ts";

export const createEmbed = defineOperation({
  name: "embeds.create",
  summary: "Get the title and image of an embed",
  description:
    "Asks YouTube, Vimeo, Dailymotion, Loom, Spotify, SoundCloud, CodePen or CodeSandbox for the title and the image of what is at a URL, stores the image in the library, and returns Markdown for an article: a card that opens the player. Nothing else is stored. X, Bluesky, Mastodon and gists offer neither.",
  scope: "articles:draft",
  effect: "write",
  writesMany: true,
  input: z
    .strictObject({
      url: line(LIMITS.url).trim().meta({
        description: "The URL of a video, a sound or code, as people copy it.",
        example: "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
      }),
    })
    .meta({ id: "EmbedInput" }),
  output: z
    .object({
      title: z.string().meta({ description: "As the provider tells it.", example: "Dawn over Porto" }),
      picture: z.string().meta({
        description: "The URL of the image in the library, with its size in pixels.",
        example: "https://press.example.com/media/019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d#480x360",
      }),
      markdown: z.string().meta({
        description: "A paragraph for an article's `content`.",
        example:
          "[![Dawn over Porto](https://press.example.com/media/019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d#480x360)](https://www.youtube.com/watch?v=dQw4w9WgXcQ)",
      }),
    })
    .meta({ id: "Embed" }),
  refuses: [...PICTURE_ERRORS, "picture_unreachable", "media_limit"],
  sample: {
    body: { url: "https://www.youtube.com/watch?v=dQw4w9WgXcQ" },
    command: "media embed https://www.youtube.com/watch?v=dQw4w9WgXcQ",
  },
  async run(context, { url }) {
    const { fetchEmbed } = await context.services();
    const embed = findEmbed(url);
    if (embed === null) throw invalidField("url", "must be the URL of something that can be embedded");
    await context.limit("pictureFetches", context.principal.organizationId);
    const told = await fetchEmbed(embed);
    const { title } = told;
    const { value } = await createMedia.run(context, { url: told.picture, name: title, alt: title });
    const picture = toSizedUrl(value);
    const { print } = await import("../../packages/markdown/print.ts");
    const image = { type: "image", url: picture, alt: title } as const;
    const markdown = print([{ type: "paragraph", children: [{ type: "link", url, children: [image] }] }]);
    return { value: { title, picture, markdown }, uncommitted: true };
  },
});
