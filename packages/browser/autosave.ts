/** Saves the editor's form by itself, and offers text that could not be saved. Loaded on editor pages only. */
import { Draft } from "./autosave/draft.ts";
import { findField, isSame, mark, readInitialValues, readValues, unmark, type Values } from "./autosave/fields.ts";
import { listLockedKeys, makeKeyPrefix, listKeys, readKept, removeKept, tidyKept, type Kept } from "./autosave/kept.ts";
import { showQuestion, showOffer } from "./autosave/panels.ts";
import { readStored, type Stored } from "./autosave/request.ts";
import { Saver } from "./autosave/saver.ts";
import { FORGET } from "./autosave/sign-out.ts";
import { formatTime, addStatus } from "./autosave/status.ts";
import { makeElement } from "../editor/dom.ts";

/** The page looks for newer versions when it becomes visible, but at most this often, in milliseconds. */
const FRESH_MS = 20_000;

const place = document.querySelector<HTMLElement>("[data-autosave]");
const form = place?.closest("form");
if (place && form) await start(place, form);

async function start(place: HTMLElement, form: HTMLFormElement): Promise<void> {
  const { autosave: id = "", person = "", organization = "" } = place.dataset;
  // With this attribute, the form has what is stored. After a refusal or a preview, it has what was entered.
  const isStored = "stored" in place.dataset;
  const stored = isStored || id === "" ? null : await readStored(`/console/articles/${id}/autosave`);
  const version = new FormData(form).get("version");
  // Without the stored values, everything in the form counts as unsaved.
  const known = isStored ? readInitialValues(form) : {};
  const published = "live" in place.dataset;
  const base = stored ?? { version: typeof version === "string" ? version : "", values: known, published };
  const mine = `${makeKeyPrefix(person)}${organization}:`;
  const tab = crypto.randomUUID();
  const channel = new BroadcastChannel("edgepress:autosave");
  const panels = document.createElement("div");
  const bar = form.querySelector<HTMLElement>(".actions.bottom");
  place.append(panels);
  const show = addStatus(bar ?? place);
  tidyKept(Date.now());
  const draft = new Draft({ form, id, person, base, makeKey: (article) => `${mine}${article || "new"}:${tab}` });
  const saver = new Saver({
    draft,
    show,
    ask: (question) => showQuestion(panels, question),
    onHeard(stored) {
      tellPublished(stored);
      if (stored.version !== draft.base.version) removeEarlier();
    },
    onSaved(state) {
      const isOld = document.querySelector("[data-turned]:not([hidden])") !== null;
      for (const told of document.querySelectorAll<HTMLElement>("[data-unpublished]")) told.hidden = isOld;
      removeEarlier();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
      channel.postMessage({ person, state });
    },
  });
  channel.addEventListener("message", ({ data }: MessageEvent<{ person: string; state: Stored & { id: string } }>) => {
    if (data.person === person && data.state.id === draft.id) saver.hear(data.state);
  });
  // Before the next await, so that what is typed meanwhile is saved, too.
  listen(form, saver);
  saver.touch();
  const orphans = await listOrphans(`${mine}${id || "new"}:`, tab);
  for (const orphan of orphans) offer(panels, saver, orphan);
}

/** Removes who saved the unpublished changes that the page was loaded with, and when: the status tells the last save. */
const removeEarlier = (): void => document.querySelector("[data-earlier]")?.remove();

/** Shows a note, and hides the outdated ones, if the article was published or unpublished since the page loaded. */
function tellPublished({ published }: Stored): void {
  const told = document.querySelector<HTMLElement>("[data-turned]");
  if (told === null || published === undefined) return;
  told.hidden = published === (told.dataset["turned"] === "published");
  if (!told.hidden) for (const old of document.querySelectorAll<HTMLElement>("[data-unpublished]")) old.hidden = true;
}

/** Returns the kept records of this article that no open page uses, newest first. */
async function listOrphans(beginning: string, tab: string): Promise<(readonly [string, Kept])[]> {
  const held = await listLockedKeys();
  return listKeys(beginning)
    .filter((key) => !held.has(key) && !key.endsWith(`:${tab}`))
    .map((key) => [key, readKept(key)] as const)
    .filter((each): each is readonly [string, Kept] => each[1] !== null)
    .toSorted(([, one], [, other]) => other.time - one.time);
}

