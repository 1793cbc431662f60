/** How long browsers may keep the console's scripts (public/_headers). */
import { expect, it } from "vitest";
import { sharedRun } from "./shared.ts";

const { local } = await sharedRun();
const ask = (name: string) => fetch(`${local.baseUrl}/console/${name}`, { redirect: "manual" });

it("asks for a script again on each page, and keeps the parts whose names say what is in them", async () => {
  const script = await ask("editor.js");
  expect(script.headers.get("Cache-Control")).toBe("public, max-age=0, must-revalidate");
  expect(script.headers.get("ETag")).not.toBeNull();
  const parts = new Set((await script.text()).match(/chunk-\w+\.js/g));
  expect(parts.size).toBeGreaterThan(0);
  for (const name of parts) {
    const part = await ask(name);
    expect([name, part.status, part.headers.get("Cache-Control")]).toEqual([
      name,
      200,
      "public, max-age=31536000, immutable",
    ]);
  }
});

it("keeps nothing at the address of a part that is no more", async () => {
  const gone = await ask("chunk-GONE0000.js");
  expect([gone.status, gone.headers.get("Location")]).toEqual([
    303,
    "/console/sign-in?next=%2Fconsole%2Fchunk-GONE0000.js",
  ]);
  expect(gone.headers.get("Cache-Control")).toContain("no-store");
});
