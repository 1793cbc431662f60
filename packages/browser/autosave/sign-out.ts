/** Asks before sign-out what to do with unsaved text. */
import { makeElement, makeButton } from "../../editor/dom.ts";
import { makeKeyPrefix, listKeys, readKept, removeKept } from "./kept.ts";

/** The event that tells the editor of this page to keep nothing. */
export const FORGET = "edgepress:forget";

export function askBeforeSignOut(form: HTMLFormElement, person: string): void {
  let isAnswered = false;
  form.addEventListener("submit", (event) => {
    const keys = listKeys(makeKeyPrefix(person)).filter((key) => readKept(key) !== null);
    if (isAnswered || keys.length === 0) return;
    event.preventDefault();
    ask(keys.length, (isDeleted) => {
      isAnswered = true;
      if (isDeleted) dispatchEvent(new Event(FORGET));
      if (isDeleted) for (const key of keys) removeKept(key);
      for (const guarded of document.querySelectorAll<HTMLElement>("[data-guard]"))
        guarded.dataset["guard"] = "unchanged";
      form.requestSubmit();
    });
  });
}

function ask(count: number, signOut: (isDeleted: boolean) => void): void {
  const dialog = makeElement(
    "dialog",
    { class: "publish", "aria-labelledby": "kept-heading" },
    makeElement("h2", { id: "kept-heading" }, "You have unsaved text"),
    makeElement(
      "p",
      {},
      count === 1 ? "Your text in an article" : `Your text in ${count} places`,
      " is only in this browser. If you keep it, you can restore it when you sign in here again. Other people who sign in do not see it, but anyone with access to the files of this browser can.",
    ),
    makeElement(
      "div",
      { class: "row" },
      makeButton("Keep and sign out", () => signOut(false), ""),
      makeButton("Delete and sign out", () => signOut(true), "danger"),
      makeButton("Stay signed in", () => dialog.close()),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
