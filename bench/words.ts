/** Texts whose words are as frequent as in real ones, which matters for the size of a full text index. */

/** About as many different words as an author uses. */
const VOCABULARY = 20_000;

/**
 * Returns a text of about `characters` made-up words, always the same one for the same number. By Zipf's law, the nth
 * most frequent word is n times as rare as the most frequent one.
 */
export function wordsLikeProse(seedNumber: number, characters: number): string {
  let state = seedNumber + 1;
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  let text = "";
  while (text.length < characters) {
    const rank = Math.floor(VOCABULARY ** random());
    // Rarer words are longer: 2 letters to 9.
    const length = 2 + Math.floor(Math.log2(rank) / 2);
    text += `${(rank * 7_919 + 26 ** 4).toString(36).repeat(2).slice(0, length)} `;
  }
  return text.slice(0, characters);
}
