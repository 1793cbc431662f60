/** Writes texts into XML 1.0. */
import { escapedHtml } from "../../lib/html.ts";

/** Removes the characters that XML 1.0 (2.2) does not have, such as most control characters. */
export const xmlText = (text: string): string =>
  text.replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "");

/** Returns a text as the content of an element or attribute. */
export const escaped = (text: string): string => escapedHtml(xmlText(text));
