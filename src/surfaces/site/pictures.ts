import { parseSizedPicture } from "../../domain/pictures.ts";

/** Returns the width, height and smaller files of a picture whose URL contains its size (contract 19.10), otherwise {}. */
export function getPictureAttributes(src: string, sizes = "(min-width: 62rem) 58rem, 100vw"): Record<string, string> {
  const picture = parseSizedPicture(src);
  if (picture === null) return {};
  const { width, height, srcset } = picture;
  return { width: String(width), height: String(height), ...(srcset !== null && { srcset, sizes }) };
}
