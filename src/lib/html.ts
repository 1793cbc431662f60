const REFERENCES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes a text for elements and attributes of HTML or XML. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => REFERENCES[sign] ?? "");
