/** The order in which an import sends articles: it decides on what translations share. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Turns } from "../../packages/cli/transfer/import.ts";
import { none, useImports } from "./transfer-imports.ts";

const { uses, imported } = useImports();

const dated = (slug: string, day: number) =>
  `---\ntitle: ${slug}\nslug: ${slug}\ndate: 2026-01-${String(day).padStart(2, "0")}\n---\n`;

describe("translations of one slug", () => {
  it("are sent one after another, the oldest first, whatever the concurrency", async () => {
    const folder = uses.program.folder({
      "b.fr.md": dated("b", 3),
      "b.de.md": dated("b", 1),
      "a.ja.md": dated("a", 6),
      "a.en.md": dated("a", 2),
      "a.de.md": dated("a", 4),
      "b.en.md": dated("b", 5),
    });
    const { behaviour, told } = uses.server;
    behaviour.locales = ["en", "de", "fr", "ja"];
    // The earlier ones take longer, so that the later ones would overtake them.
    let delay = 400;
    behaviour.slow = (body) => (body === "" ? 0 : (delay = delay / 2));
    expect(await imported(folder, "--concurrency", "4")).toMatchObject({ code: 0, counts: { ...none, created: 6 } });
    const of = (slug: string) => told.saved.filter((each) => each.startsWith(`${slug} `));
    expect(of("a")).toEqual(["a en", "a de", "a ja"]);
    expect(of("b")).toEqual(["b de", "b fr", "b en"]);
  });
});

describe("turns", () => {
  it("keep the order of one name, let other names pass, and go on after a failure", async () => {
    const turns = new Turns();
    const ended: string[] = [];
    const work = (name: string, ms: number) => async () => {
      await sleep(ms);
      ended.push(name);
      if (name === "a1") throw new Error("a1 fails");
    };
    const outcomes = await Promise.allSettled([
      turns.take("a", work("a1", 40)),
      turns.take("a", work("a2", 0)),
      turns.take("b", work("b1", 0)),
    ]);
    expect(ended).toEqual(["b1", "a1", "a2"]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
  });
});
