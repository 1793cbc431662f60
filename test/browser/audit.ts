/** What axe-core finds on a page, and whether it fits a small screen. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { RunOptions } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { DESKTOP } from "./tab.ts";

/** The smallest screen that pages are made for, in CSS pixels. */
const SMALL = { width: 360, height: 740 };

/** The rules that a scheme or a screen can break. The others are about elements, which are the same in all of them. */
const OF_LOOKS = ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"];

type Setting = {
  readonly name: string;
  readonly colorScheme: "light" | "dark";
  readonly viewport: { readonly width: number; readonly height: number };
  /** The rules to try. Undefined: all. */
  readonly rules?: readonly string[] | undefined;
};

const isExhaustive = Boolean(process.env["EXHAUSTIVE"]);

/** Each scheme and each screen once: what one of them breaks is seen without the other three pairs. */
const SETTINGS: readonly Setting[] = [
  { name: "light", colorScheme: "light", viewport: DESKTOP },
  { name: "dark, 360 px wide", colorScheme: "dark", viewport: SMALL, rules: isExhaustive ? undefined : OF_LOOKS },
  ...(isExhaustive
    ? ([
        { name: "dark", colorScheme: "dark", viewport: DESKTOP },
        { name: "360 px wide", colorScheme: "light", viewport: SMALL },
      ] as const)
    : []),
];

/** Expects that people with other needs, schemes and screens can use the page as it is at this moment. */
export async function audit(page: Page): Promise<void> {
  // With all of its styles.
  await page.waitForLoadState();
  const found: string[] = [];
  for (const { name, colorScheme, viewport, rules } of SETTINGS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    const problems = [...(await violations(page, rules)), ...(await sidewaysScrolling(page))];
    found.push(...problems.map((problem) => `${name}: ${problem}`));
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(DESKTOP);
  expect(found, `${await page.title()}, ${page.url()}`).toEqual([]);
}

/** The half of its size, which counts: each page has to read it. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

async function violations(page: Page, rules: readonly string[] | undefined): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const options: RunOptions = {
    resultTypes: ["violations"],
    preload: false,
    ...(rules && { runOnly: [...rules] }),
  };
  const results = await page.evaluate(
    (given) => (window as unknown as { axe: typeof axe }).axe.run(document, given),
    options,
  );
  return results.violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target.join(" ")}: ${failureSummary}`),
    );
}

/** The elements that make the page wider than the screen. */
function sidewaysScrolling(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const wide = [...document.querySelectorAll("body *")].filter(
      (each) => each.getBoundingClientRect().right > clientWidth,
    );
    const names = wide.slice(0, 5).map((each) => `${each.tagName.toLowerCase()}.${each.className}`);
    return [`${scrollWidth} px do not fit in ${clientWidth} px: ${names.join(", ")}`];
  });
}
