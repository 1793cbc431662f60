/** Contract 8.7: what a model may not bring into a passage, however it is written. */
import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { assisted, script } from "../helpers/generating.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant();
});

/** Asks with an answer of the model's that the test chooses. */
async function answered(content: string, body: object) {
  const name = newId();
  await script(name, [{ answer: { content } }]);
  return assisted(tenant, { name, body });
}

describe("a passage", () => {
  it.each([
    ["title that is no plain text", '[t]: https://a.example/t "<b>All</b> at https://evil.example"'],
    ["second one of the same name", "[t]: https://a.example/t\n[t]: https://evil.example/t"],
  ])("gets no definition of a link with a %s", async (_, definitions) => {
    const text = "The ferry.\n\n[t]: https://a.example/t";
    expect((await answered(`The ferry.\n\n${definitions}`, { task: "correct", text })).text).toBe("The ferry.");
  });

  it("gets no link and no HTML that are nested too deeply to be found", async () => {
    const planted = `${">".repeat(70)} [a](/b) <img src="x">`;
    const { text } = await answered(planted, { task: "correct", text: "The ferry." });
    expect(text).not.toMatch(/\]\(|(?<!\\)<img/);
  });
});
