/** Contract 19.10: pictures of the library in a preview. */
import { html } from "hono/html";
import { expect, test } from "vitest";
import { Markdown } from "../../src/surfaces/console/articles/markdown.tsx";

const OWN = "https://edgepress.test/media/019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d";

const imageOf = async (src: string): Promise<string> => {
  const text = `![boats](${src})`;
  const page: string = await html`${Markdown({ text, locale: "en", origin: "https://edgepress.test" })}`;
  return /<img[^>]*>/.exec(page)?.[0] ?? page;
};

test("a picture of the library has its place and smaller files, if its address says its size", async () => {
  const image = await imageOf(`${OWN}#1000x750`);
  const srcset = `${OWN}?w=320 320w, ${OWN}?w=640 640w, ${OWN}?w=960 960w, ${OWN} 1000w`;
  for (const part of [
    `src="${OWN}#1000x750"`,
    'width="1000"',
    'height="750"',
    `srcset="${srcset}"`,
    'loading="lazy"',
  ]) {
    expect(image).toContain(part);
  }
});

test.each([
  ["no size", OWN],
  ["no size in the fragment", `${OWN}#x`],
  ["another service", `${OWN.replace("edgepress.test", "other.example")}#1000x750`],
  ["another path", "https://edgepress.test/x#1000x750"],
])("one with %s is shown as it is", async (_, src) => {
  expect(await imageOf(src)).not.toContain("srcset");
});
