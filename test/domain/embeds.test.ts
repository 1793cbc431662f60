/** Contract 20.3: what can be embedded is a card, and loads nothing. */
import { describe, expect, it } from "vitest";
import { renderArticle } from "../../packages/markdown/article.ts";
import { findFirstAudio } from "../../packages/markdown/audio.ts";
import { findEmbed } from "../../packages/markdown/embeds.ts";
import { withPlayers } from "../../src/surfaces/site/players.ts";

const htmlOf = (content: string): string => renderArticle(content).html;

const ID = "dQw4w9WgXcQ";
const WATCH = `https://www.youtube.com/watch?v=${ID}`;
const FRAME = `https://www.youtube-nocookie.com/embed/${ID}`;
const SPOTIFY = "4uLU6hMCjMI75M1A2tKUQC";
const LIST = "PLabcdefghijk";
const LOOM = "0123456789abcdef0123456789abcdef";
const DID = "did:plc:abc";

describe("the addresses of providers", () => {
  it.each([
    [WATCH, "youtube", ID, FRAME],
    [`http://m.youtube.com/watch?app=desktop&v=${ID}&feature=share`, "youtube", ID, FRAME],
    [`https://music.youtube.com/watch?v=${ID}`, "youtube", ID, FRAME],
    [`https://youtu.be/${ID}?si=x&t=90`, "youtube", ID, `${FRAME}?start=90`],
    [`https://youtu.be/${ID}#t=1h1m30s`, "youtube", ID, `${FRAME}?start=3690`],
    [`${WATCH}&list=${LIST}`, "youtube", ID, `${FRAME}?list=${LIST}`],
    [`https://www.youtube.com/shorts/${ID}`, "youtube", ID, FRAME],
    [`https://youtube.com/live/${ID}?feature=share`, "youtube", ID, FRAME],
    [`https://www.youtube-nocookie.com/embed/${ID}?start=5`, "youtube", ID, `${FRAME}?start=5`],
    [`http://www.youtube.com/v/${ID}&hl=en`, "youtube", ID, FRAME],
    [
      `https://www.youtube.com/playlist?list=${LIST}`,
      "youtube",
      `playlist/${LIST}`,
      `https://www.youtube-nocookie.com/embed/videoseries?list=${LIST}`,
    ],
    ["https://vimeo.com/76979871", "vimeo", "76979871", "https://player.vimeo.com/video/76979871?dnt=1"],
    [
      "https://vimeo.com/76979871/8272103f6e",
      "vimeo",
      "76979871",
      "https://player.vimeo.com/video/76979871?dnt=1&h=8272103f6e",
    ],
    [
      "https://player.vimeo.com/video/76979871?h=8272103f6e",
      "vimeo",
      "76979871",
      "https://player.vimeo.com/video/76979871?dnt=1&h=8272103f6e",
    ],
    [
      "https://vimeo.com/channels/staffpicks/76979871",
      "vimeo",
      "76979871",
      "https://player.vimeo.com/video/76979871?dnt=1",
    ],
    [
      `https://open.spotify.com/intl-de/track/${SPOTIFY}?si=1`,
      "spotify",
      `track/${SPOTIFY}`,
      `https://open.spotify.com/embed/track/${SPOTIFY}`,
    ],
    [
      `https://open.spotify.com/embed/episode/${SPOTIFY}`,
      "spotify",
      `episode/${SPOTIFY}`,
      `https://open.spotify.com/embed/episode/${SPOTIFY}`,
    ],
    [
      "https://soundcloud.com/ada/sets/sea",
      "soundcloud",
      "ada/sets/sea",
      "https://w.soundcloud.com/player/?url=https%3A//soundcloud.com/ada/sets/sea",
    ],
    [
      "https://w.soundcloud.com/player/?url=https%3A%2F%2Fsoundcloud.com%2Fada%2Fsea&color=0",
      "soundcloud",
      "ada/sea",
      "https://w.soundcloud.com/player/?url=https%3A//soundcloud.com/ada/sea",
    ],
    [
      "https://w.soundcloud.com/player/?url=https%3A//api.soundcloud.com/tracks/293&auto_play=1",
      "soundcloud",
      "tracks/293",
      "https://w.soundcloud.com/player/?url=https%3A//api.soundcloud.com/tracks/293",
    ],
    [
      "https://codepen.io/ada/full/abcDEF",
      "codepen",
      "ada/pen/abcDEF",
      "https://codepen.io/ada/embed/abcDEF?default-tab=result",
    ],
    ["https://codesandbox.io/p/sandbox/sea-x1y2", "codesandbox", "sea-x1y2", "https://codesandbox.io/embed/sea-x1y2"],
    [`https://www.loom.com/share/${LOOM}?sid=1`, "loom", LOOM, `https://www.loom.com/embed/${LOOM}`],
    [
      "https://mobile.twitter.com/ada/status/20?s=20",
      "x",
      "20",
      "https://platform.twitter.com/embed/Tweet.html?id=20&dnt=true",
    ],
    ["https://x.com/ada/status/20/photo/1", "x", "20", "https://platform.twitter.com/embed/Tweet.html?id=20&dnt=true"],
    [
      `https://bsky.app/profile/${DID}/post/3l6oveex3ii2l`,
      "bluesky",
      `${DID}/3l6oveex3ii2l`,
      `https://embed.bsky.app/embed/${DID}/app.bsky.feed.post/3l6oveex3ii2l`,
    ],
    ["https://bsky.app/profile/ada.bsky.social/post/3l6oveex3ii2l", "bluesky", "ada.bsky.social/3l6oveex3ii2l", null],
    ["https://gist.github.com/ada/ab12cd#file-a", "gist", "ada/ab12cd", null],
    ["https://mastodon.example/@ada/109318821", "mastodon", "mastodon.example/@ada/109318821", null],
    ["https://a.example/@ada@b.example/109318821", "mastodon", "a.example/@ada@b.example/109318821", null],
  ])("%s", (address, provider, id, player) => {
    const found = findEmbed(address);
    expect(found).toMatchObject({ provider, id, player });
    // The page that people know is at an address of the same thing.
    expect(findEmbed(found?.url ?? "")).toMatchObject({ provider, id, player });
  });

  it.each([
    "https://evil.example/https://youtu.be/dQw4w9WgXcQ",
    "https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ",
    `https://youtu.be/${ID}x`,
    `ftp://youtu.be/${ID}`,
    "https://www.youtube.com/@ada",
    "https://soundcloud.com/discover/sets",
    "https://open.spotify.com/track/short",
    "https://x.com/ada",
    "https://a.example/@ada/a-story-12345",
    `https://www.youtube.com/watch?${"v=".repeat(2000)}`,
  ])("not %s", (address) => expect(findEmbed(address)).toBeNull());
});

