/** Finds the figures of a text: numbers with their units, prices, percentages, dates and times, in any notation. */
import { findMonth, findPower, findUnit, findUnitBefore } from "./figure-words.ts";

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
  "−": "-",
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

const TIME = /(\d{1,2})[:h](\d{2})(?![\d:])(?: ?([ap])\.?m\b)?|(\d{1,2})[時时點点시] ?(\d{1,2})[分분]/iy;
const AFTERNOON = /(?:午後|下午|오후) ?$/;

function readTime(text: string, from: number): Figure | null {
  const found = match(TIME, text, from);
  if (found === null) return null;
  const [whole, hours, minutes, half, asianHours, asianMinutes] = found;
  const isAfternoon = half?.toLowerCase() === "p" || AFTERNOON.test(text.slice(Math.max(0, from - 3), from));
  const read = Number(hours ?? asianHours);
  const hour = isAfternoon && read < 12 ? read + 12 : half?.toLowerCase() === "a" && read === 12 ? 0 : read;
  const minute = Number(minutes ?? asianMinutes);
  if (hour > 24 || minute > 59) return null;
  return { from, to: from + whole.length, values: [`time ${hour}:${minute}`], parts: [], unit: "" };
}

/** Groups are bounded: one that is no number after all is read again from its second group on. */
const NUMBER =
  /(\d{1,3}(?:,\d{3}){1,8}(?:\.\d+)?|\d{1,3}(?:\.\d{3}){1,8}(?:,\d+)?|\d{1,3}(?: \d{3}){1,8}(?:[.,]\d+)?|\d{1,3}(?:'\d{3}){1,8}(?:[.,]\d+)?|\d{1,2}(?:,\d{2}){1,8},\d{3}|\d+[.,]\d+)(?!\d)(?![.,]\d)|\d+(?:\.\d+){2,}|\d+/y;

const FRACTIONS: Readonly<Record<string, number>> = { "½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3 };

type Reader = { readonly decimal: string | null; readonly locale: string | undefined };

function readNumber(text: string, from: number, reader: Reader): Figure | null {
  const found = match(NUMBER, text, from);
  if (found === null) return null;
  let to = from + found[0].length;
  const [part = "", fraction = ""] = /^ ?([½¼¾⅓⅔])/.exec(text.slice(to, to + 2)) ?? [];
  to += part.length;
  if (/^\d+(?:\.\d+){2,}$/.test(found[0]) && !/^\d{1,3}(?:\.\d{3})+$/.test(found[0]))
    return { from, to, values: [`version ${found[0]}`], parts: [], unit: "" };
  const before = readBefore(text, from, /^\d+$/.test(found[0]));
  const digits = before.isDecimal ? [Number(`0.${found[0]}`)] : readDigits(found[0], reader.decimal);
  const written = digits.map((value) => value + (FRACTIONS[fraction] ?? 0));
  const { numbers, end } = multiply(text, to, written, reader.locale);
  const after = before.unit === "" ? readUnitAfter(text, end) : null;
  const factor = (before.isNegative ? -1 : 1) * (after?.value === "割" ? 10 : 1);
  return {
    from: before.start,
    to: end + (after?.length ?? 0),
    values: numbers.map((value) => toNumber(value * factor)),
    parts: [],
    unit: after?.value === "割" ? "%" : before.unit || (after?.value ?? ""),
  };
}

/** Reads what stands directly before the digits: a decimal point, the sign of a currency, a minus. */
function readBefore(text: string, from: number, mayBeDecimal: boolean) {
  const isDecimal = mayBeDecimal && /(?:^|[\s(\p{Sc}-])\.$/u.test(text.slice(Math.max(0, from - 2), from));
  const isMinusWithin = /(?<!\d ?)\p{Sc}-$/u.test(text.slice(Math.max(0, from - 4), from));
  const point = isDecimal || isMinusWithin ? from - 1 : from;
  const sign = findUnitBefore(text.slice(Math.max(0, point - 8), point));
  const start = point - sign.length;
  const lead = text.slice(Math.max(0, start - 3), start);
  const isMinus = /(?:^|[\s(])-$/.test(lead) && !/[\d%\p{Sc}] -$/u.test(lead);
  const isNegative =
    isMinus || isMinusWithin || /(?:(?<!\p{L})minus |マイナス|零下)$/iu.test(text.slice(Math.max(0, start - 7), start));
  return { isDecimal, unit: sign.value, start: isMinus ? start - 1 : start, isNegative };
}

/** A sign directly before digits belongs to those. */
const readUnitAfter = (text: string, end: number): ReturnType<typeof findUnit> =>
  /^ ?\p{Sc}\d/u.test(text.slice(end, end + 3)) ? null : findUnit(text.slice(end, end + 24));

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

type Multiplied = { readonly numbers: readonly number[]; readonly end: number };

/** Multiplies by the powers of ten that follow, such as `3.5 million`. Most shortened ones follow prices only. */
function multiply(text: string, at: number, numbers: readonly number[], locale: string | undefined): Multiplied {
  const [short = ""] = /^(?:k|bn|[mMBK])(?![\p{L}\d])/u.exec(text.slice(at, at + 4)) ?? [];
  const factor = { k: 1e3, m: 1e6, b: 1e9 }[short.slice(0, 1).toLowerCase()];
  const isPrice = /\p{Sc} ?[\d.,]+$/u.test(text.slice(Math.max(0, at - 24), at));
  if (factor !== undefined && (short === "k" || short === "M" || isPrice))
    return { numbers: numbers.map((value) => value * factor), end: at + short.length };
  const power = findPower(text.slice(at, at + 16));
  if (power === null) return { numbers, end: at };
  const factors = locale !== undefined && /^en\b/.test(locale) ? power.value.slice(0, 1) : power.value;
  const multiplied = factors.flatMap((each) => numbers.map((value) => value * each));
  return addLower(text, { numbers: multiplied, end: at + power.length }, power.value[0] ?? 1);
}

/** How many more numbers one can have that is written as `1兆2億3万4千5`. */
const LOWER = 4;

/** Adds the numbers with lower powers that follow directly in East Asian scripts: `1億2000万`. */
function addLower(text: string, { numbers, end }: Multiplied, highest: number): Multiplied {
  let [sum, at, above] = [0, end, highest];
  for (let step = 0; step < LOWER && /[千万萬億亿兆천만억조]/.test(text[at - 1] ?? ""); step++) {
    const next = match(/\d[\d,]{0,15}/y, text, at);
    if (next === null) break;
    const after = at + next[0].length;
    const power = findPower(text.slice(after, after + 2));
    const factor = power?.value[0] ?? 1;
    const value = Number(next[0].replaceAll(",", "")) * factor;
    if (factor >= above || value >= above) break;
    [sum, at, above] = [sum + value, after + (power?.length ?? 0), factor];
  }
  return { numbers: numbers.map((value) => value + sum), end: at };
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
