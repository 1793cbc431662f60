/** Pictures whose sizes their addresses tell (contract 19.10), with the smaller files of the service's own library. */
import { sizedPicture } from "../../domain/pictures.ts";

/** Returns the attributes of a picture: its width, its height and its smaller files. Of one whose size is not known none. */
export function sized(src: string, sizes = "(min-width: 62rem) 58rem, 100vw"): Record<string, string> {
  const picture = sizedPicture(src);
  if (picture === null) return {};
  const { width, height, srcset } = picture;
  return { width: String(width), height: String(height), ...(srcset !== null && { srcset, sizes }) };
}
