/** The version of a release is written in package.json; npm wants it in the packages for front ends, too (docs/how-to/release.md). */
import { expect, it } from "vitest";
import packageJson from "../../package.json?raw";
import astroJson from "../../packages/astro/package.json?raw";
import clientJson from "../../packages/client/package.json?raw";

const versionIn = (text: string): string => (JSON.parse(text) as { version: string }).version;

it("the packages for front ends have the version of the service", () => {
  expect([clientJson, astroJson].map(versionIn)).toEqual([versionIn(packageJson), versionIn(packageJson)]);
});
