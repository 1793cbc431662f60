import { describe, expect, it } from "vitest";
import { leanXml } from "../../src/background/topics/lean-xml";

/** What is left of a feed. */
function lean(document: string): string {
  const result = leanXml(document);
  if (result.kind !== "feed") throw new Error(result.kind);
  return result.xml;
}

describe("a feed's XML", () => {
  it("keeps what is read, and nothing else", () => {
    const document = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "b">]><!-- x -->
      <rss version="2.0" xmlns:dc="urn:dc" onload="x"><channel>
        <title>A &amp; B &a;</title><image><title>No</title></image>
        <item><author>((</author><guid isPermaLink="false">1</guid><dc:date>2026</dc:date></item>
      </channel></rss>`;
    expect(lean(document)).toBe(
      '<rss xmlns:dc="urn:dc"><channel><title>A &amp; B &a;</title>' +
        '<item><guid ispermalink="false">1</guid><dc:date>2026</dc:date></item></channel></rss>',
    );
  });

  it("has texts only where it had markup", () => {
    expect(lean('<feed><title>a <b class="x">b</b> &lt; <![CDATA[<c>&]]></title></feed>')).toBe(
      "<feed><title>a &lt;b&gt;b&lt;/b&gt; &amp;lt; &amp;lt;c&amp;gt;&amp;amp;</title></feed>",
    );
    expect(lean("<feed><title>1 < 2 <![CDATA[<c>&]]></title></feed>")).toBe(
      "<feed><title>1 &lt; 2 &lt;c&gt;&amp;</title></feed>",
    );
  });

  it("ends where its root ends", () => {
    expect(lean("<rss></rss><rss><channel/></rss>")).toBe("<rss></rss>");
  });

  it("is without the item in which the document breaks off", () => {
    const result = leanXml("<rss><channel><item><title>a</title></item><item><title>b");
    expect(result).toMatchObject({ cutOff: true, xml: "<rss><channel><item><title>a</title></item></channel></rss>" });
  });

  it("is short, whatever the document is", () => {
    const long = "&".repeat(2_000_000);
    expect(lean(`<rss><title><![CDATA[${long}]]></title></rss>`).length).toBeLessThan(30_000);
    expect(lean(`<rss><title>${long}<b/></title></rss>`).length).toBeLessThan(30_000);
    expect(lean(`<rss xml:base="${long}"></rss>`)).toBe("<rss></rss>");
    expect(lean(`<rss>${"<title/>".repeat(200_000)}</rss>`).length).toBeLessThan(400_000);
  });
});
