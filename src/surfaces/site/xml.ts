import { escapeHtml } from "../../lib/html.ts";

/** Removes characters that XML 1.0 (2.2) does not allow, such as most control characters. */
export const stripInvalidXml = (text: string): string =>
  text.replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "");

/** Escapes a text for an element or attribute of XML. */
export const escapeXml = (text: string): string => escapeHtml(stripInvalidXml(text));
