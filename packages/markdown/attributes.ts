import { isWebUrl } from "../../src/lib/web-url.ts";
import { parseSizedPicture, TEXT_SIZES } from "../../src/domain/pictures.ts";
import type { Attributes } from "./tree.ts";

export const escapeText = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** Returns attributes as HTML, each after a space, without null, undefined and false. */
export function renderAttributes(
  attributes: Readonly<Record<string, string | number | null | undefined | false>>,
): string {
  return Object.entries(attributes)
    .map(([name, value]) => {
      if (value === null || value === undefined || value === false) return "";
      return value === "" && name !== "alt" && name !== "href"
        ? ` ${name}`
        : ` ${name}="${escapeText(String(value)).replaceAll('"', "&quot;")}"`;
    })
    .join("");
}

/** Returns the `class` of a code block. `others` are the classes before that of the language. */
export const renderLanguageClass = (lang: string | null | undefined, others: string): string =>
  lang && /^[\w+#.-]+$/.test(lang) ? ` class="${others}language-${lang}"` : "";

export const isPixels = (value: string | undefined): value is string => value !== undefined && /^\d{1,5}$/.test(value);

/**
 * Returns whether a link may have this address: http, https, mailto, or any path. Browsers ignore no more characters
 * before a colon than this does.
 */
export function isLinkable(href: string): boolean {
  const [, scheme] = /^([^/?#:]*):/.exec(href) ?? [];
  return scheme === undefined || /^(?:https?|mailto)$/i.test(scheme);
}

/** Returns whether all addresses of a `srcset` are absolute. After a size, a comma begins the next one. */
const isSourceSet = (srcset: string): boolean =>
  srcset.split(/(?<=\s[\d.]{1,20}[wxh]),|\s+/).every((part) => /^(?:[\d.]+[wxh])?,*$/.test(part) || isWebUrl(part));

/** Returns the size of a picture whose address ends with it; for pictures in a library also their smaller files. */
export function getPictureSize(src: string): Readonly<Record<string, string | number>> {
  const picture = parseSizedPicture(src);
  if (picture === null) return {};
  const { srcset, ...whole } = picture;
  return { ...whole, ...(srcset !== null && { srcset, sizes: TEXT_SIZES }) };
}

/** Returns the attributes of an element as HTML; null for audio and video without an absolute address. */
export function renderElementAttributes(name: string, attributes: Attributes): string | null {
  const { src, srcset, poster, open, reversed, ...others } = attributes;
  if (!["audio", "video", "source"].includes(name)) {
    return renderAttributes({
      ...others,
      ...(open !== undefined && { open: "" }),
      ...(reversed !== undefined && { reversed: "" }),
    });
  }
  if (src !== undefined && !isWebUrl(src)) return null;
  if (srcset !== undefined && !isSourceSet(srcset)) return null;
  const controls = name === "source" ? {} : { controls: "", preload: "none" };
  return renderAttributes({
    ...others,
    src,
    srcset,
    ...(poster !== undefined && isWebUrl(poster) && { poster }),
    ...controls,
  });
}