/** Offers text that could not be saved. Removes it if it is stored, or in the form, by now. */
function offer(panels: HTMLElement, saver: Saver, [key, record]: readonly [string, Kept]): void {
  const { form } = saver.draft;
  const isThere = (values: Values) => record.creation === undefined && isSame(record.values, values);
  if (isThere(saver.draft.base.values) || isThere(readValues(form))) return removeKept(key);
  showOffer(panels, {
    when: formatTime(record.time),
    kept: record.values,
    getValues: () => readValues(form),
    restore() {
      // The other panels have the text of other new articles. They stay in the browser for the next new article.
      if (saver.draft.id === "") for (const other of panels.querySelectorAll(".kept")) other.remove();
      saver.restore(record, () => {
        // This page keeps it under its own key now.
        saver.draft.keep();
        removeKept(key);
      });
    },
    discard: () => removeKept(key),
  });
}

/** Saves when the form changes, the connection comes back, or the page is hidden or left. */
function listen(form: HTMLFormElement, saver: Saver): void {
  const touched = ({ target }: Event) => {
    const name = target instanceof HTMLElement && "name" in target ? String(target.name) : "";
    if (!(name in readValues(form))) return;
    saver.draft.changed(name);
    saver.touch();
  };
  for (const kind of ["input", "change"]) form.addEventListener(kind, touched);
  addEventListener("online", () => saver.hurry());
  addEventListener("keydown", (event) => saveByKey(event, saver));
  // A reload requests the page before `pagehide` is fired. The page must have what was just written.
  addEventListener("beforeunload", () => void saver.save(true));
  addEventListener(FORGET, () => {
    saver.leave(true);
    saver.draft.isForgotten = true;
  });
  addEventListener("pagehide", () => {
    saver.draft.keep();
    if (saver.running === null) void saver.save(true);
  });
  addEventListener("pageshow", () => saver.leave(false));
  let known = Date.now();
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") return void saver.save(true);
    if (!saver.draft.isSaved()) return saver.hurry();
    if (saver.draft.id === "" || Date.now() - known < FRESH_MS) return;
    known = Date.now();
    void readStored(`/console/articles/${saver.draft.id}/autosave`).then((stored) => stored && saver.hear(stored));
  });
  sendWhenReady(form, saver);
  for (const button of form.querySelectorAll<HTMLButtonElement>("[data-publish]")) {
    button.addEventListener("click", (event) => {
      event.preventDefault();
      void openPublishing(saver);
    });
  }
}

/** Submits the form once it is merged with what others have saved, and only if the service answers. */
function sendWhenReady(form: HTMLFormElement, saver: Saver): void {
  let isPreparing = false;
  form.addEventListener("submit", (event) => {
    saver.draft.keep();
    if (saver.isLeaving || saver.isReady()) return saver.leave(true);
    // Submitting now could send an old version, or lose the page and its text if the service does not answer.
    event.preventDefault();
    if (isPreparing) return;
    isPreparing = true;
    const { submitter } = event;
    void saver.makeReady().then((isReady) => {
      isPreparing = false;
      if (!isReady) return void (form.dataset["guard"] = "changed");
      saver.leave(true);
      form.requestSubmit(submitter);
    });
  });
}

/** Saves on Ctrl+S or Cmd+S, instead of letting the browser save the page as a file. */
function saveByKey(event: KeyboardEvent, saver: Saver): void {
  if (event.key.toLowerCase() !== "s" || event.ctrlKey === event.metaKey || event.altKey || event.shiftKey) return;
  event.preventDefault();
  if (!event.repeat) saver.ask();
}

/**
 * Saves, then shows the publish page as a dialog. Stops if something cannot be saved, and the status says why, or if
 * there is no title yet.
 */
async function openPublishing(saver: Saver): Promise<void> {
  const { draft } = saver;
  if (!(await saver.makeReady())) return;
  const title = findField(draft.form, "title");
  if (title?.value.trim() === "") {
    mark(draft.form, "title", "A title is required to publish.");
    title.addEventListener("input", () => unmark(draft.form, "title"), { once: true });
    return title.focus();
  }
  if (!draft.isSaved()) return;
  const path = `/console/articles/${draft.id}/publish`;
  const asked = await loadPublishPage(path);
  if (asked === null) return location.assign(path);
  const heading = makeElement("h2", { id: "publish-heading" }, asked.heading);
  const dialog = makeElement("dialog", { class: "publish", "aria-labelledby": heading.id }, heading, asked.content);
  document.body.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.querySelector("[data-close]")?.addEventListener("click", (event) => {
    event.preventDefault();
    dialog.close();
  });
  dialog.addEventListener("submit", () => saver.leave(true));
  dialog.showModal();
}

/** Returns the heading and the content of the publish page, or null if it cannot be loaded. */
async function loadPublishPage(path: string): Promise<{ heading: string; content: Element } | null> {
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
