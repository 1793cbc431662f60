/** Saves the editor's form, one request at a time. The status is true at each moment. */
import { isEmpty, type Draft } from "./draft.ts";
import { isSame, type Values } from "./fields.ts";
import type { Kept } from "./kept.ts";
import { Merging, type MergingOptions } from "./merging.ts";
import { readStored, send, type FieldErrors, type Outcome, type Stored } from "./request.ts";
import { formatTime, describeEditing, describeSaved, type Show } from "./status.ts";

/** A save begins this long after the last change, or at the latest this long after the first one, in milliseconds. */
const QUIET_MS = 2000;
const MOST_MS = 15_000;
/** The first and the longest pause before a retry, in milliseconds. */
const RETRY_MS = 2000;
const LONGEST_RETRY_MS = 60_000;
/** How many saves are tried before the form is submitted: others may save in between. */
const MOST_SAVES = 3;
/** The pause before a retry once signed out, in milliseconds: the user may sign in in another tab. */
const SIGNED_OUT_MS = 30_000;

type Options = MergingOptions & {
  /** Called with what somebody else, or another tab, has stored. */
  readonly onHeard: (stored: Stored) => void;
  readonly onSaved: (stored: Stored & { readonly id: string }) => void;
};

export class Saver {
  readonly draft: Draft;
  readonly #options: Options;
  readonly #merging: Merging;
  running: Promise<void> | null = null;
  /** Whether the form is being submitted, so that nothing more is saved. */
  isLeaving = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unsavedSince: number | null = null;
  /** How many requests in a row failed. */
  #tries = 0;
  #isTroubled = false;
  /** Whether the person may not write any more. Submitting the form would lose the page with its text. */
  #isBarred = false;
  /** When all was last known to be saved. */
  #savedTime: string | undefined;

  constructor(options: Options) {
    this.draft = options.draft;
    this.#options = options;
    this.#merging = new Merging(options);
  }

  #show: Show = (state) => this.#options.show(state);

