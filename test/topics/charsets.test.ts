import { describe, expect, it } from "vitest";
import { decodeText } from "../../src/background/topics/decode";
import { feed } from "../helpers/sources";

describe("the charset of a feed", () => {
  it.each([
    ["windows-1252-undeclared.xml", "Café", "“Smart quotes” – from 1999…", "Price: 5 €"],
    ["says-utf-8-is-windows-1252.xml", "Café", "Crème brûlée", ""],
    ["iso-8859-1.xml", "Straße", "Grüße aus Köln", ""],
    ["says-iso-8859-1-is-utf-8.xml", "Łódź", "Żółw w śniegu", ""],
    ["shift-jis.xml", "日記", "今日の天気", "晴れのち雨"],
    ["euc-jp-declared.xml", "掲示板", "お知らせ", ""],
    ["iso-2022-jp.xml", "駅", "列車の時刻", ""],
    ["koi8-r.xml", "Порт", "Новости порта", ""],
    ["gb2312.xml", "面包", "今天的面包", ""],
    ["utf-16le-bom.xml", "Sixteen", "Ünïcödé", ""],
    ["utf-16be-bom.xml", "Sixteen", "Ünïcödé", ""],
    ["says-utf-16-is-utf-8.xml", "Eight", "Naïve", ""],
    ["half-a-character.xml", "Hälfte", "Zwölf Äpfel", "Größe zählt nicht für Käse \ufffd"],
    ["unknown-charset.xml", "Known", "Plain enough", ""],
  ])("%s", async (file, name, title, summary) => {
    expect(await feed(file)).toMatchObject({ name, items: [{ title, summary }] });
  });

  it("is UTF-16 without a mark where it begins like that", () => {
    const bytes = new Uint8Array(Uint16Array.from("<rss>ü".split(""), (character) => character.charCodeAt(0)).buffer);
    expect(decodeText(bytes, null)).toBe("<rss>ü");
  });

  it("is what the server says rather than what the document says, if neither is UTF-8", () => {
    const bytes = Uint8Array.of(...new TextEncoder().encode('<?xml version="1.0" encoding="koi8-r"?>'), 0xe9);
    expect(decodeText(bytes, 'text/xml; Charset="ISO-8859-1"')).toMatch(/é$/);
    expect(decodeText(bytes, "text/xml")).toMatch(/И$/);
  });

  it("is windows-1252 where bytes are not of the charset that is said", () => {
    expect(decodeText(Uint8Array.of(0x63, 0x61, 0x66, 0xe9), "text/xml; charset=shift_jis")).toBe("café");
  });

  it("is found for any bytes", () => {
    const all = Uint8Array.from({ length: 256 }, (_, index) => index);
    for (const type of [
      null,
      "text/xml; charset=utf-8",
      "text/xml; charset=gbk",
      "; charset=",
      "x; charset=utf-16be",
    ]) {
      expect(decodeText(all, type)).toContain("ABC");
    }
    expect(decodeText(new Uint8Array(), null)).toBe("");
  });
});
