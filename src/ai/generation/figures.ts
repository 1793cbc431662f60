/** Finds the figures of a text: numbers with their units, prices, percentages, dates and times, in any notation. */
import { ALWAYS_WRITTEN, findMonth, findPower, findUnit, findUnitBefore } from "./figure-words.ts";

export type Figure = {
  readonly from: number;
  readonly to: number;
  /** What it may mean: `1.234` is two numbers to somebody who does not know the language. */
  readonly values: readonly string[];
  /** What a text that has it says as well: a date also names its year. */
  readonly parts: readonly string[];
  /** "" if it is none of those that are known. */
  readonly unit: string;
};

/** Returns the figures of a line in their order. Without a locale, a separator counts in each way that it can be read. */
export function listFigures(line: string, locale?: string): Figure[] {
  const text = simplify(line);
  const decimal = locale === undefined ? null : getDecimal(locale);
  const found: Figure[] = [];
  for (let from = 0; from < text.length; from++) {
    if (!isStart(text, from)) continue;
    const figure = readDate(text, from) ?? readTime(text, from) ?? readNumber(text, from, { decimal, locale });
    if (figure === null) continue;
    found.push(figure);
    from = figure.to - 1;
  }
  return shareUnits(text, found);
}

/** Whether a text that has `other` says what this figure says. */
export const agree = (unit: string, other: string): boolean =>
  unit === other || ((unit === "" || other === "") && !ALWAYS_WRITTEN.has(unit) && !ALWAYS_WRITTEN.has(other));

/** The zeros of other digits, full-width ones last. */
const ZEROS = [0x6_60, 0x6_f0, 0x9_66, 0x9_e6, 0xe_50, 0xff_10];

/** Writes digits, spaces and separators as ASCII does, without changing the length. */
const simplify = (line: string): string =>
  line.replaceAll(/[^\0-\x7f]/g, (character) => {
    const code = character.charCodeAt(0);
    const zero = ZEROS.find((first) => code >= first && code < first + 10);
    if (zero !== undefined) return String(code - zero);
    if (code > 0xff_00 && code < 0xff_5f) return String.fromCharCode(code - 0xfe_e0);
    return OTHERS[character] ?? character;
  });

const OTHERS: Readonly<Record<string, string>> = {
  "\u00a0": " ",
  "\u2009": " ",
  "\u202f": " ",
  "\u3000": " ",
  "’": "'",
  "￥": "¥",
  "٫": ".",
  "٬": ",",
  "‑": "-",
};

/** Not within a word or a name, such as `CO2`, `A4` or `F-16`. The name of a month may begin a date. */
function isStart(text: string, from: number): boolean {
  const before = text.slice(Math.max(0, from - 2), from);
  if (/[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\d_]$/u.test(before) || /\p{Lu}-$/u.test(before))
    return false;
  return /[\d\p{L}]/u.test(text[from] ?? "");
}

const match = (pattern: RegExp, text: string, from: number): RegExpExecArray | null => {
  pattern.lastIndex = from;
  return pattern.exec(text);
};

const YEAR_FIRST = /(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?![\d])/y;
const YEAR_LAST = /(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?!\d)/y;
const EAST_ASIAN = /(?:(\d{4})[年년] ?)?(\d{1,2})[月월](?: ?(\d{1,2})[日일])?/y;
const DAY_FIRST =
  /(\d{1,2})(?:st|nd|rd|th|er|\.|º)?(?: of| de)? (\p{L}{3,12})(?!\p{L})\.?(?:,?(?: de| del| of)? (\d{4})(?!\d))?/uy;
const MONTH_FIRST =
  /(\p{L}{3,12})\.? (?:(\d{1,2})(?:st|nd|rd|th)?(?![.,:]?\d)(?:,? (\d{4})(?!\d))?|(?:(?:de|of) )?(\d{4})(?!\d))/uy;

