/** What axe-core finds on a page, and whether it fits a small screen. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { DESKTOP } from "./tab.ts";

/** The smallest screen that pages are made for, in CSS pixels. */
const SMALL = { width: 360, height: 740 };

/** Each scheme and each screen once: what one of them breaks is seen without the other three pairs. */
const SETTINGS = [
  { name: "light", colorScheme: "light", viewport: DESKTOP },
  { name: "dark, 360 px wide", colorScheme: "dark", viewport: SMALL },
  ...(process.env["EXHAUSTIVE"]
    ? ([
        { name: "dark", colorScheme: "dark", viewport: DESKTOP },
        { name: "360 px wide", colorScheme: "light", viewport: SMALL },
      ] as const)
    : []),
] as const;

/** Expects that people with other needs, schemes and screens can use the page as it is at this moment. */
export async function audit(page: Page): Promise<void> {
  // With all of its styles.
  await page.waitForLoadState();
  const found: string[] = [];
  for (const { name, colorScheme, viewport } of SETTINGS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    const problems = [...(await violations(page, viewport === SMALL)), ...(await sidewaysScrolling(page))];
    found.push(...problems.map((problem) => `${name}: ${problem}`));
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(DESKTOP);
  expect(found, `${await page.title()}, ${page.url()}`).toEqual([]);
}

/** The half of its size, which counts: each page has to read it. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** `isSmall`: whether targets have to be large enough for fingers, too. */
async function violations(page: Page, isSmall: boolean): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const results = await page.evaluate(
    (enabled) =>
      (window as unknown as { axe: typeof axe }).axe.run(document, {
        resultTypes: ["violations"],
        preload: false,
        // Not among axe's defaults (WCAG 2.2, 2.5.8).
        rules: { "target-size": { enabled } },
      }),
    isSmall,
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
