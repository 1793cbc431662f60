import { UNCHOSEN } from "./choices.ts";
import { joinNames, type Remarks } from "./remarks.ts";

const KINDS = {
  templates: "templates of the old site, left as text",
  attributes: "attributes of the old site's renderer, left out",
  code: "code of the old site, left out",
  elements: "elements of HTML, left as text",
  embeds: "embedded notes, which are links now",
  links: "links that lead to nothing here",
  files: "links to files that are not imported",
  pictures: "pictures that are not in the folder",
  unbrought: `pictures of the folder, ${UNCHOSEN.pictures}`,
  fields: "fields that are left out",
  values: "values that could not be read",
  redirects: "old addresses that could not be read",
} as const;

export type Kind = keyof typeof KINDS;

export class Losses {
  readonly #items = new Map<Kind, Map<string, number>>();

  add(kind: Kind, item: string, times = 1): void {
    const items = this.#items.get(kind) ?? new Map<string, number>();
    const name = item.length > 80 ? `${item.slice(0, 80)}…` : item;
    items.set(name, (items.get(name) ?? 0) + times);
    this.#items.set(kind, items);
  }

  /** Adds a note for each kind. Templates are also counted by name, like WordPress's shortcodes. */
  reportTo(remarks: Remarks): void {
    for (const [kind, items] of this.#items) {
      const named = [...items].map(([name, times]) => (times === 1 ? name : `${name} (${times})`));
      remarks.note(kind === "fields" ? null : `articles with ${KINDS[kind]}`, `${KINDS[kind]}: ${joinNames(named)}`);
      if (kind !== "templates" && kind !== "elements") continue;
      for (const [name, times] of items) remarks.count(`${name}, left as text`, times);
    }
  }
}
