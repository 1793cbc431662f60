/** Runs that end before their result. */
import { describe, expect, it } from "vitest";
import { DomainError } from "../../src/domain/errors.ts";
import { writeArticle } from "../../src/ai/generation/write.ts";
import { ANSWERS, briefOf, drawing, scripted, toolsOf } from "../helpers/generation.ts";

describe("a failure", () => {
  it("of one section is that of the article: none is asked for after it, and those begun are finished", async () => {
    const timeout = new DomainError("ai_timeout", "Slow.");
    const sections = Array.from({ length: 6 }, (_, index) => ({ heading: `H${index}`, points: [], words: 220 }));
    let finished = 0;
    const { text, asked } = scripted({
      outline: { ...(ANSWERS["outline"] as object), sections },
      opening: () => Promise.reject(timeout),
      section: async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        finished += 1;
        return ANSWERS["section"];
      },
    });
    const { tools, steps } = toolsOf(text);
    await expect(writeArticle(briefOf({ words: 1320 }), tools)).rejects.toBe(timeout);
    expect(asked.map(({ name }) => name)).toEqual(["outline", "opening", "section", "section"]);
    expect(finished).toBe(2);
    expect(steps.at(-1)).toMatchObject({ step: "section", section: 3, of: 6 });
  });
});

describe("an end that nobody waits for", () => {
  const reason = new Error("nobody waits");
  const brief = briefOf({ coverImage: true });

  it.each(["outline", "opening", "section", "description", "images", "drawing", "keeping"])(
    "in the midst of %s throws its reason and asks for nothing more",
    async (at) => {
      const end = new AbortController();
      const never = () => {
        end.abort(reason);
        // The work itself does not hear of it.
        return new Promise<never>(() => undefined);
      };
      const { text, asked } = scripted({ [at]: never });
      const { tools } = toolsOf(text, {
        image: drawing(at === "drawing" ? never : undefined),
        keepImage: at === "keeping" ? never : async () => "https://cdn.example/x.png",
        signal: end.signal,
      });
      await expect(writeArticle(brief, tools)).rejects.toBe(reason);
      const last = asked.length;
      expect(asked.at(-1)?.name).toBe({ drawing: "images", keeping: "images", opening: "opening" }[at] ?? at);
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(asked).toHaveLength(last);
    },
  );

  it.each(["outline", "section", "description", "image", "checks"])("as %s begins, too", async (at) => {
    const end = new AbortController();
    const { text, asked } = scripted();
    let drawn = 0;
    const { tools, steps } = toolsOf(text, { image: drawing(() => void drawn++), signal: end.signal });
    const tell: typeof tools.tell = (step) => {
      tools.tell(step);
      if (step.step === at) end.abort(reason);
    };
    const work = writeArticle(brief, { ...tools, tell });
    await expect(work).rejects.toBe(reason);
    expect(steps.filter(({ step }) => step === at)).toHaveLength(1);
    expect(steps.at(-1)?.step).toBe(at);
    expect(asked).toHaveLength({ outline: 0, section: 1, description: 4, image: 6, checks: 6 }[at] ?? -1);
    expect(drawn).toBe(at === "checks" ? 1 : 0);
  });

  it("that was there before the beginning asks for nothing", async () => {
    const { text, asked } = scripted();
    const { tools, steps } = toolsOf(text, { signal: AbortSignal.abort(reason) });
    await expect(writeArticle(brief, tools)).rejects.toBe(reason);
    expect([asked, steps]).toEqual([[], []]);
  });
});
