/** Asks in a dialog before something becomes public. Without scripts, a page of its own asks. */
import type { Saver } from "./saver.ts";

/** Saves, and shows the page that asks as a dialog. If something cannot be saved, the status says so, and it is not asked. */
export async function openPublishing(saver: Saver): Promise<void> {
  if (!(await saver.makeReady()) || !saver.draft.isSaved() || saver.draft.id === "") return;
  const path = `/console/articles/${saver.draft.id}/publish`;
  const asked = await askedAt(path);
  if (asked === null) return location.assign(path);
  const dialog = document.createElement("dialog");
  const heading = document.createElement("h2");
  heading.id = "publish-heading";
  heading.textContent = asked.heading;
  dialog.className = "publish";
  dialog.setAttribute("aria-labelledby", heading.id);
  dialog.append(heading, asked.content);
  document.body.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.querySelector("[data-close]")?.addEventListener("click", (event) => {
    event.preventDefault();
    dialog.close();
  });
  dialog.addEventListener("submit", () => saver.leave(true));
  dialog.showModal();
}

/** Returns the heading and the content of the page that asks, or null if it does not come. */
async function askedAt(path: string): Promise<{ heading: string; content: Element } | null> {
  try {
    const response = await fetch(path);
    if (!response.ok) return null;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const content = page.querySelector("#publish");
    const heading = page.querySelector("h1")?.textContent ?? "";
    return content && { heading, content: document.adoptNode(content) };
  } catch {
    return null;
  }
}
