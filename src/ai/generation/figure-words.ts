/** Words and signs beside figures: units, powers of ten and months. */

/** What the figure counts, in any of these words. Units that no other line has are compared with each other. */
const UNITS: readonly (readonly [unit: string, words: string])[] = [
  ["%", "% percent pct prozent procent pourcent procento процент процента процентов パーセント 퍼센트"],
  ["€", "€ EUR euro euros ユーロ 欧元 유로"],
  ["割", "割"],
  ["$", "$ USD US$ dollar dollars dólar dólares dollari ドル 美元 달러"],
  ["A$", "A$ AU$ AUD"],
  ["C$", "C$ CA$ CAD"],
  ["HK$", "HK$ HKD 港元"],
  ["R$", "R$ BRL reais"],
  ["£", "£ GBP"],
  ["pounds", "pounds pound"],
  ["¥", "¥ JPY yen 円 日元"],
  ["CNY", "CNY RMB yuan 元 人民币"],
  ["CHF", "CHF franken"],
  ["₩", "₩ KRW won 원"],
  ["₹", "₹ INR rupees 루피"],
  ["km/h", "km/h kmh kph stundenkilometer"],
  ["mph", "mph mi/h"],
  ["m/s", "m/s"],
  ["km²", "km² km2 ㎢ quadratkilometer quadratkilometern 平方キロメートル 平方公里"],
  ["m²", "m² m2 ㎡ sqm quadratmeter quadratmetern 平方メートル 平米 平方米"],
  ["m³", "m³ m3 ㎥ kubikmeter kubikmetern 立方メートル 立方米"],
  ["ft²", "ft² sqft"],
  ["ha", "ha hectare hectares hektar hectáreas ettari ヘクタール 公顷"],
  [
    "km",
    "km kilometer kilometers kilometern kilometre kilometres kilomètre kilomètres kilómetros quilômetros chilometri キロメートル 公里 千米 킬로미터",
  ],
  ["m", "m meter meters metern metre metres mètre mètres metro metros metri メートル 米"],
  ["cm", "cm centimeter centimeters centimetres zentimeter centimètres centímetros センチ"],
  ["mm", "mm millimeter millimeters millimetres millimètres milímetros ミリ"],
  ["mi", "mi mile miles meilen milles millas"],
  ["ft", "ft foot feet fuß"],
  ["inch", "inch inches zoll"],
  ["yd", "yd yard yards"],
  ["kg", "kg kilogram kilograms kilogramm kilogrammes kilogramos キログラム 公斤 千克"],
  ["lb", "lb lbs"],
  ["oz", "oz ounce ounces"],
  ["mg", "mg milligram milligrams milligramm ミリグラム 毫克"],
  ["g", "g gram grams gramm grammes gramos グラム"],
  ["t", "t ton tons tonne tonnes tonnen tonnellate toneladas トン 吨"],
  ["l", "l L liter liters litern litre litres litros litri リットル"],
  ["ml", "ml mL milliliter milliliters millilitres"],
  ["gal", "gal gallon gallons"],
  ["°C", "°C ℃"],
  ["°F", "°F ℉"],
  ["h", "h hr hrs hour hours stunde stunden heure heures hora horas ora ore uur uren 時間 小时"],
  ["min", "min mins minute minutes minuten minuto minutos minuti 分"],
  ["s", "s sec secs second seconds sekunde sekunden seconde secondes segundos secondi 秒"],
  ["day", "day days tag tage tagen jour jours día días dia dias giorno giorni dag dagen 日間 天"],
  ["week", "week weeks woche wochen semaine semaines semana semanas settimane weken 週間 周"],
  ["month", "month months monat monate monaten mois mes meses mesi maanden か月 ヶ月 カ月 个月"],
  ["year", "year years jahr jahre jahren an ans année années año años ano anos anno anni jaar 年間 年"],
  ["kB", "kB KB"],
  ["MB", "MB megabytes"],
  ["GB", "GB gigabytes"],
  ["TB", "TB terabytes"],
  ["W", "W watt watts"],
  ["kW", "kW kilowatt"],
  ["MW", "MW megawatt megawatts"],
  ["GW", "GW gigawatt gigawatts"],
  ["kWh", "kWh"],
  ["MWh", "MWh"],
  ["GWh", "GWh"],
];

/** Percentages and prices: a figure without such a unit does not count as one with it. */
const isAlwaysWritten = (unit: string): boolean => /^(?:%|CNY|CHF|pounds)$|\p{Sc}$/u.test(unit);

/** Whether figures with these units can say the same. Pounds are money or a weight. */
export function agree(unit: string, other: string): boolean {
  if (unit === other) return true;
  if (unit === "pounds" || other === "pounds") return [unit, other].some((each) => each === "£" || each === "lb");
  return (unit === "" || other === "") && !isAlwaysWritten(unit) && !isAlwaysWritten(other);
}

/** A billion is a million millions in many languages: both count, except in English. */
const POWERS: readonly (readonly [factors: readonly number[], words: string])[] = [
  [[1e3], "thousand tausend tsd mil mille тыс 千 천"],
  [[1e4], "万 萬 만"],
  [[1e5], "十万 十萬 십만"],
  [
    [1e6],
    "million millions millionen mio millones millón milhão milhões milioni miljoen miljoner mln млн 百万 百萬 백만",
  ],
  [[1e7], "千万 千萬 천만"],
  [[1e8], "億 亿 억"],
  [[1e9], "milliarde milliarden mrd milliard milliards miliardi miljard bilhão bilhões млрд bn 十億 十亿 십억"],
  [[1e10], "百億 百亿 백억"],
  [[1e11], "千億 千亿 천억"],
  [[1e9, 1e12], "billion billions"],
  [[1e12], "billionen billones trillion trillions 兆 조"],
];

