/** Uploads that are under way: leaving the page asks first, and the buttons of the form wait for them. */
import { quietButton } from "./dialog.ts";
import { element } from "./dom.ts";

/** The uploads that are under way, by what ends each. One that resolves to false has failed; the page says why then. */
const underWay = new Map<AbortController, Promise<unknown>>();

/** Counts an upload as under way until it is over. */
export function pending<T>(ending: AbortController, upload: Promise<T>): Promise<T> {
  const counted = upload.finally(() => underWay.delete(ending));
  underWay.set(ending, counted);
  return counted;
}

/** Waits for all uploads, also for those that begin meanwhile. Resolves to whether none has failed. */
async function allOver(): Promise<boolean> {
  let isWell = true;
  while (underWay.size > 0) {
    const ended = await Promise.allSettled(underWay.values());
    isWell &&= ended.every((each) => each.status === "fulfilled" && each.value !== false);
  }
  return isWell;
}

const FAILED = "An image was not uploaded. The text says why. Press the button again to continue without it.";

/** Makes the buttons that send a form wait for what is being uploaded into its text. */
export function waitForUploads(form: HTMLFormElement): void {
  const told = element("span");
  const skip = quietButton("Continue without", () => {
    for (const ending of underWay.keys()) ending.abort();
  });
  const root = element("p", { class: "waiting", role: "status", hidden: true }, told, " ", skip);
  form.querySelector(".actions.bottom")?.append(root);
  let pressed: HTMLElement | null = null;

  /** Goes on with the button that was pressed last. If an upload has failed, nobody may overlook that. */
  async function goOn(): Promise<void> {
    const isWell = await allOver();
    const button = pressed;
    pressed = null;
    root.hidden = isWell;
    skip.hidden = true;
    told.textContent = isWell ? "" : FAILED;
    if (isWell) button?.click();
  }

  const wait = (event: Event, button: HTMLElement | null): void => {
    if (!button) return;
    root.hidden = underWay.size === 0;
    if (underWay.size === 0) return;
    event.preventDefault();
    event.stopPropagation();
    told.textContent = underWay.size === 1 ? "Waiting for an image…" : `Waiting for ${underWay.size} images…`;
    skip.hidden = false;
    const isWaiting = pressed !== null;
    pressed = button;
    if (!isWaiting) void goOn();
  };
  // Before other scripts of the page hear of it. One of them opens the dialog of publishing, without sending the form.
  form.addEventListener("submit", (event) => wait(event, event.submitter), true);
  form.addEventListener(
    "click",
    (event) => wait(event, event.target instanceof Element ? event.target.closest("[data-publish]") : null),
    true,
  );
  addEventListener("beforeunload", (event) => {
    if (underWay.size > 0) event.preventDefault();
  });
}
