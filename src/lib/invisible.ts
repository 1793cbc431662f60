/** Characters that nobody sees, and that hide or turn around what is seen. */

/** A text without invisible characters: marks of direction, tags, zero-width ones where no script needs them. */
export const withoutInvisible = (text: string): string => text.replaceAll(INVISIBLE, "").replaceAll(STRAY_JOINERS, "");

/** Default_Ignorable_Code_Point (Unicode, 5.21) without selectors of variants and joiners; marks of annotations. */
const INVISIBLE = /(?!\p{Variation_Selector}|[\u180e\u200b-\u200d])\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb]/gu;

/** Joiners and breaks of words between letters that are shaped by them, and within emoji, are part of the text. */
const STRAY_JOINERS = new RegExp(
  `(?<![\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f${[
    ..."Arabic Syriac Nko Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada".split(" "),
    ..."Malayalam Sinhala Tibetan Myanmar Khmer Thai Lao Balinese Javanese".split(" "),
  ]
    .map((script) => `\\p{Script=${script}}`)
    .join("")}])[\\u180e\\u200b-\\u200d]`,
  "gu",
);
