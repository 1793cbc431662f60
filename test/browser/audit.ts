/** What axe-core finds on a page, and whether it fits a small screen. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { Page } from "playwright-core";
import { expect, inject } from "vitest";
import { DESKTOP } from "./tab.ts";

/** The smallest screen that pages are made for, in CSS pixels. */
const SMALL = { width: 360, height: 740 };

type Setting = {
  readonly name: string;
  readonly colorScheme: "light" | "dark";
  readonly viewport: typeof DESKTOP;
};

const LIGHT: Setting = { name: "light", colorScheme: "light", viewport: DESKTOP };
/** Each scheme and each screen once. */
const SETTINGS: readonly Setting[] = [LIGHT, { name: "dark, 360 px wide", colorScheme: "dark", viewport: SMALL }];

/**
 * Expects that people with other needs and screens can use what the page shows at this moment: a dialog, an error, a
 * notice. An audit takes twice as long as to load the page: only `npm run test:exhaustive` makes it.
 */
export async function audit(page: Page): Promise<void> {
  if (inject("exhaustive")) await auditIn(page, SETTINGS);
}

/**
 * Expects that everybody can use a page. Each page is tried in one setting, which are different ones for different pages, as
 * they share their parts; with `npm run test:exhaustive` in both. Whether a page fits is tried on both screens.
 */
export const auditWhole = (page: Page): Promise<void> =>
  auditIn(page, inject("exhaustive") ? SETTINGS : [settingOf(pathOf(page))]);

/** Returns a setting for a path, always the same one: what fails for a page fails again. */
function settingOf(path: string): Setting {
  const sum = Buffer.from(path).reduce((total, letter) => total + letter, 0);
  return SETTINGS[sum % SETTINGS.length] ?? LIGHT;
}

/** The path of a page as it is alike for all blogs, articles and secrets. */
const pathOf = (page: Page): string => new URL(page.url()).pathname.replaceAll(/[\w-]{30,}/g, ":id");

/** Returns an {@link audit} that is made once of each kind of page: with the same headings, and the same dialog if one is open. */
export function auditOfKinds(): typeof audit {
  const seen = new Set<string>();
  return async (page) => {
    if (!inject("exhaustive")) return;
    const titles = await page.locator("h1, dialog[open] h2, main h2").allInnerTexts();
    const kind = [pathOf(page), ...titles].join("\n");
    if (seen.has(kind)) return;
    seen.add(kind);
    await audit(page);
  };
}

async function auditIn(page: Page, settings: readonly Setting[]): Promise<void> {
  // With all of its styles.
  await page.waitForLoadState();
  const found: string[] = [];
  for (const { name, colorScheme, viewport } of settings) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    const problems = await violations(page, viewport === SMALL);
    found.push(...problems.map((problem) => `${name}: ${problem}`));
  }
  await page.emulateMedia({ colorScheme: null });
  for (const viewport of [SMALL, DESKTOP]) {
    await page.setViewportSize(viewport);
    found.push(...(await sidewaysScrolling(page)));
  }
  expect(found, `${await page.title()}, ${page.url()}`).toEqual([]);
}

/** The half of its size, which counts: each page has to read it. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Rules that take long, and whose findings are never serious. */
const MILD = ["region", "landmark-unique", "heading-order", "aria-allowed-role", "hidden-content"];

async function violations(page: Page, isSmall: boolean): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  // On a small screen, targets have to be large enough for fingers: not among axe's defaults (WCAG 2.2, 2.5.8).
  const rules = {
    ...Object.fromEntries(MILD.map((id) => [id, { enabled: false }])),
    "target-size": { enabled: isSmall },
  };
  const results = await page.evaluate((options) => {
    const { axe: tried } = window as unknown as { axe: typeof axe };
    return tried.run({ resultTypes: ["violations"], preload: false, rules: options });
  }, rules);
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
