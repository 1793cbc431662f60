/** What axe-core finds on a page, and whether it fits a small screen. */
import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { DESKTOP } from "./tab.ts";

/** The smallest screen that pages are made for, in CSS pixels. */
const SMALL = { width: 360, height: 740 };

const SETTINGS = [
  { name: "light", colorScheme: "light", viewport: DESKTOP, rules: null },
  // Colours are all that the scheme changes.
  { name: "dark", colorScheme: "dark", viewport: DESKTOP, rules: ["color-contrast", "link-in-text-block"] },
  { name: "360 px wide", colorScheme: "light", viewport: SMALL, rules: null },
] as const;

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

async function violations(page: Page, rules: readonly string[] | null): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const results = await page.evaluate(
    (only) =>
      (window as unknown as { axe: typeof axe }).axe.run(document, {
        resultTypes: ["violations"],
        preload: false,
        ...(only && { runOnly: { type: "rule", values: [...only] } }),
      }),
    rules,
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
