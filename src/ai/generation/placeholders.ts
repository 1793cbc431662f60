/** Finds placeholders that a model left in a plain text. Returns each once, cut to 80 characters. */
export function findPlaceholders(text: string): string[] {
  return [...new Set(PLACEHOLDERS.flatMap((pattern) => text.match(pattern) ?? []))].map((found) => found.slice(0, 80));
}

/** First words of placeholders in brackets. A lookahead ends them, because `\b` knows only ASCII. */
const FILL_IN =
  "insert|add|your|enter|placeholder|name of|link to|example|einfügen|hier|ihr|name der|insérer|insérez|ajouter|votre|" +
  "nom de|insertar|inserte|inserta|añadir|su|tu|nombre de|inserir|insira|seu|inserire|inserisci|wstaw|вставьте|укажите";

/** Repetitions are limited, or each unclosed bracket would search the rest of the text. */
const PLACEHOLDERS: readonly RegExp[] = [
  /lorem ipsum/giu,
  new RegExp(`\\[(?:${FILL_IN})(?![\\p{L}\\p{N}])[^\\]\\n]{0,200}\\]`, "giu"),
  /[[【][^[\]【】\n]{0,100}(?:插入|填写|挿入|記入)[^[\]【】\n]{0,100}[\]】]/gu,
  // Only before a colon or bracket: "todo" is also Spanish for "all".
  /(?<![\p{L}\p{N}])(?:TODO|TBD|FIXME)(?=\s*[:(\]])/gu,
  /\{\{[^{}\n]*\}\}/gu,
  // Lower case only: with a capital letter it can be the name of a type, as in `Map<Key>`.
  /<\p{Ll}[\p{Ll}\p{M} _-]*>/gu,
  /(?:section|article|your) (?:title|heading|text|content) (?:goes )?here/giu,
  // A model that speaks about itself.
  /as an? (?:AI|artificial intelligence)(?: language)? model/giu,
  /als (?:ein )?(?:KI|AI)-?(?:Sprach)?modell/giu,
  /en tant que modèle de langage/giu,
  /como (?:un |um )?modelo de (?:lenguaje|linguagem)/giu,
  /come modello linguistico/giu,
  /как (?:языковая модель|ИИ)/giu,
  /作为(?:一个|一款)?(?:AI|人工智能)(?:语言)?(?:模型|助手)/gu,
  /(?:AI|人工知能)?言語モデルとして/gu,
];
