/** Audio files, which play if a link to one is alone in its paragraph. Feeds list them as enclosures. */
import { decodeHTMLAttribute } from "entities";
import { isWebUrl } from "../../src/lib/web-url.ts";
import type { Content, ContentByType } from "./tree.ts";

const TYPES: Readonly<Record<string, string>> = {
  mp3: "audio/mpeg",
  m4a: "audio/mp4",
  ogg: "audio/ogg",
  oga: "audio/ogg",
  opus: "audio/ogg",
  wav: "audio/wav",
  flac: "audio/flac",
  aac: "audio/aac",
};

/** Returns the media type of an absolute address, by its extension; null if it is no audio. */
export function findAudioType(url: string): string | null {
  const [, ending = ""] = /^https?:\/\/[^/?#]+\/[^?#]*\.(\w{3,4})(?:[?#]|$)/i.exec(url) ?? [];
  return isWebUrl(url) ? (TYPES[ending.toLowerCase()] ?? null) : null;
}

/** Returns the link if it leads to audio and is the only node; else null. */
export function findAudioLink([link, ...others]: readonly Content[]): ContentByType<"link"> | null {
  return link?.type === "link" && others.length === 0 && findAudioType(link.url) !== null ? link : null;
}

const SOURCE = /<(?:audio|source)((?: (?:[^>"]|"[^"]*")*)?)>/g;

/** Returns the first audio of known type in HTML that begins with it (html.ts); null if there is none. */
export function findFirstAudio(html: string): { readonly url: string; readonly type: string } | null {
  for (const [, attributes = ""] of (html.split("</audio>")[0] ?? "").matchAll(SOURCE)) {
    const [, src = ""] = / src="([^"]*)"/.exec(attributes) ?? [];
    const [, said] = / type="(audio\/[\w.+-]+)"/.exec(attributes) ?? [];
    const url = decodeHTMLAttribute(src);
    const type = said ?? findAudioType(url);
    if (type !== null && isWebUrl(url)) return { url, type };
  }
  return null;
}
