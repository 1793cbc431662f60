/** Saves what is entered in the editor's form, one request at a time. What it says of it is true at that moment. */
import { isEmpty, type Draft, type FieldErrors } from "./draft.ts";
import { fill, isSame, valuesOf, type Values } from "./fields.ts";
import type { Kept } from "./kept.ts";
import { merge, overlapsIn, resolved, type Choice, type Overlap } from "./merge.ts";
import { send, type Outcome, type Stored } from "./request.ts";
import { clock, editing, type Show } from "./status.ts";

/** A save begins this long after the last change, and at the latest this long after the first one, in milliseconds. */
const QUIET_MS = 2000;
const MOST_MS = 15_000;
/** The first and the longest pause before a request that was lost is sent again, in milliseconds. */
const RETRY_MS = 2000;
const LONGEST_RETRY_MS = 60_000;
/** How long a session that ended may take to begin again before the next try, in milliseconds. */
const SIGNED_OUT_MS = 30_000;

type Options = {
  readonly draft: Draft;
  readonly show: Show;
  /** Asks which side of each overlap is kept. */
  readonly ask: (theirs: Stored, overlaps: readonly Overlap[], choose: (choices: Choice[]) => void) => void;
  /** Called after each save. */
  readonly saved: (stored: Stored & { readonly id: string }) => void;
};

export class Saver {
  readonly draft: Draft;
  readonly #options: Options;
  /** The save that is under way, or null. */
  running: Promise<void> | null = null;
  /** Whether the form is being sent, so that nothing more is saved. */
  isLeaving = false;
  /** Whether a choice or a dialog is open: nothing is saved until then. */
  #isAsking = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unsavedSince: number | null = null;
  /** How many requests in a row were not answered. */
  #tries = 0;
  /** Whether the last request did not save. */
  #isTroubled = false;
  /** When this page last knew that all is saved. */
  #savedTime: string | undefined;

  constructor(options: Options) {
    this.draft = options.draft;
    this.#options = options;
  }

  #show: Show = (state) => this.#options.show(state);

