/** Writes texts into XML 1.0. */

/** Removes the characters that XML 1.0 (2.2) does not have, such as most control characters. */
export const xmlText = (text: string): string =>
  text.replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "");

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Returns a text as the content of an element or attribute. */
export const escaped = (text: string): string => xmlText(text).replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? "");
