/** Footnotes in what is pasted from Word and Google Docs: there, they are links to paragraphs at the end. */

/** A link from the text to a note, and the one back. */
const TO_NOTE = /^#_?(?:ftn|edn|ftnt)(\d+)$/;
const TO_TEXT = /^#_?(?:ftn|edn|ftnt_)ref(\d+)$/;

/**
 * Makes footnotes of them. `taken` has the labels of the text that they are pasted into. What is left of a note whose other
 * half was not copied is text: its link would lead nowhere.
 */
export function pastedNotes(body: HTMLElement, taken: ReadonlySet<string>): void {
  const linksTo = (pattern: RegExp) =>
    [...body.querySelectorAll("a[href^='#']")].flatMap((link) => {
      const number = pattern.exec(link.getAttribute("href") ?? "")?.[1];
      return number === undefined ? [] : [{ link, number }];
    });
  const [back, references] = [linksTo(TO_TEXT), linksTo(TO_NOTE)];
  const last = Math.max(0, ...[...taken].map((label) => Number(label) || 0));
  const labelOf = (number: string) => String(last + Number(number));
  const isWhole = (number: string) => [back, references].every((links) => links.some((each) => each.number === number));
  for (const line of body.querySelectorAll("[data-style*='footnote-list'] > hr, [data-style*='footnote-list'] > br"))
    line.remove();
  for (const { link, number } of back) {
    const paragraph = link.closest("p");
    if (!isWhole(number) || !paragraph) link.replaceWith(...link.childNodes);
    else {
      const note = made(body, "div", labelOf(number));
      link.remove();
      paragraph.replaceWith(note);
      note.append(paragraph);
    }
  }
  for (const { link, number } of references) {
    if (!isWhole(number)) link.replaceWith(...link.childNodes);
    else (link.closest("sup") ?? link).replaceWith(made(body, "sup", labelOf(number)));
  }
}

function made(body: HTMLElement, name: "div" | "sup", label: string): HTMLElement {
  const element = body.ownerDocument.createElement(name);
  element.setAttribute("data-footnote", label);
  return element;
}
