/** Texts as HTML. */

const REFERENCES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Returns a text as the content of an element or attribute, of HTML or XML. */
export const escapedHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => REFERENCES[sign] ?? "");
