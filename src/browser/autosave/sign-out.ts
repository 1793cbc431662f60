/** Says before somebody signs out what happens with their text that was not saved. */
import { button, element } from "./elements.ts";
import { keptBy, keysFrom, readKept, removeKept } from "./kept.ts";

/** Asks before this form signs a person out, if the browser keeps text for them. */
export function askBefore(form: HTMLFormElement, person: string): void {
  let isAnswered = false;
  form.addEventListener("submit", (event) => {
    const keys = keysFrom(keptBy(person)).filter((key) => readKept(key) !== null);
    if (isAnswered || keys.length === 0) return;
    event.preventDefault();
    ask(keys.length, (isDeleted) => {
      isAnswered = true;
      if (isDeleted) for (const key of keys) removeKept(key);
      form.requestSubmit();
    });
  });
}

function ask(count: number, signOut: (isDeleted: boolean) => void): void {
  const heading = element("h2", { id: "kept-heading" }, ["Some of your text is not saved"]);
  const dialog = element("dialog", { className: "publish" }, [
    heading,
    element("p", {}, [
      count === 1 ? "What you wrote in an article" : `What you wrote in ${count} places`,
      " is only in this browser. If you keep it, it is offered again when you sign in here and open the editor. Nobody else who signs in sees it; but whoever can look into the files of this browser can.",
    ]),
    element("div", { className: "row" }, [
      button("Keep it and sign out", () => signOut(false), ""),
      button("Delete it and sign out", () => signOut(true), "danger"),
      button("Stay signed in", () => dialog.close()),
    ]),
  ]);
  dialog.setAttribute("aria-labelledby", heading.id);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
