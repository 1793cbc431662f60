/** Contract 9.5: how translations differ in structure: GET /api/blogs/{blogId}/locales?structure=true. */
import { beforeEach, describe, expect, it } from "vitest";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";

type Structure = {
  differences: { part: string; original: string; translation: string }[] | null;
  lengthRatio: number | null;
};
type SlugBody = { slug: string; articles: { locale: string; structure?: Structure | null }[] };

const ORIGINAL = `Intro with a [link](https://example.com) and ![an image](https://example.com/a.png).

## First

- one
- two

### Detail

\`\`\`sh
run
\`\`\`

> quoted

| a | b |
| - | - |
| 1 | 2 |

## Last
`;

let tenant: Tenant;
beforeEach(async () => {
  tenant = await newTenant();
});

const write = (locale: string, content: string, slug = "porto") =>
  newArticle(tenant, { slug, locale, content, title: locale });
const compared = (query: string) =>
  sendJson<SlugBody[]>(200, `/api/blogs/${tenant.blogId}/locales?${query}`, { as: tenant });
const structureOf = async (locale: string): Promise<Structure | null | undefined> =>
  (await compared("structure=true"))[0]?.articles.find((article) => article.locale === locale)?.structure;

describe("contract 14.12: with structure", () => {
  it("a translation that is built as the article in the default locale has no differences", async () => {
    await write("en", ORIGINAL);
    await write("de", ORIGINAL.replace("Intro with a", "Einleitung mit"));
    expect(await structureOf("de")).toEqual({ differences: [], lengthRatio: 1.01 });
    expect(await structureOf("en")).toBeNull();
  });

  it("tells what differs: headings by level and in order, and how many there are of each other part", async () => {
    await write("en", ORIGINAL);
    await write("de", "## Erstens\n\nEin Text.\n\n## Zuletzt\n\n- eins\n");
    expect((await structureOf("de"))?.differences).toEqual([
      { part: "headings", original: "2 3 2", translation: "2 2" },
      { part: "listItems", original: "2", translation: "1" },
      { part: "codeBlocks", original: "1", translation: "0" },
      { part: "images", original: "1", translation: "0" },
      { part: "links", original: "1", translation: "0" },
      { part: "tables", original: "1", translation: "0" },
      { part: "quotes", original: "1", translation: "0" },
    ]);
  });

  it("is null where there is nothing to compare with, and says so where a text is too long", async () => {
    await write("de", "## Allein");
    expect(await structureOf("de")).toBeNull();
    await write("en", "long ".repeat(60_000));
    expect(await structureOf("de")).toEqual({ differences: null, lengthRatio: 0 });
  });

  it("an empty original has no length to compare with", async () => {
    await write("en", "");
    await write("de", "## Da");
    expect(await structureOf("de")).toEqual({
      differences: [{ part: "headings", original: "", translation: "2" }],
      lengthRatio: null,
    });
  });

  it("a text that is too long takes no room from the others", async () => {
    await write("en", "## A");
    await write("de", "long ".repeat(200_000));
    await write("fr", "## B");
    expect((await structureOf("de"))?.differences).toBeNull();
    expect((await structureOf("fr"))?.differences).toEqual([]);
  });

  /** The slugs of each page, with whether each translation was compared. */
  async function pages(): Promise<Record<string, boolean[]>[]> {
    const found: Record<string, boolean[]>[] = [];
    let path: string | undefined = `/api/blogs/${tenant.blogId}/locales?structure=true`;
    while (path !== undefined) {
      const response: Response = await send(path, { as: tenant });
      const slugs = await response.json<SlugBody[]>();
      found.push(
        Object.fromEntries(
          slugs.map(({ slug, articles }) => [
            slug,
            articles.slice(1).map((article) => Array.isArray(article.structure?.differences)),
          ]),
        ),
      );
      path = /<([^>]+)>; rel="next"/.exec(response.headers.get("Link") ?? "")?.[1];
    }
    return found;
  }

  /** A text of so many bytes that takes the parser few steps. */
  const long = (bytes: number): string => `## A\n\n~~~\n${"a".repeat(bytes)}\n~~~\n`;

  it("a page ends before a slug whose contents would be too much for it", async () => {
    const content = long(80_000);
    for (let n = 0; n < 5; n++) for (const locale of ["en", "de", "fr"]) await write(locale, content, `slug-${n}`);
    const found = await pages();
    expect(found.length).toBeGreaterThan(2);
    const slugs = Object.assign({}, ...found) as Record<string, boolean[]>;
    expect(slugs).toEqual(Object.fromEntries([0, 1, 2, 3, 4].map((n) => [`slug-${n}`, [true, true]])));
  });

  it("what is too much of a slug that has a page to itself is told of", async () => {
    const content = long(150_000);
    for (const locale of ["en", "de", "fr", "it"]) await write(locale, content, "slug-1");
    await write("en", content, "slug-2");
    expect(await pages()).toEqual([{ "slug-1": [true, true, false], "slug-2": [] }]);
  });

  it("a page has ten slugs at most, and a cursor leads on", async () => {
    for (let n = 0; n < 11; n++) await write("en", "a", `slug-${n}`);
    expect(await compared("structure=true")).toHaveLength(10);
    expect(await compared("structure=true&limit=3")).toHaveLength(3);
    expect(await compared("")).toHaveLength(11);
  });
});

it("without structure, articles say nothing of it", async () => {
  await write("en", ORIGINAL);
  expect((await compared(""))[0]?.articles[0]).not.toHaveProperty("structure");
});
