/**
 * Returns how often a text contains another one, which is not empty, and the first `most` places. Occurrences may overlap. Takes time
 * in proportion to the two lengths (Knuth, Morris and Pratt), where `indexOf` may take their product.
 */
export function findOccurrences(text: string, part: string, most: number): { count: number; first: number[] } {
  const borders = computeBorders(part);
  const first: number[] = [];
  let [count, matched] = [0, 0];
  for (let n = 0; n < text.length; n++) {
    const code = text.charCodeAt(n);
    while (matched > 0 && part.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0;
    if (part.charCodeAt(matched) === code) matched++;
    if (matched < part.length) continue;
    if (count++ < most) first.push(n + 1 - part.length);
    matched = borders[matched - 1] ?? 0;
  }
  return { count, first };
}

/** Returns, for each beginning of a text, the length of the longest shorter beginning with which it ends. */
function computeBorders(text: string): Int32Array {
  const borders = new Int32Array(text.length);
  let length = 0;
  for (let n = 1; n < text.length; n++) {
    const code = text.charCodeAt(n);
    while (length > 0 && text.charCodeAt(length) !== code) length = borders[length - 1] ?? 0;
    if (text.charCodeAt(length) === code) length++;
    borders[n] = length;
  }
  return borders;
}
