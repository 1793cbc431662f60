/** The source mode: the text area, with keys for bold, italic, code and links. */

const KEYS: Readonly<Record<string, readonly [string, string]>> = {
  b: ["**", "**"],
  i: ["*", "*"],
  e: ["`", "`"],
  k: ["[", "](https://)"],
};

export function enhanceSource(area: HTMLTextAreaElement): void {
  area.addEventListener("keydown", (event) => {
    const around = KEYS[event.key.toLowerCase()];
    if (!around || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    const [before, after] = around;
    const { selectionStart, selectionEnd, value } = area;
    const selected = value.slice(selectionStart, selectionEnd);
    insertText(area, before + selected + after);
    area.setSelectionRange(selectionStart + before.length, selectionStart + before.length + selected.length);
  });
}

/** Replaces the selection of a text area. This can be undone where the browser allows it. */
export function insertText(area: HTMLTextAreaElement, text: string): void {
  area.focus();
  // Deprecated, but there is no other way to keep what can be undone.
  if (document.execCommand("insertText", false, text)) return;
  area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
  area.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

/** Moves the cursor to an offset and scrolls there. Browsers scroll only to what is typed. */
export function showOffset(area: HTMLTextAreaElement, offset: number): void {
  area.focus();
  area.setSelectionRange(offset, offset);
  const { lineHeight, paddingTop } = getComputedStyle(area);
  const line = area.value.slice(0, offset).split("\n").length - 1;
  const top =
    area.getBoundingClientRect().top +
    scrollY +
    Number.parseFloat(paddingTop) +
    line * (Number.parseFloat(lineHeight) || 24);
  area.scrollTop = Math.max(0, line * (Number.parseFloat(lineHeight) || 24) - area.clientHeight / 2);
  // A text area as high as its text does not scroll; the page does.
  if (area.scrollHeight <= area.clientHeight + 2) scrollTo({ top: top - innerHeight / 2 });
}
