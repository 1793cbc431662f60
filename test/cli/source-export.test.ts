/** The folder of an export. */
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { openTarget } from "../../packages/cli/transfer/export.ts";
import { useFiles } from "./source-files.ts";

const files = useFiles();

it("an export makes the folders that are missing", async () => {
  const folder = path.join(files.folder({}), "a/b/c");
  await Promise.all([openTarget(folder, false), openTarget(folder, false)]);
  expect(readdirSync(folder)).toEqual([]);
});

it.runIf(existsSync("/proc/self"))("an export into a file system that has no folders of its own ends", async () => {
  // As a process of its own: what does not end there could not be ended here.
  const script = `import { openTarget } from ${JSON.stringify(path.resolve("packages/cli/transfer/export.ts"))};
    await openTarget("/proc/edgepress/of/the/test", false).catch(({ code }) => console.log(code));`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["ignore", "pipe", "ignore"],
    timeout: 120_000,
    killSignal: "SIGKILL",
  });
  expect(await text(child.stdout)).toMatch(/^E[A-Z]+\n$/);
});
