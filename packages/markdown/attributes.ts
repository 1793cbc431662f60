/** The attributes of HTML: how they are written, and which addresses may be in them. */
import { isWebUrl } from "../../src/lib/web-url.ts";
import { sizedPicture, TEXT_SIZES } from "../../src/domain/pictures.ts";
import type { Attributes } from "./tree.ts";

export const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** Returns attributes as HTML, each behind a space, without those that are not there. */
export function attributesOf(attributes: Readonly<Record<string, string | number | null | undefined | false>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => {
      if (value === null || value === undefined || value === false) return "";
      return value === "" && name !== "alt" && name !== "href"
        ? ` ${name}`
        : ` ${name}="${escaped(String(value)).replaceAll('"', "&quot;")}"`;
    })
    .join("");
}

/** Returns the classes of code as an attribute; `others` are those before its language. */
export const languageOf = (lang: string | null | undefined, others: string): string =>
  lang && /^[\w+#.-]+$/.test(lang) ? ` class="${others}language-${lang}"` : "";

export const isPixels = (value: string | undefined): value is string => value !== undefined && /^\d{1,5}$/.test(value);

/** Whether a link may lead there: http, https and mail, and any path. Browsers ignore no character before a colon that this does. */
export function isLinkable(href: string): boolean {
  const [, scheme] = /^([^/?#:]*):/.exec(href) ?? [];
  return scheme === undefined || /^(?:https?|mailto)$/i.test(scheme);
}

/** Whether all addresses of a `srcset` are absolute. A comma behind a size begins the next one, with a space or without. */
const isSourceSet = (srcset: string): boolean =>
  srcset.split(/(?<=\s[\d.]{1,20}[wxh]),|\s+/).every((part) => /^(?:[\d.]+[wxh])?,*$/.test(part) || isWebUrl(part));

/** Returns the size of a picture whose address ends with its pixels, and of one in a library also its smaller files. */
export function pictureOf(src: string): Readonly<Record<string, string | number>> {
  const picture = sizedPicture(src);
  if (picture === null) return {};
  const { srcset, ...whole } = picture;
  return { ...whole, ...(srcset !== null && { srcset, sizes: TEXT_SIZES }) };
}

/** Returns the attributes of an element as HTML; null for a sound or a video that has no absolute address. */
export function elementAttributes(name: string, attributes: Attributes): string | null {
  const { src, srcset, poster, open, reversed, ...others } = attributes;
  if (!["audio", "video", "source"].includes(name)) {
    return attributesOf({
      ...others,
      ...(open !== undefined && { open: "" }),
      ...(reversed !== undefined && { reversed: "" }),
    });
  }
  if (src !== undefined && !isWebUrl(src)) return null;
  if (srcset !== undefined && !isSourceSet(srcset)) return null;
  const controls = name === "source" ? {} : { controls: "", preload: "none" };
  return attributesOf({
    ...others,
    src,
    srcset,
    ...(poster !== undefined && isWebUrl(poster) && { poster }),
    ...controls,
  });
}
