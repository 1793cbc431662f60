/**
 * What stands in the deployed bundle for `decode-named-character-reference`: the names of HTML's characters (`&eacute;`)
 * that the reader of HTML has already, so that they are there once.
 */
import { decodeHTMLStrict } from "entities/decode";

/** Returns the characters that a name stands for, without `&` and `;`. Returns false if it is no name. */
export function decodeNamedCharacterReference(name: string): string | false {
  if (!/^[a-z\d]+$/i.test(name)) return false;
  const reference = `&${name};`;
  const characters = decodeHTMLStrict(reference);
  return characters === reference ? false : characters;
}