describe("contract 20.3: a sound", () => {
  it("plays where a paragraph is only a link to its file", () => {
    const url = "https://a.example/b.MP3?c";
    const player = `<figure class="audio"><audio src="${url}" controls preload="none"></audio><figcaption>`;
    expect(htmlOf(url)).toBe(`${player}<a href="${url}">${url}</a></figcaption></figure>`);
    expect(htmlOf(`[An *episode*](${url})`)).toContain(`${player}<a href="${url}">An <em>episode</em></a>`);
    for (const other of ["[a](/b.mp3)", `See ${url}`, "https://a.example/?b.mp3", "https://b.mp3"])
      expect(htmlOf(other)).not.toContain("audio");
  });

  it.each([
    ['<audio src="https://a.example/b.mp3" controls></audio>', { url: "https://a.example/b.mp3", type: "audio/mpeg" }],
    [
      '<audio controls><source src="https://a.example/b" type="audio/ogg"><source src="https://a.example/c.mp3"></audio>',
      { url: "https://a.example/b", type: "audio/ogg" },
    ],
    ['<audio src="https://a.example/b" controls></audio><source src="https://a.example/c.mp3">', null],
  ])("is known by its ending or its type: %s", (html, found) => expect(findFirstAudio(html)).toEqual(found));
});