function readDate(text: string, from: number): Figure | null {
  if (!/\d/.test(text[from] ?? "")) return readMonthFirst(text, from);
  const first = match(YEAR_FIRST, text, from);
  if (first !== null) return makeDate(first, [[first[1], first[3], first[4]]]);
  const last = match(YEAR_LAST, text, from);
  if (last !== null) {
    const [, one, sign, other, year] = last;
    return makeDate(
      last,
      sign === "."
        ? [[year, other, one]]
        : [
            [year, other, one],
            [year, one, other],
          ],
    );
  }
  const asian = match(EAST_ASIAN, text, from);
  if (asian !== null) return makeDate(asian, [[asian[1], asian[2], asian[3]]]);
  const named = match(DAY_FIRST, text, from);
  const month = findMonth(named?.[2] ?? "");
  return named === null || month === 0 ? null : makeDate(named, [[named[3], String(month), named[1]]]);
}

/** Months are words in some languages: `may`. So one that comes first has a capital letter, unless a year follows. */
function readMonthFirst(text: string, from: number): Figure | null {
  const found = match(MONTH_FIRST, text, from);
  if (found === null) return null;
  const [, name = "", day, year, alone] = found;
  const month = findMonth(name);
  if (month === 0 || (alone === undefined && !/^\p{Lu}/u.test(name))) return null;
  return makeDate(found, [[alone ?? year, String(month), day]]);
}

type Read = readonly [year: string | undefined, month: string | undefined, day: string | undefined];

function makeDate({ 0: whole, index }: RegExpExecArray, readings: readonly Read[]): Figure | null {
  const real = readings.filter(
    ([, month, day = "1"]) => Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31,
  );
  if (real.length === 0) return null;
  const parts = real.flatMap(([year, month, day]) => [
    ...(year && day ? [toDay(year, month, undefined), toDay(undefined, month, day)] : []),
    ...[year, day].flatMap((number) => (number === undefined ? [] : [toNumber(Number(number))])),
  ]);
  return { from: index, to: index + whole.length, values: real.map((read) => toDay(...read)), parts, unit: "" };
}

const toDay = (...[year = "", month = "", day = ""]: Read): string => `day ${year}-${Number(month)}-${Number(day)}`;
const toNumber = (value: number): string => `number ${Number(value.toPrecision(12))}`;

const TIME = /(\d{1,2})[:h](\d{2})(?![\d:])(?: ?([ap])\.?m\b)?/y;

function readTime(text: string, from: number): Figure | null {
  const found = match(TIME, text, from);
  if (found === null) return null;
  const [whole, hours, minutes, half] = found;
  const hour = half === "p" && Number(hours) < 12 ? Number(hours) + 12 : Number(hours);
  if (hour > 24 || Number(minutes) > 59) return null;
  return { from, to: from + whole.length, values: [`time ${hour}:${minutes}`], parts: [], unit: "" };
}

