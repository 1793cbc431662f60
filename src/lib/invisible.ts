/** Removes invisible characters, which can hide text from readers or change its order. */

/**
 * Returns a text without invisible characters: direction marks, tag characters, and zero-width characters outside the
 * scripts and emoji that need them.
 */
export const withoutInvisible = (text: string): string => text.replaceAll(INVISIBLE, "").replaceAll(STRAY_JOINERS, "");

/**
 * Matches Default_Ignorable_Code_Point (Unicode, 5.21) except variation selectors and the joiners of STRAY_JOINERS, and
 * matches interlinear annotation marks.
 */
const INVISIBLE = /(?!\p{Variation_Selector}|[\u180e\u200b-\u200d])\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb]/gu;

/**
 * Matches joiners, zero-width spaces and the Mongolian vowel separator, except after letters of scripts that use them
 * and within emoji, where they are part of the text.
 */
const STRAY_JOINERS = new RegExp(
  `(?<![\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f${[
    ..."Arabic Syriac Nko Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada".split(" "),
    ..."Malayalam Sinhala Tibetan Myanmar Khmer Thai Lao Balinese Javanese".split(" "),
  ]
    .map((script) => `\\p{Script=${script}}`)
    .join("")}])[\\u180e\\u200b-\\u200d]`,
  "gu",
);
