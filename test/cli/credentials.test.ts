/** The credentials file behind a symbolic link. */
import { chmodSync, chownSync, mkdirSync, statSync, symlinkSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { openCredentials } from "../../packages/cli/sign-in/credentials.ts";
import { useFiles } from "./source-files.ts";

const files = useFiles();

/** A home whose credentials are a link; `target` is what it leads to. */
function linked() {
  const home = files.folder({
    "elsewhere.json": JSON.stringify({ version: 1, server: "http://127.0.0.1:1", signIns: {} }),
  });
  const target = path.join(home, "elsewhere.json");
  mkdirSync(path.join(home, "edgepress"), { mode: 0o700 });
  symlinkSync("../elsewhere.json", path.join(home, "edgepress/credentials.json"));
  const warned: string[] = [];
  const credentials = openCredentials({ XDG_CONFIG_HOME: home }, (text) => warned.push(text));
  return { target, credentials, warned };
}

it("is for its owner alone again where others could read it, and the person hears of it", async () => {
  const { target, credentials, warned } = linked();
  chmodSync(target, 0o644);
  expect(await credentials.findDefaultServer()).toBe("http://127.0.0.1:1");
  expect(statSync(target).mode & 0o777).toBe(0o600);
  expect(warned).toEqual([expect.stringMatching(/credentials\.json had mode 644/)]);
});

it.runIf(process.getuid?.() === 0)("is refused where it belongs to somebody else", async () => {
  const { target, credentials } = linked();
  chownSync(target, 65_534, 65_534);
  await expect(credentials.findDefaultServer()).rejects.toMatchObject({ code: "credentials_unreadable" });
});
