/** Valid inputs of the operations on pictures. */
import type { World } from "./operations.ts";
import { freshGif } from "./pictures.ts";

/** Inputs that the operations on the library accept in a world. */
export const mediaInputs = {
  listMedia: () => ({ query: "valid", limit: 5, skip: 0 }),
  createMedia: () => ({ file: freshGif(), name: "Valid", alt: "Valid" }),
  createEmbed: () => ({ url: "https://vimeo.com/76979871" }),
  replaceMedia: ({ mediaId }) => ({ mediaId, file: freshGif() }),
  updateMedia: ({ mediaId }) => ({ mediaId, name: "Valid", alt: "Valid" }),
  deleteMedia: ({ mediaId }) => ({ mediaId, force: true }),
} as const satisfies Record<string, (world: World) => Record<string, unknown>>;
