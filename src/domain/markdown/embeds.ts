/** What can be embedded: videos and the like of others. A text itself loads nothing of theirs. */
import { lineOf } from "./plain-text.ts";
import type { ContentOf } from "./tree.ts";

export type Embed = { readonly provider: string; readonly id: string };

const PROVIDERS: readonly (readonly [name: string, address: RegExp])[] = [
  ["youtube", /^https:\/\/(?:(?:www|m)\.)?(?:youtube\.com\/watch\?(?:[^#]*&)?v=|youtu\.be\/)([\w-]{11})(?:[?&#]|$)/],
  ["vimeo", /^https:\/\/(?:www\.)?vimeo\.com\/(\d{5,12})(?:[/?#]|$)/],
  ["spotify", /^https:\/\/open\.spotify\.com\/((?:track|album|playlist|episode|show)\/[A-Za-z0-9]{22})(?:[?#]|$)/],
  ["codepen", /^https:\/\/codepen\.io\/([\w-]{1,60}\/pen\/\w{4,40})(?:[/?#]|$)/],
];

/** Returns what a paragraph embeds: one that is only the bare address of something that can be; otherwise null. */
export function embedOf({ children }: ContentOf<"paragraph">): Embed | null {
  const [link, ...others] = children;
  if (link?.type !== "link" || others.length > 0 || lineOf(link) !== link.url) return null;
  for (const [provider, address] of PROVIDERS) {
    const id = address.exec(link.url)?.[1];
    if (id !== undefined) return { provider, id };
  }
  return null;
}