  #later(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.save(), milliseconds);
  }

  /** Notes a change of the form. */
  touch(): void {
    if (this.isLeaving) return;
    this.draft.keepSoon();
    if (isEmpty(this.draft.changes())) return this.#settle();
    this.#unsavedSince ??= Date.now();
    if (this.#isAsking || this.#tries > 0) return;
    if (!this.#isTroubled) this.#show({ text: "Not saved yet" });
    this.#later(Math.max(0, Math.min(QUIET_MS, this.#unsavedSince + MOST_MS - Date.now())));
  }

  /** Says that all is saved, if it is. What was taken back counts, too: then nothing waits for another try. */
  #settle(time = this.#savedTime): void {
    if (!this.draft.isSaved()) return;
    this.#unsavedSince = null;
    this.#tries = 0;
    this.#isTroubled = false;
    this.#savedTime = time;
    this.draft.form.dataset["guard"] = "unchanged";
    this.draft.keep();
    this.#show({ text: time === undefined ? "" : `Saved ${clock(time)}` });
  }

  /** Saves what is not saved. Resolves once the service has answered, or did not. */
  save(isLast = false): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#isAsking || this.isLeaving) return Promise.resolve();
    this.running ??= this.#once(isLast).finally(() => {
      this.running = null;
    });
    return this.running;
  }

  async #once(isLast: boolean): Promise<void> {
    const { draft } = this;
    const now = draft.sendable();
    if (!draft.isUnsent()) return this.#settle();
    if (!draft.isWorthSaving()) return void (this.#tries = 0);
    if (!this.#isTroubled) this.#show({ text: "Saving…" });
    const { path, fields } = draft.request(now);
    const outcome = await send(path, fields, isLast);
    this.#isTroubled = outcome.kind !== "saved" && outcome.kind !== "conflict";
    if (outcome.kind !== "later") this.#tries = 0;
    this.#take(outcome, now);
    if (outcome.kind !== "later") draft.sent = [];
    else if (outcome.isLost) draft.lost(now);
  }

  #take(outcome: Outcome, now: Values): void {
    switch (outcome.kind) {
      case "saved":
        return this.#takeSaved(outcome, now);
      case "conflict":
        return this.#takeTheirs(outcome.theirs, now);
      case "invalid":
        return this.#takeErrors(outcome.errors, now);
      case "signedOut":
        return this.#takeSignedOut();
      case "refused":
        return this.#complain(outcome.why);
      case "later":
        return this.#takeDelay(outcome);
    }
  }

  #complain(why: string): void {
    this.#show({ text: `${why}: ${this.draft.keep()}.`, isTrouble: true });
  }

  #takeSaved({ version, savedTime, slug, created }: Outcome & { kind: "saved" }, now: Values): void {
    const { draft } = this;
    if (created) draft.become(created);
    else draft.storedAs(version, now, slug);
    this.#unsavedSince = null;
    draft.keep();
    if (draft.isSaved()) this.#settle(savedTime);
    else if (draft.isUnsent()) this.touch();
    else this.#show({ text: `Saved ${clock(savedTime)}, but ${draft.complaint}`, isTrouble: true });
    this.#options.saved({ ...draft.base, savedTime, by: "you in another tab", id: draft.id });
  }

  #takeSignedOut(): void {
    const link = { text: "Sign in in another tab", href: "/console/sign-in" };
    this.#show({ text: `Signed out: ${this.draft.keep()}.`, isTrouble: true, link });
    this.#tries = 1;
    this.#later(SIGNED_OUT_MS);
  }

  #takeDelay({ seconds }: Outcome & { kind: "later" }): void {
    const pause = Math.min(LONGEST_RETRY_MS, RETRY_MS * 2 ** this.#tries++);
    this.#complain(seconds === null ? "Offline" : "The service is busy");
    this.#later(Math.max(pause, (seconds ?? 0) * 1000));
  }

  /** Saves the fields that the service takes without the others. */
  #takeErrors(errors: FieldErrors, now: Values): void {
    if (this.draft.refuse(errors, now)) this.#later(0);
    else this.#complain(`Not saved, ${this.draft.complaint}`);
  }

  /** Takes in what somebody else has saved: what does not overlap is merged, the rest is asked. */
  #takeTheirs(theirs: Stored, now: Values): void {
    const { draft } = this;
    // The answer to our own save was lost: it is ours that is stored.
    const own = draft.ownIn(theirs.values, now);
    if (own === undefined) return this.#reconcile(theirs, draft.base.values);
    draft.storedAs(theirs.version, own, undefined);
    if (draft.isSaved()) this.#settle(theirs.savedTime);
    else this.touch();
  }

  /**
   * Merges the form with what is stored by now. `from` is what the form began with. A dialog of the editor is about a place in
   * the text, which would be another one after the merge: that waits until the dialog is closed.
   */
  #reconcile(theirs: Stored, from: Values): void {
    const { draft } = this;
    const dialog = document.querySelector("dialog.of-editor[open]");
    this.#isAsking = dialog !== null;
    if (dialog !== null) {
      dialog.addEventListener("close", () => this.#reconcile(theirs, from), { once: true });
      return;
    }
    const merged = merge(from, valuesOf(draft.form), theirs.values);
    const overlaps = overlapsIn(merged);
    if (overlaps.length === 0) return this.#adopt(theirs, resolved(merged));
    this.#isAsking = true;
    draft.keep();
    this.#show({
      text: editing(theirs),
      isTrouble: true,
      link: { text: "Choose what to keep", href: "#changed-twice" },
    });
    this.#options.ask(theirs, overlaps, (choices) => {
      this.#isAsking = false;
      // The form may have changed while it asked.
      const latest = merge(from, valuesOf(draft.form), theirs.values);
      if (JSON.stringify(overlapsIn(latest)) !== JSON.stringify(overlaps)) return this.#reconcile(theirs, from);
      this.#adopt(theirs, resolved(latest, choices));
      this.#later(0);
    });
  }

  #adopt(theirs: Stored, values: Values): void {
    const { draft } = this;
    draft.know(theirs);
    fill(draft.form, values);
    if (!isEmpty(draft.changes())) return this.touch();
    this.#settle();
    this.#show({ text: editing(theirs) });
  }

  /** Takes in what another tab, or somebody else, has saved. */
  hear(stored: Stored): void {
    const { base } = this.draft;
    if (this.running === null && !this.#isAsking && stored.version !== base.version) {
      this.#reconcile(stored, base.values);
    }
  }

  /** Puts text into the form that was kept in the browser, merged with what is stored by now. */
  restore({ time, sent, creation, values, base: before }: Kept): void {
    const { draft } = this;
    if (draft.id === "" && creation !== undefined) draft.resume(creation);
    // If the answer to the last request was lost, what it sent may be stored.
    const isStored = sent?.find((each) => isSame(each, draft.base.values));
    const stored = { ...draft.base, savedTime: new Date(time).toISOString(), by: null };
    fill(draft.form, values);
    this.#reconcile(stored, { ...draft.base.values, ...before, ...isStored });
    if (draft.creation !== undefined) this.#later(0);
  }

  /** Saves now, because somebody asks for it. */
  ask(): void {
    const { draft } = this;
    draft.isAskedFor = true;
    if (!draft.isSaved()) return this.hurry();
    const time = this.#savedTime === undefined ? "" : ` ${clock(this.#savedTime)}`;
    this.#show({ text: draft.id === "" ? "Nothing to save" : `Saved${time}` });
  }

  /** Tries again at once. */
  hurry(): void {
    this.#tries = 0;
    if (this.draft.isUnsent()) void this.save();
  }

  /** Saves nothing more, because the form is being sent; or goes on. */
  leave(isLeaving: boolean): void {
    this.isLeaving = isLeaving;
    if (isLeaving) clearTimeout(this.#timer);
  }
}
