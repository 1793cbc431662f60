/** Detects the language of a text, for the advice. A separate bundle, because its data are large. */
export { judgeLanguage } from "../../src/ai/generation/language.ts";
