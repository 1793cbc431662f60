/** The version of a release, which stands in several files (CONTRIBUTING, "How to cut a release"). */
import { expect, it } from "vitest";
import packageJson from "../../package.json?raw";
import astroJson from "../../packages/astro/package.json?raw";
import clientJson from "../../packages/client/package.json?raw";
import { VERSION } from "../../src/lib/version.ts";

const versionIn = (text: string): string => (JSON.parse(text) as { version: string }).version;

it("the service has the version of its package, and so do the packages for front ends", () => {
  expect([packageJson, clientJson, astroJson].map(versionIn)).toEqual([VERSION, VERSION, VERSION]);
});