const spread = <Value>(table: readonly (readonly [Value, string])[]): ReadonlyMap<string, Value> =>
  new Map(table.flatMap(([value, words]) => words.split(" ").map((word) => [word, value] as const)));

const UNIT_OF = spread(UNITS);
const POWER_OF = spread(POWERS);

/** In scripts without spaces, the word goes on with the sentence. The longest one counts. */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const LONGEST = 7;

function findIn<Value>(table: ReadonlyMap<string, Value>, text: string): { value: Value; length: number } | null {
  const [gap = ""] = /^[ -]?/.exec(text) ?? [];
  const rest = text.slice(gap.length);
  if (UNSPACED.test(rest)) {
    for (let length = Math.min(LONGEST, rest.length); length > 0; length--) {
      const value = table.get(rest.slice(0, length));
      if (value !== undefined) return { value, length: gap.length + length };
    }
    return null;
  }
  const [word = ""] =
    /^(?:km\/h|mi\/h|m\/s|°C|°F|(?:km|m)[23](?!\d)|[A-Z]{1,3}\$|[%\p{Sc}℃℉㎡㎢㎥]|\p{L}+[²³]?)/u.exec(rest) ?? [];
  const value = table.get(word) ?? (word.length > 2 ? table.get(word.toLowerCase()) : undefined);
  return value === undefined ? null : { value, length: gap.length + word.length };
}

const PHRASES: readonly (readonly [unit: string, words: RegExp])[] = [
  ["%", /^ ?(?:per cent|pour cent|por ciento|por cento|per cento)(?!\p{L})/iu],
  ["°C", /^ ?(?:degrees|grad|degrés|grados|graus|gradi) (?:celsius|c)(?!\p{L})/iu],
  ["km²", /^[ -]?(?:square|sq\.?)[ -](?:kilomet(?:er|re)s?|km)(?!\p{L})/iu],
  ["m²", /^[ -]?(?:square|sq\.?)[ -](?:met(?:er|re)s?|m)(?!\p{L})/iu],
  ["m³", /^[ -]?cubic[ -]met(?:er|re)s?(?!\p{L})/iu],
  ["ft²", /^[ -]?(?:square|sq\.?)[ -](?:feet|foot|ft)(?!\p{L})/iu],
  ["km/h", /^ ?(?:kilomet(?:er|re)s|km) per hour(?!\p{L})/iu],
  ["mph", /^ ?miles per hour(?!\p{L})/iu],
];

/** Returns the unit with which a text begins that stands behind a figure, and how long it is there. */
export function findUnit(text: string): { value: string; length: number } | null {
  for (const [value, words] of PHRASES) {
    const [found] = words.exec(text) ?? [];
    if (found !== undefined) return { value, length: found.length };
  }
  const [sign = ""] = /^ ?(?:[A-Z]{1,3}\$|\p{Sc})/u.exec(text) ?? [];
  return findIn(UNIT_OF, text) ?? (sign === "" ? null : { value: sign.trim(), length: sign.length });
}

/** Some are shortened, with a dot. */
export function findPower(text: string): { value: readonly number[]; length: number } | null {
  const found = findIn(POWER_OF, text);
  // 千米 is a kilometre.
  if (found !== null && (findIn(UNIT_OF, text)?.length ?? 0) > found.length) return null;
  return found && { ...found, length: found.length + (/^\.(?= |$)/.test(text.slice(found.length)) ? 1 : 0) };
}

const BEFORE = /([A-Z]{0,3}\$|(?!\$)\p{Sc}|(?<!\p{L})(?:EUR|USD|GBP|JPY|CHF|CNY|INR|AUD|CAD|HKD|BRL|KRW)) ?$/u;

/** Returns the unit of a sign or code at the end of a text that stands before a figure, and how long it is there. */
export function findUnitBefore(text: string): { value: string; length: number } {
  const [whole = "", sign = ""] = BEFORE.exec(text) ?? [];
  return { value: UNIT_OF.get(sign) ?? sign, length: whole.length };
}

const LANGUAGES = "en de fr es it pt nl pl cs sv da nb fi ru uk tr".split(" ");

let months: ReadonlyMap<string, number> | undefined;

/** Returns the month, from 1, that a word names in one of many languages; 0 if it names none. */
export function findMonth(word: string): number {
  months ??= listMonths();
  return months.get(word.toLowerCase()) ?? 0;
}

function listMonths(): Map<string, number> {
  const found = new Map<string, number>();
  for (const language of LANGUAGES) {
    const formats = [{ month: "long" }, { month: "long", day: "numeric" }, { month: "short" }] as const;
    // Short names of other languages are often other words of English ones.
    for (const options of formats.slice(0, language === "en" ? 3 : 2)) {
      const format = new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" });
      for (let month = 1; month <= 12; month++) {
        const parts = format.formatToParts(Date.UTC(2026, month - 1, 5));
        const name = (parts.find(({ type }) => type === "month")?.value ?? "").toLowerCase().replace(/\.$/, "");
        if (name !== "" && !found.has(name)) found.set(name, month);
      }
    }
  }
  return found.set("sept", 9);
}
