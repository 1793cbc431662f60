import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { generateClientTypes } from "../../scripts/cli-types.ts";
import { ERRORS } from "../../src/domain/errors.ts";
import { toExit } from "../../packages/cli/failure.ts";

it.each(Object.entries(await generateClientTypes()))(
  "%s is of the OpenAPI document (npm run cli-types)",
  (file, types) => {
    expect(readFileSync(path.resolve(import.meta.dirname, "../..", file), "utf8")).toBe(types);
  },
);

it("every refusal of the service has an exit code of the documented ones", () => {
  for (const [code, { status }] of Object.entries(ERRORS)) {
    expect([1, 2, 4, 5, 6, 7], code).toContain(toExit(code, status));
    if (status === 401) expect(toExit(code, status), code).toBe(4);
    if (status === 429) expect(toExit(code, status), code).toBe(7);
  }
});
