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
  /** The rules of axe that are tried; without it, all. */
  readonly rules?: readonly string[];
};

const LIGHT: Setting = { name: "light", colorScheme: "light", viewport: DESKTOP };
const DARK_SMALL: Setting = { name: "dark, 360 px wide", colorScheme: "dark", viewport: SMALL };
/** All pairs, with `EXHAUSTIVE=1 npm test`. */
const PAIRS: readonly Setting[] | undefined = inject("exhaustive")
  ? [
      LIGHT,
      DARK_SMALL,
      { name: "dark", colorScheme: "dark", viewport: DESKTOP },
      { name: "360 px wide", colorScheme: "light", viewport: SMALL },
    ]
  : undefined;

/**
 * Expects that people with other needs and screens can use what the page shows at this moment: a dialog, an error, a
 * notice. An audit takes four times as long as to load the page, so it is made where most goes wrong: on a small screen.
 */
export const audit = (page: Page): Promise<void> => auditIn(page, PAIRS ?? [DARK_SMALL]);

/**
 * Expects that everybody can use a page in both schemes and on both screens: each of them is tried once, and what a scheme
 * or a screen does not change, once.
 */
export const auditWhole = (page: Page): Promise<void> =>
  auditIn(page, PAIRS ?? [LIGHT, { ...DARK_SMALL, rules: CHANGING }]);

/** What a scheme or a screen changes: colours, sizes, what scrolls, and the names of what only a small screen shows. */
const CHANGING =
  "color-contrast target-size scrollable-region-focusable button-name link-name label select-name summary-name".split(
    " ",
  );

/** Returns an {@link audit} that is made once of each kind of page: with the same headings, and the same dialog if one is open. */
export function auditOfKinds(): typeof audit {
  const seen = new Set<string>();
  return async (page) => {
    const path = new URL(page.url()).pathname.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ":id");
    const titles = await page.locator("h1, dialog[open] h2, main h2").allInnerTexts();
    const kind = [path, ...titles].join("\n");
    if (seen.has(kind)) return;
    seen.add(kind);
    await audit(page);
  };
}

async function auditIn(page: Page, settings: readonly Setting[]): Promise<void> {
  // With all of its styles.
  await page.waitForLoadState();
  const found: string[] = [];
  for (const setting of settings) {
    await page.emulateMedia({ colorScheme: setting.colorScheme });
    await page.setViewportSize(setting.viewport);
    const problems = [...(await violations(page, setting)), ...(await sidewaysScrolling(page))];
    found.push(...problems.map((problem) => `${setting.name}: ${problem}`));
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(DESKTOP);
  expect(found, `${await page.title()}, ${page.url()}`).toEqual([]);
}

/** The half of its size, which counts: each page has to read it. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

async function violations(page: Page, { viewport, rules }: Setting): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const results = await page.evaluate(
    ({ isSmall, only }) =>
      (window as unknown as { axe: typeof axe }).axe.run(document, {
        resultTypes: ["violations"],
        preload: false,
        ...(only === undefined
          ? // On a small screen, targets have to be large enough for fingers: not among axe's defaults (WCAG 2.2, 2.5.8).
            { rules: { "target-size": { enabled: isSmall } } }
          : { runOnly: [...only] }),
      }),
    { isSmall: viewport === SMALL, only: rules },
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
