import { describe, expect, it } from "vitest";
import { isNearDuplicate, listWords, toWordSet } from "../../src/background/topics/words.ts";

const tellTheSame = (a: string, b: string): boolean => {
  const [one, other] = [isNearDuplicate(toWordSet(a), toWordSet(b)), isNearDuplicate(toWordSet(b), toWordSet(a))];
  expect(one, "a duplicate either way").toBe(other);
  return one;
};

describe("the words of a text", () => {
  it.each([
    ["Slow Ferries, again!", ["slow", "ferries", "again"]],
    ["Größe, Äpfel und Straße", ["grosse", "apfel", "und", "strasse"]],
    ["Çırağan'da İstanbul", ["ciragan'da", "istanbul"]],
    ["Ёлка и йогурт", ["елка", "и", "иогурт"]],
    ["Αθήνα", ["αθηνα"]],
    ["مُحَمَّد أحمد", ["محمد", "احمد"]],
    ["Ｆｕｌｌ ｗｉｄｔｈ ２４", ["full", "width", "24"]],
  ])("are the same whatever their case, accents and width: %s", (text, words) => {
    expect([...toWordSet(text)]).toEqual(words);
    expect(toWordSet(text.normalize("NFD"))).toEqual(toWordSet(text.normalize("NFC")));
    expect(toWordSet(text.toUpperCase())).toEqual(toWordSet(text.toLowerCase()));
  });

  it.each([
    ["Devanagari's vowels", "कि", "का"],
    ["Thai's vowels and tones", "ป่า", "ป้า"],
    ["Tamil's vowels", "கி", "கு"],
    ["Japanese voicing", "がく", "かく"],
    ["Korean's syllables", "서울", "소울"],
  ])("keep what makes another word: %s", (_, a, b) => {
    expect(toWordSet(a)).not.toEqual(toWordSet(b));
  });

  it("are found in scripts without spaces", () => {
    expect(listWords("東京の桜が満開になりました").length).toBeGreaterThan(3);
    expect(listWords("รถไฟฟ้าสายใหม่เปิดให้บริการ").length).toBeGreaterThan(3);
    expect(listWords("新的高速铁路今天开通了").length).toBeGreaterThan(3);
  });

  it("of an odd text cost nothing much, and never throw", () => {
    for (const text of ["", " ", "!!!", "\ud800", "e" + "\u0301".repeat(300), "a".repeat(5000)]) {
      expect(toWordSet(text).size).toBeLessThanOrEqual(1);
    }
  });
});

describe("two titles tell of the same thing", () => {
  it.each([
    ["Slow ferries are back in Norway", "In Norway, slow ferries are back"],
    ["Slow ferries are back in Norway", "SLOW FERRIES ARE BACK IN NORWAY!"],
    ["Norway's slow ferries are back this summer", "Norway’s slow ferries are back this summer season"],
    ["Die Fähren fahren wieder langsam", "Die Fahren fahren wieder: langsam"],
    ["Les ferries lents sont de retour en Norvège", "Les ferries lents sont de retour en Norvege (vidéo)"],
    ["Медленные паромы снова ходят в Норвегии", "Снова ходят медленные паромы в Норвегии"],
    ["東京の桜が満開になりました", "【速報】東京の桜が満開になりました"],
    ["新的高速铁路今天在云南开通", "今天新的高速铁路在云南开通"],
    ["서울에서 새로운 지하철 노선이 개통됐다", "새로운 지하철 노선이 서울에서 개통됐다"],
    ["दिल्ली में नई मेट्रो लाइन शुरू हुई", "नई मेट्रो लाइन दिल्ली में शुरू हुई"],
    ["افتتاح خط مترو جديد في القاهرة", "اِفتتاح خط مترو جديد في القاهرة"],
    ["Node 24 is out with new features", "Node 24 is out, with new features"],
  ])("%s ~ %s", (a, b) => {
    expect(tellTheSame(a, b)).toBe(true);
  });

  it.each([
    ["their numbers differ", "Node 24 is out with new features", "Node 26 is out with new features"],
    [
      "one has a number that the other has not",
      "The ten best ferries of Norway",
      "The ten best ferries of Norway 2026",
    ],
    ["versions differ", "TypeScript 5.9.1 has been released today", "TypeScript 5.9.2 has been released today"],
    ["numbers of another script differ", "नोड २४ आज जारी किया गया है", "नोड २६ आज जारी किया गया है"],
    ["they have one word", "Links", "Links"],
    ["they have two words", "Weekly links", "Weekly links"],
    ["less than three words are shared", "Ferries are back", "Ferries are late"],
    ["most words differ", "Slow ferries are back in Norway", "Slow trains are gone in Portugal now"],
    [
      "one is but a part of the other",
      "Slow ferries are back",
      "Slow ferries are back and what that means for islands",
    ],
    ["they are empty", "", ""],
    ["they are in other languages", "Slow ferries are back in Norway", "Die langsamen Fähren Norwegens sind zurück"],
  ])("no duplicates, as %s", (_, a, b) => {
    expect(tellTheSame(a, b)).toBe(false);
  });
});
