/** Makes a blog's accent color readable as text, in both color schemes (WCAG 2.2, 1.4.3). */

type Rgb = readonly [red: number, green: number, blue: number];

/** Backgrounds of text in the theme: the darkest one of the light scheme, and the lightest one of the dark scheme. */
export const PAPER = { light: "#f3f1ec", dark: "#23262b" } as const;
export const DEFAULT_ACCENT = "#a63a1f";
/** A little more than the 4.5 of WCAG, because colors are rounded. */
const CONTRAST = 4.6;

/** Returns a readable shade of an accent for each scheme: the color itself or the nearest readable one. */
export function makeShades(accent: string): { readonly light: string; readonly dark: string } {
  const given = toRgb(/^#[0-9a-f]{6}$/.test(accent) ? accent : DEFAULT_ACCENT);
  return {
    light: mixUntilReadable(given, [0, 0, 0], toRgb(PAPER.light)),
    dark: mixUntilReadable(given, [255, 255, 255], toRgb(PAPER.dark)),
  };
}

function mixUntilReadable(colour: Rgb, towards: Rgb, paper: Rgb): string {
  for (let part = 0; part < 1; part += 0.02) {
    const mixed = colour.map((value, n) => Math.round(value + ((towards[n] ?? 0) - value) * part)) as unknown as Rgb;
    if (getContrast(mixed, paper) >= CONTRAST) return toHex(mixed);
  }
  return toHex(towards);
}

const toRgb = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;

const toHex = (colour: Rgb): string => `#${colour.map((value) => value.toString(16).padStart(2, "0")).join("")}`;

/** Returns the contrast ratio of two colors: 1 to 21 (WCAG 2.2). */
export function getContrast(one: Rgb | string, other: Rgb | string): number {
  const [first, second] = [one, other].map((colour) =>
    getLuminance(typeof colour === "string" ? toRgb(colour) : colour),
  );
  const [high, low] = [Math.max(first ?? 0, second ?? 0), Math.min(first ?? 0, second ?? 0)];
  return (high + 0.05) / (low + 0.05);
}

function getLuminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((value) => {
    const part = value / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
