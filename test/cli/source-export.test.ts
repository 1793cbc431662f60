/** Two exports into one folder, and what one that was killed has left in it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { openTarget } from "../../packages/cli/transfer/export.ts";
import { useFiles } from "./source-files.ts";

const files = useFiles();

/** A process that waits; the number of one that has ended belongs to none. */
async function processOf(ends: boolean): Promise<number> {
  const child = spawn(process.execPath, ["--eval", ends ? "" : "process.stdin.resume()"], {
    stdio: ["pipe", "ignore", "ignore"],
  });
  const ended = once(child, "exit");
  if (ends) await ended;
  onTestFinished(async () => {
    child.stdin?.end();
    await ended;
  });
  return child.pid ?? 0;
}

it("an export removes what ended ones have left, and not what another is writing", async () => {
  const [alive, ended] = [await processOf(false), await processOf(true)];
  const folder = files.folder({
    [`.edgepress-${alive}.tmp`]: "half an arti",
    [`.edgepress-${ended}.tmp`]: "half an arti",
    [`.edgepress-${process.pid}.tmp`]: "by an earlier process of this number",
    ".edgepress-99999999999999999999.tmp": "by no process that can be",
    ".edgepress-0.tmp": "by no process either, although signal 0 reaches the group of that number",
  });
  const target = await openTarget(folder, false);
  expect(readdirSync(folder)).toEqual([`.edgepress-${alive}.tmp`]);
  expect(await target.write("a.en.md", "text")).toBe("written");
  expect(readFileSync(path.join(folder, "a.en.md"), "utf8")).toBe("text");
  expect(existsSync(path.join(folder, `.edgepress-${alive}.tmp`))).toBe(true);
});

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