const NUMBER =
  /(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d{1,3}(?: \d{3})+(?:[.,]\d+)?|\d{1,3}(?:'\d{3})+(?:[.,]\d+)?|\d{1,2}(?:,\d{2})+,\d{3}|\d+[.,]\d+)(?!\d)(?![.,]\d)|\d+(?:\.\d+){2,}|\d+/y;

const FRACTIONS: Readonly<Record<string, number>> = { "½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3 };

type Reader = { readonly decimal: string | null; readonly locale: string | undefined };

function readNumber(text: string, from: number, reader: Reader): Figure | null {
  const found = match(NUMBER, text, from);
  if (found === null) return null;
  let to = from + found[0].length;
  const [, fraction = ""] = /^ ?([½¼¾⅓⅔])/.exec(text.slice(to)) ?? [];
  if (fraction !== "") to += text.slice(to).indexOf(fraction) + 1;
  if (/^\d+(?:\.\d+){2,}$/.test(found[0]) && !/^\d{1,3}(?:\.\d{3})+$/.test(found[0]))
    return { from, to, values: [`version ${found[0]}`], parts: [], unit: "" };
  const written = readDigits(found[0], reader.decimal).map((value) => value + (FRACTIONS[fraction] ?? 0));
  const { values, end } = multiply(text, to, written, reader);
  const before = findUnitBefore(text.slice(Math.max(0, from - 4), from));
  const after = findUnit(text.slice(end, end + 24));
  const unit = before || (after?.value ?? "");
  return { from, to: before === "" ? end + (after?.length ?? 0) : end, values: values.map(toNumber), parts: [], unit };
}

/** Returns the numbers that digits with separators can mean: two if it is unknown which separator is the decimal one. */
function readDigits(digits: string, decimal: string | null): number[] {
  const plain = digits.replaceAll(/[ ']/g, "");
  const [, whole = "", sign = "", rest = ""] = /^(\d+)([.,])(\d+)$/.exec(plain) ?? [];
  const asDecimal = Number(`${whole}.${rest}`);
  if (sign !== "" && (rest.length !== 3 || whole.length > 3 || whole.startsWith("0") || plain !== digits))
    return [asDecimal];
  if (sign !== "")
    return decimal === null ? [Number(whole + rest), asDecimal] : [decimal === sign ? asDecimal : Number(whole + rest)];
  const last = Math.max(plain.lastIndexOf("."), plain.lastIndexOf(","));
  const isDecimal = last >= 0 && plain.indexOf(plain[last] ?? "") === last && /[.,]/.test(plain.slice(0, last));
  const groups = isDecimal
    ? `${plain.slice(0, last).replaceAll(/[.,]/g, "")}.${plain.slice(last + 1)}`
    : plain.replaceAll(/[.,]/g, "");
  return [Number(groups)];
}

/** Multiplies by the powers of ten that follow, such as `3.5 million` or `1億2000万`. Shortened ones follow prices only. */
function multiply(
  text: string,
  at: number,
  numbers: readonly number[],
  { locale }: Reader,
): { values: number[]; end: number } {
  const [short = ""] = /^(?:k|bn|[mMBK])(?![\p{L}\d])/u.exec(text.slice(at)) ?? [];
  const factor = { k: 1e3, m: 1e6, b: 1e9 }[short.slice(0, 1).toLowerCase()];
  if (factor !== undefined && (short === "k" || /[€$£¥₹] ?[\d.,]+$/.test(text.slice(0, at))))
    return { values: numbers.map((value) => value * factor), end: at + short.length };
  const power = findPower(text.slice(at, at + 16));
  if (power === null) return { values: [...numbers], end: at };
  const factors = locale !== undefined && /^en\b/.test(locale) ? power.value.slice(0, 1) : power.value;
  const values = factors.flatMap((each) => numbers.map((value) => value * each));
  const end = at + power.length;
  const next = /^[万萬億亿兆만억조]$/u.test(text[end - 1] ?? "") ? match(/\d[\d,]*/y, text, end) : null;
  if (next === null) return { values, end };
  const more = multiply(text, end + next[0].length, [Number(next[0].replaceAll(",", ""))], { decimal: null, locale });
  return { values: values.map((value) => value + (more.values[0] ?? 0)), end: more.end };
}

/** In `10–12 km`, the first number has the unit of the second one. */
function shareUnits(text: string, figures: readonly Figure[]): Figure[] {
  const shared = [...figures];
  for (let index = shared.length - 2; index >= 0; index--) {
    const [one, next] = [shared[index], shared[index + 1]];
    if (one === undefined || next === undefined || one.unit !== "") continue;
    if (/^ ?(?:[–—~〜-]|to|bis|à|a|and|und|et|y|e|or|oder|ou) ?$/.test(text.slice(one.to, next.from)))
      shared[index] = { ...one, unit: next.unit };
  }
  return shared;
}

/** The sign before the decimals in a language. */
function getDecimal(locale: string): string {
  const parts = new Intl.NumberFormat(locale, { numberingSystem: "latn" }).formatToParts(1.5);
  return parts.find(({ type }) => type === "decimal")?.value ?? ".";
}
