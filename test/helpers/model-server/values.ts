/** Makes plausible values for a JSON schema (2020-12, as zod and the AI SDK send it). */
import { type Json, type Schema, type Wanted, worded } from "./prompt.ts";
import { headingOf, keywordOf, markdownOf, sentencesOf, titleOf } from "./texts.ts";

/** Where a value stands: the name of its field, and its index in an array. */
type Place = { readonly name: string; readonly index: number };

const list = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);
const number = (value: Json | undefined, otherwise: number): number => (typeof value === "number" ? value : otherwise);
const object = (value: Json | undefined): Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};

/** Returns a value that satisfies the schema. Throws if it cannot find one, such as for a complex pattern. */
export function valueOf(root: Schema, wanted: Wanted): Json {
  const walk = (given: Schema, place: Place): Json => {
    const schema = resolved(root, given);
    if (schema["const"] !== undefined) return schema["const"];
    const choices = list(schema["enum"]);
    if (choices.length > 0) return choices[(wanted.seed + place.index) % choices.length] ?? null;
    const variants = [...list(schema["anyOf"]), ...list(schema["oneOf"])].map(object);
    const variant = variants.find(({ type }) => type !== "null") ?? variants[0];
    if (variant !== undefined) return walk({ ...schema, anyOf: [], oneOf: [], ...variant }, place);
    switch (typeOf(schema)) {
      case "object":
        return Object.fromEntries(
          Object.entries(object(schema["properties"])).map(([name, member]) => [
            name,
            walk(object(member), { ...place, name }),
          ]),
        );
      case "array":
        return arrayOf(schema, place, walk);
      case "string":
        return stringOf(schema, place, wanted);
      case "boolean":
        return true;
      case "null":
        return null;
      default:
        return numberOf(schema, place);
    }
  };
  return walk(root, { name: "", index: 0 });
}

/** Returns the type of a schema: "object" if it names none, and the first one that is not null if it names several. */
const typeOf = ({ type }: Schema): string => worded(list(type).find((one) => one !== "null") ?? type ?? "object");

/** Returns the schema with its `$ref` and `allOf` resolved. */
function resolved(root: Schema, schema: Schema): Schema {
  const { $ref: ref, allOf, ...rest } = schema;
  const merged = Object.assign({}, ...list(allOf ?? []).map((part) => resolved(root, object(part))), rest) as Schema;
  if (typeof ref !== "string") return merged;
  const target = ref
    .replace(/^#\/?/, "")
    .split("/")
    .filter((part) => part !== "")
    .reduce<Schema>((at, part) => object(at[part.replaceAll("~1", "/").replaceAll("~0", "~")]), root);
  return resolved(root, { ...target, ...merged });
}

function arrayOf(schema: Schema, place: Place, walk: (schema: Schema, place: Place) => Json): Json[] {
  const first = list(schema["prefixItems"]).map(object);
  if (first.length > 0) return first.map((item, index) => walk(item, { ...place, index }));
  const length = Math.max(number(schema["minItems"], 0), Math.min(3, number(schema["maxItems"], 3)));
  return Array.from({ length }, (_, index) => walk(object(schema["items"]), { ...place, index }));
}

/** Returns the smallest allowed number for the first element of an array, and larger ones for the next elements. */
function numberOf(schema: Schema, { index }: Place): number {
  const step = number(schema["multipleOf"], 1);
  const above = schema["exclusiveMinimum"];
  const least = typeof above === "number" ? above + step : number(schema["minimum"], 1);
  const most = number(schema["maximum"], Infinity);
  const value = Math.ceil(least / step) * step + index * step;
  return value <= most ? value : least;
}

const FORMATS: Readonly<Record<string, (index: number) => string>> = {
  uri: (index) => `https://example.com/page-${index + 1}`,
  "date-time": (index) => new Date(Date.UTC(2026, 0, 1 + index)).toISOString(),
  date: (index) => new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
  email: (index) => `person-${index + 1}@example.com`,
  uuid: (index) => `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
};

function stringOf(schema: Schema, place: Place, wanted: Wanted): string {
  const format = FORMATS[worded(schema["format"])];
  if (format !== undefined) return format(place.index);
  const least = number(schema["minLength"], 0);
  const most = number(schema["maxLength"], Infinity);
  const text = fit(textOf(place, wanted, schema, most), least, most);
  const { pattern } = schema;
  if (typeof pattern !== "string" || new RegExp(pattern, "u").test(text)) return text;
  const nth = String(place.index + 1);
  const others = [`word-${nth}`, `word${nth}`, `Word ${nth}`, "word", "en", nth, nth.padStart(4, "0")];
  const match = others.map((other) => fit(other, least, most)).find((other) => new RegExp(pattern, "u").test(other));
  if (match === undefined) throw new Error(`the pattern ${pattern} is not simple enough for the test server`);
  return match;
}

/** Returns a text that fits the name of the field. */
function textOf({ name, index }: Place, wanted: Wanted, { description }: Schema, most: number): string {
  if (/slug/i.test(name)) return `${wanted.language}-article-${(wanted.seed % 100_000) + index}`;
  if (/url|link|href/i.test(name)) return `https://example.com/page-${index + 1}`;
  if (/title|headline/i.test(name)) return titleOf(wanted, index);
  if (/heading/i.test(name)) return headingOf(wanted, index);
  if (/keyword|tag|label/i.test(name)) return keywordOf(wanted, index);
  if (/locale|language/i.test(name)) return wanted.language;
  const words = Number(/(\d+) words/.exec(worded(description))?.[1] ?? wanted.words);
  if (/content|markdown|article|body/i.test(name)) return markdownOf({ ...wanted, words }, { headings: true, most });
  if (/text|section|paragraph/i.test(name)) return markdownOf({ ...wanted, words }, { headings: false, most });
  return sentencesOf(wanted, Math.min(most, 150), index);
}

/** Makes a text longer or shorter, so that it has `least` to `most` characters. */
function fit(text: string, least: number, most: number): string {
  let long = text;
  while (long.length < least) long += ` ${text || "word"}`;
  return long.slice(0, most).trimEnd().padEnd(least, ".");
}
