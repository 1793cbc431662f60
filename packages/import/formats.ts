import { openGhost } from "./ghost.ts";
import { detectUtf16, type OpenFile } from "./source.ts";
import { openWordPress } from "./wordpress.ts";

export const OPENERS = { ghost: openGhost, wordpress: openWordPress } as const satisfies Record<string, OpenFile>;

export const START_BYTES = 4096;

/** Returns the format of an export by its first bytes; null if it is unknown. */
export function detectFormat(bytes: Uint8Array): keyof typeof OPENERS | "zip" | null {
  const text = new TextDecoder(detectUtf16(bytes) ?? "latin1").decode(bytes.subarray(0, START_BYTES));
  // A byte order mark in UTF-16, or in UTF-8 read as Latin-1.
  const start = text.replace(/^(?:\ufeff|\u00ef\u00bb\u00bf)/, "").trimStart();
  if (/^[{[]/.test(start)) return "ghost";
  if (/^<(?:\?xml|rss|!--)/.test(start)) return "wordpress";
  return start.startsWith("PK\u0003\u0004") ? "zip" : null;
}
