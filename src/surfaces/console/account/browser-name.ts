/**
 * Returns what a `User-Agent` says in words, such as "Chrome on macOS". Returns the text itself if nothing in it is known,
 * and "unknown" for none. The parser is loaded on first use.
 */
export async function browserName(userAgent: string | null | undefined): Promise<string> {
  if (!userAgent) return "unknown";
  const { default: bowser } = await import("bowser");
  const { browser, os } = bowser.parse(userAgent);
  return [browser.name, os.name].filter(Boolean).join(" on ") || userAgent;
}
