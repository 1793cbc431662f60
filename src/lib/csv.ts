/** Returns rows as CSV (RFC 4180), with a byte order mark, by which spreadsheets know that it is UTF-8. */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  `\ufeff${rows.map((row) => row.map(cellOf).join(",")).join("\r\n")}\r\n`;

/** A spreadsheet would run a text that begins with one of these as a formula, so an apostrophe is put before it. */
const cellOf = (text: string): string => {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
