/**
 * Replaces `decode-named-character-reference` in the deployed bundle, by the table of characters' names (`&eacute;`) that
 * `entities` brings, so that there is one table.
 */
import { decodeHTMLStrict } from "entities/decode";

/** Returns the characters that a name stands for, without `&` and `;`. Returns false if it is no name. */
export function decodeNamedCharacterReference(name: string): string | false {
  if (!/^[a-z\d]+$/i.test(name)) return false;
  const reference = `&${name};`;
  const characters = decodeHTMLStrict(reference);
  return characters === reference ? false : characters;
}
