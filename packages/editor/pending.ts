/** Uploads in progress: leaving the page asks first, and the form's buttons wait. */
import { makeElement, makeButton } from "./dom.ts";

/** The uploads, by what cancels each. One that resolves to false has failed, and the page says why. */
const underWay = new Map<AbortController, Promise<unknown>>();

/** Counts an upload as in progress until it is over. */
export function trackUpload<T>(ending: AbortController, upload: Promise<T>): Promise<T> {
  const counted = upload.finally(() => underWay.delete(ending));
  underWay.set(ending, counted);
  return counted;
}

/** Waits for all uploads, also for those that begin meanwhile. Resolves to whether none has failed. */
async function waitForAll(): Promise<boolean> {
  let isWell = true;
  while (underWay.size > 0) {
    const ended = await Promise.allSettled(underWay.values());
    isWell &&= ended.every((each) => each.status === "fulfilled" && each.value !== false);
  }
  return isWell;
}

const FAILED = "An image was not uploaded. The text says why. Press the button again to continue without it.";

export function waitForUploads(form: HTMLFormElement): void {
  const told = makeElement("span");
  const skip = makeButton("Continue without", () => {
    for (const ending of underWay.keys()) ending.abort();
  });
  const root = makeElement("p", { class: "waiting", role: "status", hidden: true }, told, " ", skip);
  form.querySelector(".actions.bottom")?.append(root);
  let pressed: HTMLElement | null = null;

  /** Presses the waiting button, unless an upload has failed, which nobody may overlook. */
  async function goOn(): Promise<void> {
    const isWell = await waitForAll();
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
  // Before other scripts hear of it: one of them opens the publish dialog without submitting the form.
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
