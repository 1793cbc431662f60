/** The time at which the items of the fixtures are recent. They are dated in the weeks before. */
export const FIXTURES_NOW = new Date("2026-11-20T12:00:00.000Z");

const DAY_S = 24 * 60 * 60;

/** Matches times of feeds (RFC 822), of JSON (ISO 8601), and in seconds since 1970. */
const TIMES = new RegExp(
  String.raw`(?<mail>(?:[A-Z][a-z]{2}, )?\d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} (?:GMT|[+-]\d{4}))` +
    String.raw`|(?<json>\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2}))` +
    String.raw`|(?<seconds>\b1[67]\d{8}\b)`,
  "g",
);

/** Moves all times of a fixture by the whole days since `FIXTURES_NOW`, so that its items are recent today. */
export function asOfToday(text: string): string {
  const moved = Math.floor((Date.now() - FIXTURES_NOW.getTime()) / 1000 / DAY_S) * DAY_S;
  const later = (time: string): Date => new Date(Date.parse(time) + moved * 1000);
  return text.replaceAll(TIMES, (time, mail?: string, json?: string) => {
    if (mail !== undefined) return later(mail).toUTCString();
    return json === undefined ? String(Number(time) + moved) : later(json).toISOString();
  });
}
