/** Where a text names pictures, as it is written. */
import { expect, it } from "vitest";
import { findPictures, replaceAddresses } from "../../packages/markdown/picture-addresses.ts";

const swapped = (markdown: string): string =>
  replaceAddresses(markdown, findPictures(markdown), ({ address }) => `<${address}>`);

it.each([
  ["![a](http://x/a.png)", "![a](<http://x/a.png>)"],
  ['![a](http://x/a.png "http://x/a.png")', '![a](<http://x/a.png> "http://x/a.png")'],
  ["![a\\]( b](http://x/a\\_b.png)", "![a\\]( b](<http://x/a_b.png>)"],
  ["![a](http://x/?a=1&amp;b=2)", "![a](<http://x/?a=1&b=2>)"],
  ["[![a](http://x/a.png)](http://x/a.png)", "[![a](<http://x/a.png>)](<http://x/a.png>)"],
  ["[![a](http://x/a.png)](http://x/page)", "[![a](<http://x/a.png>)](http://x/page)"],
  [
    "![a][b] [c][d]\n\n[b]: http://x/b.png\n[d]: http://x/d.png",
    "![a][b] [c][d]\n\n[b]: <http://x/b.png>\n[d]: http://x/d.png",
  ],
  ['<img class="x" src="http://x/a.png?1&amp;2">', '<img class="x" src="<http://x/a.png?1&2>">'],
  ['<img alt="1 < 2" src="http://x/a.png">', '<img alt="1 < 2" src="<http://x/a.png>">'],
  ["<p><img src=http://x/a.png?b=c alt=a>", "<p><img src=<http://x/a.png?b=c> alt=a>"],
  ["a <img src=http://x/a.png alt=b> *<img src=/b>*", "a <img src=<http://x/a.png> alt=b> *<img src=</b>>*"],
  ["<IMG alt='<img' SRC = http://x/a.png>", "<IMG alt='<img' SRC = <http://x/a.png>>"],
  [
    `<img alt="> src=http://x/no.png" src='http://x/"a".png'>`,
    `<img alt="> src=http://x/no.png" src='<http://x/"a".png>'>`,
  ],
  ['<img src="http://x/?a=1&#38;b=2&#x26;c=3&AMP;d&copy=4">', '<img src="<http://x/?a=1&b=2&c=3&d&copy=4>">'],
  ["![a](http://x/?a=1&#38;b=2&#x26;c=&auml;&copy=4&no;)", "![a](<http://x/?a=1&b=2&c=ä&copy=4&no;>)"],
  ['<img <image <img src="http://x/a.png">', '<img <image <img src="<http://x/a.png>">'],
  ["\uFEFF# A\n\n![a](http://x/a.png)", "\uFEFF# A\n\n![a](<http://x/a.png>)"],
])("%s", (markdown, expected) => {
  expect(swapped(markdown)).toBe(expected);
});

it.each([
  "`![a](http://x/a.png)`",
  "    ![a](http://x/a.png)",
  "http://x/a.png",
  "[a](http://x/a.png)",
  "\\<img src=http://x/a.png> `<img src=http://x/a.png>` <img src=/b",
  "\\![a](http://x/a.png)".replace("\\!", "\\!\\"),
])("leaves what is no picture: %s", (markdown) => {
  expect(swapped(markdown)).toBe(markdown);
});

it("reads each of many pictures that nothing closes only up to the next one", () => {
  // Were each read to the end of the text, every one of these texts would take a minute or more.
  for (const part of ["<img ", "<img\t", "<img/ ", "<IMG ", "<Img ", "<img x ", `<img "'`, `<img ' src=`]) {
    const markdown = `<p>${part.repeat(Math.floor((1024 * 1024) / part.length))}`;
    expect(findPictures(`${markdown}<img src="http://x/a.png">`).map(({ address }) => address)).toEqual([
      "http://x/a.png",
    ]);
  }
});
