import { expect, it } from "vitest";
import packageJson from "../../package.json?raw";
import { VERSION } from "../../src/lib/version.ts";

it("the version is that of the package", () => {
  expect(VERSION).toBe((JSON.parse(packageJson) as { version: string }).version);
});
