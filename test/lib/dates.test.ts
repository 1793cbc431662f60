/** The dates of feeds, of front matter and of exports. */
import { expect, it } from "vitest";
import { parseDate } from "../../src/lib/dates.ts";

const read = (text: string): string | undefined => {
  const time = parseDate(text);
  return time === undefined ? undefined : new Date(time).toISOString();
};

it.each([
  // Exports of this client, of Ghost and of WordPress.
  ["2024-01-31T10:00:01.001Z", "2024-01-31T10:00:01.001Z"],
  ["2024-01-31T10:00:00.000+00:00", "2024-01-31T10:00:00.000Z"],
  ["2024-01-31 10:00:00", "2024-01-31T10:00:00.000Z"],
  // Jekyll, Hugo, Hexo, Astro.
  ["2024-01-31", "2024-01-31T00:00:00.000Z"],
  ["2024-01-31 10:00:00 +0100", "2024-01-31T09:00:00.000Z"],
  ["2024-01-31T10:00:00+01:00", "2024-01-31T09:00:00.000Z"],
  ["2024-01-31 10:00 CET", "2024-01-31T09:00:00.000Z"],
  ["2013/7/13 20:46:25", "2013-07-13T20:46:25.000Z"],
  ["Jul 08 2022", "2022-07-08T00:00:00.000Z"],
  ["July 8, 2022", "2022-07-08T00:00:00.000Z"],
  ["8 July 2022", "2022-07-08T00:00:00.000Z"],
  ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
  // Timestamps of YAML.
  ["2001-12-14t21:59:43.10-05:00", "2001-12-15T02:59:43.100Z"],
  ["2001-12-14 21:59:43.10 -5", "2001-12-15T02:59:43.100Z"],
  ["2001-12-15 2:59:43.10", "2001-12-15T02:59:43.100Z"],
  // Feeds, and what JavaScript makes of a Date.
  ["Fri, 08 Jul 2022 10:00:00 +0200", "2022-07-08T08:00:00.000Z"],
  ["Friday, 8-Jul-22 10:00:00 EST", "2022-07-08T15:00:00.000Z"],
  ["Fri Jul 08 2022 02:00:00 GMT+0200 (Central European Summer Time)", "2022-07-08T00:00:00.000Z"],
])("reads %s", (text, expected) => {
  expect(read(text)).toBe(expected);
});

it.each([
  "",
  "Chapter 5",
  "soon",
  "2024",
  "2024-02-30",
  "February 30, 2024",
  "2024-13-01",
  "0000-00-00 00:00:00",
  "2024-01-31 25:00",
  "2024-01-31 10:60",
  "2024-01-31 10:00 XYZ",
  "01/02/2024",
  // What PHP makes of zeros.
  "Mon, 30 Nov -0001 00:00:00 +0000",
])("finds no date in %j", (text) => {
  expect(read(text)).toBeUndefined();
});