  #later(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.save(), milliseconds);
  }

  /** Keeps a change of the form in the browser and schedules a save. */
  touch(): void {
    if (this.isLeaving) return;
    this.draft.keepSoon();
    if (isEmpty(this.draft.changes())) return this.#settle();
    this.#unsavedSince ??= Date.now();
    if (this.#merging.isAsking || this.#tries > 0) return;
    if (!this.#isTroubled) this.#show({ text: "Not saved yet" });
    this.#later(Math.max(0, Math.min(QUIET_MS, this.#unsavedSince + MOST_MS - Date.now())));
  }

  #saved = (time?: string): string => describeSaved(time, this.draft.base.published);
  /** If all is saved, also because a change was undone: says so and stops retries. */
  #settle(time = this.#savedTime): void {
    if (!this.draft.isSaved()) return;
    this.#unsavedSince = null;
    this.#tries = 0;
    this.#isTroubled = false;
    this.#isBarred = false;
    this.#savedTime = time;
    this.draft.form.dataset["guard"] = "unchanged";
    this.draft.keep();
    this.#show({ text: time === undefined ? "" : this.#saved(time) });
  }

  /** Saves unsaved changes. Resolves once the request was answered or failed. */
  save(isLast = false): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#merging.isAsking || this.isLeaving) return Promise.resolve();
    this.running ??= this.#once(isLast).finally(() => {
      this.running = null;
    });
    return this.running;
  }

  async #once(isLast: boolean): Promise<void> {
    const { draft } = this;
    if (!draft.isUnsent()) return this.#settle();
    const now = isLast ? draft.sendable() : draft.finished();
    if (isEmpty(now) && draft.creation === undefined) return this.#later(QUIET_MS);
    if (!draft.isWorthSaving()) return void (this.#tries = 0);
    if (!this.#isTroubled) this.#show({ text: "Saving…" });
    const outcome = await send(draft.request(now), isLast);
    this.#isTroubled = outcome.kind !== "saved" && outcome.kind !== "conflict";
    this.#isBarred = outcome.kind === "refused" && outcome.isBarred;
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
    this.#show({ text: `${why}. ${this.draft.keep()}`, isTrouble: true });
  }

  #takeSaved({ created, savedTime, ...answered }: Outcome & { kind: "saved" }, now: Values): void {
    const { draft } = this;
    if (created) draft.become(created);
    else draft.storedAs(answered, now);
    this.#unsavedSince = null;
    draft.keep();
    if (draft.isSaved()) this.#settle(savedTime);
    else if (draft.isUnsent()) this.touch();
    else this.#show({ text: `${this.#saved(savedTime)}, but ${draft.complaint}`, isTrouble: true });
    this.#options.onSaved({ ...draft.base, savedTime, by: "you in another tab", id: draft.id });
  }

  #takeSignedOut(): void {
    const link = { text: "Sign in in another tab", href: "/console/sign-in" };
    this.#show({ text: `Signed out. ${this.draft.keep()}`, isTrouble: true, link });
    this.#tries = 1;
    this.#later(SIGNED_OUT_MS);
  }

  #takeDelay({ why, seconds }: Outcome & { kind: "later" }): void {
    const pause = Math.max(RETRY_MS * 2 ** this.#tries++, (seconds ?? 0) * 1000);
    this.#complain(why);
    // What takes hours, such as a ceiling of the month, may be over sooner.
    this.#later(Math.min(LONGEST_RETRY_MS, pause));
  }

  #takeErrors(errors: FieldErrors, now: Values): void {
    if (this.draft.refuse(errors, now)) this.#later(0);
    else this.#complain(`Not saved. ${this.draft.complaint}`);
  }

  /** Merges what somebody else has saved, and asks about overlaps. */
  #takeTheirs(theirs: Stored, now: Values): void {
    const { draft } = this;
    this.#options.onHeard(theirs);
    // The answer to our own save was lost: the stored version is ours.
    const own = draft.ownIn(theirs.values, now);
    if (own === undefined) return this.#reconcile(theirs, draft.base.values);
    draft.storedAs(theirs, own);
    if (draft.isSaved()) this.#settle(theirs.savedTime);
    else this.touch();
  }

  /** Merges the form with what is stored. `from` is what both began with. */
  #reconcile(theirs: Stored, from: Values): void {
    this.#merging.takeIn({
      values: theirs.values,
      from,
      sides: {
        mine: "Yours",
        other: `Saved${theirs.by === null ? "" : ` by ${theirs.by}`}`,
        keepMine: "Keep mine",
        keepOther: "Keep theirs",
      },
      asked: describeEditing(theirs),
      onDecided: () => this.draft.know(theirs),
      onMerged: (wasAsked) => {
        this.touch();
        if (this.draft.isSaved()) this.#show({ text: describeEditing(theirs) });
        if (wasAsked) this.#later(0);
      },
    });
  }

  /** Merges what another tab, or somebody else, has saved. */
  hear(stored: Stored): void {
    const { base } = this.draft;
    this.#options.onHeard(stored);
    if (this.running === null && !this.#merging.isAsking && stored.version !== base.version) {
      this.#reconcile(stored, base.values);
    }
  }

  /**
   * Merges text that was kept in the browser into the form. `restored` is called once the form has it; the record must
   * stay until then.
   */
  restore({ time, sent, creation, values, base: before }: Kept, restored: () => void): void {
    const { draft } = this;
    // If the answer to the last request was lost, what it sent may be stored.
    const isStored = sent?.find((each) => isSame(each, draft.base.values));
    const from = { ...draft.base.values, ...before, ...isStored };
    const when = formatTime(time);
    this.#merging.takeIn({
      values: { ...from, ...values },
      from,
      sides: {
        mine: "In the editor",
        other: `Unsaved, from ${when}`,
        keepMine: "Keep the text in the editor",
        keepOther: "Keep the unsaved text",
      },
      asked: `The unsaved text from ${when} conflicts with the text in the editor.`,
      onDecided() {
        const isNew = draft.id === "" && draft.creation === undefined;
        if (isNew && creation !== undefined) draft.resume(creation);
      },
      onMerged: (wasAsked) => {
        restored();
        this.touch();
        if (wasAsked || draft.creation !== undefined) this.#later(0);
      },
    });
  }

  /** Saves now, because the user asks for it. */
  ask(): void {
    const { draft } = this;
    draft.isAskedFor = true;
    if (!draft.isSaved()) return this.hurry();
    this.#show({ text: draft.id === "" ? "Nothing to save" : this.#saved(this.#savedTime) });
  }

  /** Retries at once. */
  hurry(): void {
    this.#tries = 0;
    if (this.draft.isUnsent()) void this.save();
  }

  /** Whether the form can be submitted at once: nobody else can have saved a new article. */
  isReady(): boolean {
    return this.running === null && this.draft.id === "" && this.#tries === 0 && !this.#isBarred && navigator.onLine;
  }

  /** Whether the service answered the last request, would accept the form, and no choice is open. */
  #isAnswered(): boolean {
    return this.#tries === 0 && !this.#isBarred && !this.#merging.isAsking;
  }

  /**
   * Merges what others have saved, and saves, so that the form can be submitted. Resolves to whether it can; if not,
   * the status says why.
   */
  async makeReady(): Promise<boolean> {
    await this.running;
    await this.#merging.composed();
    const { draft } = this;
    this.#tries = 0;
    draft.isAskedFor = true;
    if (draft.id !== "" && !draft.isUnsent()) {
      const stored = await readStored(`/console/articles/${draft.id}/autosave`);
      if (stored) this.hear(stored);
      else if (!navigator.onLine) {
        this.#show({ text: `Offline. ${draft.keep() || "Nothing was sent."}`, isTrouble: true });
        return false;
      }
    }
    // A save may find somebody else's version and merge it. The first one is always tried: the person may write by now.
    for (let left = MOST_SAVES; left > 0 && draft.isUnsent(); left = this.#isAnswered() ? left - 1 : 0)
      await this.save();
    return this.#isAnswered();
  }

  /** Stops saving while the form is submitted, or resumes. */
  leave(isLeaving: boolean): void {
    this.isLeaving = isLeaving;
    if (isLeaving) clearTimeout(this.#timer);
  }
}
