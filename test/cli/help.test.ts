/** Help: by name, at every level, and of the options that every command takes. */
import { expect, it } from "vitest";
import { errorIn, useProgram } from "./program.ts";

const program = useProgram();

it.each([
  [["help"], "edgepress [options] [command]"],
  [["help", "articles"], "edgepress articles [options] [command]"],
  [["help", "articles", "list"], "edgepress articles list [options]"],
  [["articles", "help", "list"], "edgepress articles list [options]"],
  [["articles", "help"], "edgepress articles [options] [command]"],
  [["help", "articles", "history"], "edgepress articles revisions|history [options] <id-or-slug>"],
])("%j shows what it names", async (args, usage) => {
  const { code, stdout, stderr } = await program.call(args);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain(`Usage: ${usage}\n`);
});

it.each([
  [["help", "artcles"], "articles"],
  [["help", "articles", "lst"], "list"],
  [["articles", "help", "lst"], "list"],
])("%j is refused, with the name that may have been meant", async (args, meant) => {
  const outcome = await program.call([...args, "--json"]);
  expect([outcome.code, outcome.stdout]).toEqual([2, ""]);
  expect(errorIn(outcome)).toMatchObject({ code: "usage", message: expect.stringContaining(`Did you mean ${meant}?`) });
  expect((await program.call(args)).stderr).not.toContain("Usage:");
});

it("of a command's own commands is refused where it has none", async () => {
  const outcome = await program.call(["help", "articles", "list", "all", "--json"]);
  expect(errorIn(outcome)).toMatchObject({ code: "usage", message: expect.stringContaining('"list"') });
});

it("of a command that there is not names the group, also where the group is a command itself", async () => {
  const outcome = await program.call(["help", "tags", "foo", "--json"]);
  expect(errorIn(outcome)).toMatchObject({ code: "usage", message: `"tags" has no command "foo".` });
});

it.each([["articles", "list"], ["whoami"], ["completion"]])(
  "of %s %s names the options of the program",
  async (...args) => {
    const { stdout } = await program.call([...args.filter(Boolean), "--help"]);
    for (const option of ["--json", "--server <url>", "--quiet"]) expect(stdout).toContain(option);
  },
);

it.each([
  [["articles", "list"]],
  [["articles", "search"]],
  [["topics", "list"]],
  [["webhooks", "listen"]],
  [["import"]],
  [["export"]],
])("of %j has the blog as -b, too", async (args) => {
  expect((await program.call([...args, "--help"])).stdout).toContain("-b, --blog <blog>");
});
