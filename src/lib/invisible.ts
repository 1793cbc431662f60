/**
 * Removes invisible characters, which can hide text or change its order: direction marks, tag characters, and
 * zero-width characters outside of the scripts and emoji that need them.
 */
export const removeInvisible = (text: string): string => text.replaceAll(INVISIBLE, "").replaceAll(STRAY_JOINERS, "");

/** Ignorable characters (Unicode, 5.21) but variation selectors and joiners; interlinear annotation marks. */
const INVISIBLE = /(?!\p{Variation_Selector}|[\u180e\u200b-\u200d])\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb]/gu;

/** Joiners, zero-width spaces and the Mongolian vowel separator outside of emoji and scripts with joiners. */
const STRAY_JOINERS = new RegExp(
  `(?<![\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f${[
    ..."Arabic Syriac Nko Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada".split(" "),
    ..."Malayalam Sinhala Tibetan Myanmar Khmer Thai Lao Balinese Javanese".split(" "),
  ]
    .map((script) => `\\p{Script=${script}}`)
    .join("")}])[\\u180e\\u200b-\\u200d]`,
  "gu",
);
