/** Single lines, and what of them ends up in the document: whatever way it is written, no tag and no address stays. */
import fc, { runs } from "../helpers/fast-check.ts";
import { describe, expect, it } from "vitest";
import { finishContent } from "../../src/ai/generation/gate.ts";
import { buildLinkRules } from "../../src/ai/generation/links.ts";
import { listNodes, parse, print, type Content } from "../../src/ai/generation/markdown.ts";
import { spread } from "../helpers/sample.ts";
import { plainLine } from "../../src/lib/plain-line.ts";
import { writeArticle } from "../../src/ai/generation/write.ts";
import { ANSWERS, briefOf, checkOf, drawing, scripted, toolsOf, write } from "../helpers/generation.ts";

const RTL = "\u202e";

describe("a line", () => {
  it.each([
    ["Ferries <scr<b>ipt src=//evil.example/x.js></scr</b>ipt>", "Ferries"],
    ["pay at https:`//evil.example/pay <im<b>g src=//evil.example/p.gif>", "pay at"],
    ["<scr<b>ipt>", ""],
    ["Write to <#@example>", "Write to"],
    ["Write to a@a@.example", "Write to a@"],
    ["Read https:`//evil.example/t and https:**//evil.example/u", "Read and"],
    ["Read ht[tps:](x)//evil.example/t and `www`.evil.example", "Read and"],
    ["Read https:\u200b//evil.example and w\u00adww.evil.example", "Read and"],
    ["Write to refunds@`evil.example` or mailto:refunds@evil.example", "Write to or"],
    ["A [great (really)](https://evil.example/a_(b)) offer", "A great (really) offer"],
    ["Click javascript:alert(1) or data:text/html,x now", "Click or now"],
    ["Ferries <img src=//evil.example/x onerror=alert(1)", "Ferries img src= onerror=alert(1)"],
    ["Ferries (https://evil.example/)", "Ferries ("],
    [`abc${RTL}def\u200e\u061c\u2066x\u2069\ufeff`, "abcdefx"],
    ["a\u{e0061}\u{e007f}b", "ab"],
    ["x".repeat(30) + "-https://evil.example", "x".repeat(30) + "-"],
    [`${"<b".repeat(100)}${">".repeat(100)} text`, ""],
  ])("%j becomes %j", (text, expected) => {
    expect(plainLine(text)).toBe(expected);
  });

  it.each([
    "What Node.js and ASP.NET have in common",
    "Map<string, Array<number>> and <your name>",
    "Install lodash@4.17.21 or @types/node",
    "Big data: what it is; tel: no; 24/7 and and/or",
    "Why 2 < 3 and __init__",
    "می\u200cخواهم",
    "क्\u200dष",
    "👩\u200d💻 and 🏳\ufe0f\u200d🌈",
    "ภาษา\u200bไทย",
  ])("stays as it is: %s", (text) => {
    expect(plainLine(text)).toBe(text);
  });

  const pieces =
    "<|>|<b>|</b>|<scr|ipt>|script|</|<img src=x|<!--|-->|h|tt|ps|ps:|:|//|https://evil.example/x|www.|w|evil.example|.|" +
    "@|a|a@|mailto:|xmpp:|javascript:|`|**|*|_|[|]|](|(|)|!|#|>| |\n|\0|\u200b|\u202e|\u00ad|\ufdd0|\u{e0041}|\ud800|é|日|。|-|+|1";
  const text = fc.array(fc.constantFrom(...pieces.split("|")), { maxLength: 30 }).map((all) => all.join(""));

  it("has no tags and no addresses, reads the same again, and is text in a document", () => {
    fc.assert(
      fc.property(text, (any) => {
        const line = plainLine(any);
        expect(plainLine(line)).toBe(line);
        expect(line).not.toMatch(
          /https?:\/\/[^\s<>"。]|(?<![a-z\d])www\.|[\w+.-]@[\w-]*(?:\.[\w-]+)*\.[\w-]*[a-z][\w-]*(?!\.?[\w-])|(?<![\w-])javascript:\S|[\u202e\u00ad\u{e0041}]/iu,
        );
        expect(line).not.toMatch(/<\/?(?:script|b|img)[\s/>]|<!--.*>/i);
        const printed = print([{ type: "paragraph", children: [{ type: "text", value: line }] }]);
        expect(listNodes(parse(printed).children, "link")).toEqual([]);
      }),
      runs(500),
    );
  });
});

describe("a model that hides addresses in lines", () => {
  const hidden = "Pay https:`//evil.example/pay or refunds@`evil.example";

  it("gets none of them into the article", async () => {
    const sections = [hidden, `B ${hidden}`, `C ${hidden}`].map((heading) => ({
      heading,
      points: [hidden],
      words: 220,
    }));
    const { text } = scripted({
      outline: { title: hidden, primaryKeyword: hidden.slice(0, 60), sections },
      description: { description: `${RTL}${hidden}`, slug: "pay", keywords: ["<scr<b>ipt>", hidden.slice(0, 60)] },
      images: { images: Array.from({ length: 4 }, () => ({ prompt: "x", alt: hidden })) },
    });
    const { tools } = toolsOf(text, { image: drawing() });
    const brief = briefOf({ coverImage: true, inlineImages: true });
    const { article, images, outline } = await writeArticle(brief, tools);
    expect(JSON.stringify({ article, images, outline })).not.toMatch(/evil\.example|<scr|\u202e/);
    expect(listNodes(parse(article.content).children, "link")).toEqual([]);
    expect(article.content).toContain("## Pay or\n");
  });
});

it("whatever way an address came into the blocks, the last gate takes it out and counts it", () => {
  const rules = { links: buildLinkRules(briefOf()), images: new Set<string>() };
  const text = { type: "text", value: "Pay https://evil.example/pay or a@evil.example" } as const;
  const blocks = [
    { type: "heading", depth: 2, children: [text] },
    { type: "paragraph", children: [{ type: "link", url: "https://evil.example/", children: [text] }] },
  ] as const;
  const { content, removed } = finishContent(structuredClone<Content[]>(blocks as unknown as Content[]), rules);
  expect(content).toBe("## Pay or\n\nPay or");
  expect(removed.links).toBeGreaterThanOrEqual(4);
});

describe("addresses of mail", () => {
  const content = "Write to refunds@evil.example, xmpp:a@evil.example, Help@Given.example or ask@topic.example today.";

  it("go unless the caller gave them", async () => {
    const { article, degradations, ...rest } = await write(
      briefOf({
        subject: { kind: "topic", topic: "How to reach ask@topic.example" },
        instructions: "Name help@given.example.",
      }),
      { section: { content } },
    );
    expect(listNodes(parse(article.content).children, "link").map(({ url }) => url)).toEqual([
      "mailto:Help@Given.example",
      "mailto:ask@topic.example",
      "mailto:Help@Given.example",
      "mailto:ask@topic.example",
    ]);
    expect(degradations).toEqual(["4 links were removed: they led to addresses that nobody provided."]);
    expect(checkOf(rest, "links")).toMatchObject({ passed: false });
  });
});

describe("content that is made to be slow", () => {
  const slow = [
    ["letters without end", "a".repeat(19_900)],
    ["spaces without end", `x${" ".repeat(19_000)}y`],
    ["underscores without end", "_".repeat(19_900)],
    ["placeholders without end", "[insert ".repeat(2400)],
    ["quotes without end", "> a\n\n".repeat(3900)],
    ["as many quotes as are parsed", "> a\n\n".repeat(1490)],
    ["marks of mail without end", "a@b.c.".repeat(3000)],
  ] as const;

  it.each(spread(slow))("is refused or done with soon: %s", async (_, content) => {
    const sections = Array.from({ length: 14 }, (_, index) => ({ heading: `H${index}`, points: [], words: 200 }));
    const outline = { ...(ANSWERS["outline"] as object), sections };
    const outcome = await write(briefOf({ words: 3000 }), { outline, section: { content } }).then(
      () => "done",
      (error: unknown) => String((error as { code?: unknown }).code),
    );
    expect(outcome).toMatch(/^(?:done|ai_invalid_answer)$/);
  });

  it("is refused where it is longer than any article", async () => {
    const sections = Array.from({ length: 14 }, (_, index) => ({ heading: `H${index}`, points: [], words: 200 }));
    const outline = { ...(ANSWERS["outline"] as object), sections };
    const long = { content: "word ".repeat(1800) };
    await expect(write(briefOf({ words: 3000 }), { outline, section: long })).rejects.toMatchObject({
      code: "ai_invalid_answer",
    });
  });
});
