/** The colours of the design system: what WCAG 2.2 asks of their contrasts, at level AA, in both schemes. */
import { describe, expect, it } from "vitest";
import palette from "../../styles/palette.css?raw";

type Rgb = readonly number[];
type Colour = { readonly light: Rgb; readonly dark: Rgb };

/** The roles and their colours, such as `--text: light-dark(#1b1c22, #e9eaf0);`. */
const COLOURS = new Map<string, Colour>(
  [...palette.matchAll(/--([a-z-]+): light-dark\(#([0-9a-f]{6}), #([0-9a-f]{6})\);/g)].map(
    ([, name = "", light = "", dark = ""]) => [name, { light: rgb(light), dark: rgb(dark) }],
  ),
);

function rgb(hex: string): Rgb {
  return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
}

/** The relative luminance of WCAG 2.2: 0 for black, 1 for white. */
function luminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Rgb, other: Rgb): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

const SURFACES = ["surface", "raised", "fill"];
const TONES = ["good", "warn", "bad", "info"];
const FILLS = [...TONES, "accent"].map((tone) => `${tone}-fill`);

/** Which texts stand on which grounds. */
const TEXTS: readonly (readonly [text: string, grounds: readonly string[]])[] = [
  ["text", [...SURFACES, ...FILLS]],
  ["muted", SURFACES],
  ["accent", [...SURFACES, ...FILLS]],
  ["on-accent", ["accent"]],
  ["on-bad", ["bad"]],
  ...TONES.map((tone) => [tone, SURFACES.concat(`${tone}-fill`)] as const),
];
/** What has to be told from what is around it: the borders of controls, and the focus. */
const SHAPES: readonly (readonly [shape: string, grounds: readonly string[]])[] = [
  ["edge", SURFACES],
  ["focus", [...SURFACES, "accent-fill"]],
];

const pairs = (list: typeof TEXTS) =>
  list.flatMap(([name, grounds]) =>
    grounds.flatMap((ground) => (["light", "dark"] as const).map((scheme) => ({ name, ground, scheme }))),
  );

function contrastOf(name: string, ground: string, scheme: "light" | "dark"): number {
  const [one, other] = [COLOURS.get(name), COLOURS.get(ground)];
  if (one === undefined || other === undefined) throw new Error(`${name} or ${ground} is no colour of the palette`);
  return contrast(one[scheme], other[scheme]);
}

describe("the colours", () => {
  it("are measured as WCAG does", () => {
    expect(contrast(rgb("000000"), rgb("ffffff"))).toBe(21);
    expect(contrast(rgb("777777"), rgb("ffffff"))).toBeCloseTo(4.48, 2);
  });

  it.each(pairs(TEXTS))("$name can be read on $ground when it is $scheme", ({ name, ground, scheme }) => {
    expect(contrastOf(name, ground, scheme)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(pairs(SHAPES))("$name is seen on $ground when it is $scheme", ({ name, ground, scheme }) => {
    expect(contrastOf(name, ground, scheme)).toBeGreaterThanOrEqual(3);
  });

  it("are all among these pairs, but for lines, which nobody has to see", () => {
    const used = new Set([...TEXTS, ...SHAPES].flatMap(([name, grounds]) => [name, ...grounds]));
    expect([...COLOURS.keys()].filter((name) => !used.has(name))).toEqual(["line"]);
  });
});
