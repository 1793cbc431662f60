/** Pictures whose sizes their addresses tell (contract 19.10), with the smaller files of the service's own library. */
import { pixelsOf } from "../../domain/markdown/shown.ts";
import { MEDIA_WIDTHS } from "../../domain/pictures.ts";

const LIBRARY = /^\/media\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the attributes of a picture: its width, its height and its smaller files. Of one whose size is not known none. */
export function sized(src: string, sizes = "(min-width: 62rem) 58rem, 100vw"): Record<string, string> {
  const size = pixelsOf(src);
  if (size === null) return {};
  const { width, height } = size;
  const url = new URL(src);
  url.hash = "";
  const whole = url.href;
  const at = (wanted: number): string => {
    url.searchParams.set("w", String(wanted));
    return `${url.href} ${wanted}w`;
  };
  const smaller = LIBRARY.test(url.pathname) ? MEDIA_WIDTHS.filter((wanted) => wanted < width).map(at) : [];
  const srcset = smaller.length > 0 && { srcset: [...smaller, `${whole} ${width}w`].join(", "), sizes };
  return { width: String(width), height: String(height), ...srcset };
}