describe("contract 20.3: a card", () => {
  const figure = `<figure class="embed" data-provider="youtube" data-id="${ID}" data-player="${FRAME}">`;

  it("is made of an address alone in its paragraph", () => {
    expect(htmlOf(`Look:\n\n${WATCH}\n\nor ${WATCH}`)).toBe(
      `<p>Look:</p>\n${figure}<a href="${WATCH}">${WATCH}</a></figure>\n<p>or <a href="${WATCH}">${WATCH}</a></p>`,
    );
    for (const other of [`[x](${WATCH})`, `- ${WATCH}`, `\`${WATCH}\``]) expect(htmlOf(other)).not.toContain("figure");
  });

  it("is made of a picture that leads there, with its title", () => {
    const { html, text, excerpt } = renderArticle(`[![A & *b*](https://a.example/b.png)](${WATCH})`);
    expect(html).toBe(
      `${figure}<a href="${WATCH}"><img src="https://a.example/b.png" alt="" loading="lazy" decoding="async"><span>A &amp; b</span></a></figure>`,
    );
    expect([text, excerpt]).toEqual([`A & b\n${WATCH}`, ""]);
  });

  it("has the title of its picture, or what a figure says around it, as its caption", () => {
    const { html, text } = renderArticle(`[![A](https://a.example/b.png "By *me*")](${WATCH})`);
    expect(html).toContain('decoding="async"><span>A</span></a><figcaption>By *me*</figcaption></figure>');
    expect(text).toBe(`A\n${WATCH}\nBy *me*`);
    const said = '<figcaption lang="de" title="a > b">Von mir</figcaption>';
    const whole = `${figure}<a href="${WATCH}">${WATCH}</a>${said}</figure>`;
    for (const inside of [`\n\n${WATCH}\n\n`, `\n${WATCH}\n`]) {
      const shown = htmlOf(`<figure>${inside}${said}</figure>`);
      expect(shown).toBe(whole);
      expect(withPlayers(shown)).toContain(`<iframe src="${FRAME}" title="YouTube"`);
    }
  });

  it("is left out of the excerpt", () => {
    expect(renderArticle(`${WATCH}\n\nSix walks.`).excerpt).toBe("Six walks.");
  });

  const frame = `<iframe width="560" src="//www.youtube.com/embed/${ID}?rel=0" allowfullscreen></iframe>`;
  it.each([
    [frame, `${figure}<a href="${WATCH}">${WATCH}</a></figure>`],
    [`<div class="video">${frame}</div>`, `${figure}<a href="${WATCH}">${WATCH}</a></figure>`],
    [`<p>\n${frame}\n</p>`, `${figure}<a href="${WATCH}">${WATCH}</a></figure>`],
    [
      `<figure>${frame}<figcaption>By <b>me</b></figcaption></figure>`,
      `${figure}<a href="${WATCH}">${WATCH}</a><figcaption>By <strong>me</strong></figcaption></figure>`,
    ],
    [`See ${frame} here`, `<p>See <a href="${WATCH}">${WATCH}</a> here</p>`],
    [
      `<script src="https://gist.github.com/ada/ab12.js"></script>`,
      '<figure class="embed" data-provider="gist" data-id="ada/ab12"><a href="https://gist.github.com/ada/ab12">https://gist.github.com/ada/ab12</a></figure>',
    ],
    [
      '<blockquote class="twitter-tweet">Hi</blockquote> <script async src="https://platform.twitter.com/widgets.js"></script>',
      "<blockquote>Hi</blockquote>",
    ],
    ['<iframe src="https://evil.example"></iframe>', '<p>&lt;iframe src="https://evil.example">&lt;/iframe></p>'],
  ])("is made of the HTML of a provider, and of no other: %s", (markdown, html) => expect(htmlOf(markdown)).toBe(html));

  it("has no frame, and says its address in the text", () => {
    const { html, text } = renderArticle(frame);
    expect(html).not.toContain("iframe");
    expect(text).toBe(WATCH);
  });
});
