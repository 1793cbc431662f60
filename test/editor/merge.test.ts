/** What becomes of a form and of what somebody else has saved meanwhile. */
import { describe, expect, it } from "vitest";
import { canKeepBoth, merge, listOverlaps, resolveOverlaps } from "../../packages/browser/autosave/merge.ts";

describe("two people's changes of an article", () => {
  it.each([
    ["Fog", "Fog, Sea", "Fog, Cats", "Fog, Sea, Cats"],
    ["", "beta", "alpha", "beta, alpha"],
    ["Fog, Sea", "Sea", "Fog, Sea, Cats", "Sea, Cats"],
    ["Fog, Sea", "Fog, Sea, Cats", "Fog", "Fog, Cats"],
    ["Fog", "", "Fog, 旅", "旅"],
    ["Fog", "Fog، 旅、Sea", "Fog, Sea", "Fog, 旅, Sea"],
  ])("tags %j that are %j here and %j there become %j", (tags, mine, theirs, merged) => {
    const found = merge({ tags }, { tags: mine }, { tags: theirs });
    expect(listOverlaps(found)).toEqual([]);
    expect(resolveOverlaps(found)).toEqual({ tags: merged });
  });

  it("both sides can be kept of texts alone", () => {
    const named = (text: string) => ({ title: text, content: text, slug: text, coverUrl: text, locale: text });
    const overlaps = listOverlaps(merge(named(""), named("mine"), named("theirs")));
    expect(overlaps.filter(canKeepBoth).map(({ name }) => name)).toEqual(["title", "content"]);
    const both = merge({ title: "", content: "" }, { title: "A", content: "a" }, { title: "B", content: "b" });
    expect(resolveOverlaps(both, ["both", "both"])).toEqual({ title: "A B", content: "a\nb" });
  });
});
