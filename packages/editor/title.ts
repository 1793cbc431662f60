/** Keeps a title on one line, although its field shows it on several. */
import { joinLines } from "../../src/lib/text.ts";
import { insertText } from "./source.ts";

/** Makes Enter move to the text, and turns pasted or dropped line breaks into spaces. */
export function enhanceTitle(title: HTMLTextAreaElement, goOn: () => void): void {
  title.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    if (!event.ctrlKey && !event.metaKey && !event.altKey) goOn();
  });
  // Inserted as if it were typed, so that it can be undone.
  title.addEventListener("beforeinput", (event) => {
    const text = event.data ?? event.dataTransfer?.getData("text/plain") ?? "";
    if (!event.cancelable || !/[\r\n]/.test(text)) return;
    event.preventDefault();
    insertText(title, joinLines(text));
  });
  // For browsers that do not tell what they insert.
  title.addEventListener("input", () => {
    const { value, selectionEnd } = title;
    if (!/[\r\n]/.test(value)) return;
    const behind = value.slice(selectionEnd);
    title.value = joinLines(value);
    const at = Math.max(0, title.value.length - joinLines(behind).length);
    title.setSelectionRange(at, at);
  });
  if (!CSS.supports("field-sizing", "content")) growWith(title);
}

/** Makes a field as high as its text, in browsers without `field-sizing`. */
function growWith(area: HTMLTextAreaElement): void {
  const grow = () => {
    area.style.height = "auto";
    area.style.height = `${area.scrollHeight + area.offsetHeight - area.clientHeight}px`;
  };
  area.addEventListener("input", grow);
  addEventListener("resize", grow);
  grow();
}
