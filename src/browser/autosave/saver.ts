/** Saves what is entered in the editor's form, one request at a time, and keeps in the browser what is not saved. */
import { differing, fieldOf, fill, isSame, requestOf, setHidden, valuesOf, type Values } from "./fields.ts";
import { hold, removeKept, writeKept, type Creation, type Kept } from "./kept.ts";
import { merge, overlapsIn, resolved, type Choice, type Merged } from "./merge.ts";
import { send, type Outcome, type Stored } from "./request.ts";
import { clock, editing, type Show } from "./status.ts";

/** A save begins this long after the last change, and at the latest this long after the first one, in milliseconds. */
const QUIET_MS = 2000;
const MOST_MS = 15_000;
/** What is entered is written to the browser's storage at most this often, in milliseconds. */
const KEEP_MS = 300;
/** The first and the longest pause before a request that was lost is sent again, in milliseconds. */
const RETRY_MS = 2000;
const LONGEST_RETRY_MS = 60_000;
/** How long a session that ended may take to begin again before the next try, in milliseconds. */
const SIGNED_OUT_MS = 30_000;

type Options = {
  readonly form: HTMLFormElement;
  /** The id of the article; "" for one that does not exist yet. */
  readonly id: string;
  readonly person: string;
  readonly base: Pick<Stored, "version" | "values">;
  /** Returns the key of this page's record of an article in the browser. */
  readonly keyOf: (id: string) => string;
  readonly show: Show;
  /** Asks which side of each overlap is kept. */
  readonly ask: (theirs: Stored, merged: Merged, choose: (choices: Choice[]) => void) => void;
  /** Called after each save. */
  readonly saved: (stored: Stored & { readonly id: string }) => void;
};

export type Saver = ReturnType<typeof newSaver>;

export function newSaver({ form, person, keyOf, show, ask, saved, ...given }: Options) {
  let { id, base } = given;
  let creation: Creation | undefined;
  let key = keyOf(id);
  hold(key);
  let sent: Values | undefined;
  /** Values that the service did not take, and why. They are sent again once they have changed. */
  let refused: Values = {};
  let complaint = "";
  let running: Promise<void> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let unsavedSince: number | null = null;
  let tries = 0;
  /** Whether the last request did not save. */
  let isTroubled = false;
  /** Whether a choice is open: nothing is saved until then. */
  let isAsking = false;
  let isLeaving = false;

  const changes = (): Values => differing(valuesOf(form), base.values);
  const sendable = (): Values => differing(changes(), refused);
  const isEmpty = (values: Values): boolean => Object.keys(values).length === 0;

  let keeping: ReturnType<typeof setTimeout> | undefined;

  /** Keeps what is not saved in the browser. Returns what to say of it. */
  function keep(): string {
    clearTimeout(keeping);
    keeping = undefined;
    const values = changes();
    if (isEmpty(values) && creation === undefined) {
      removeKept(key);
      return "";
    }
    const before = Object.fromEntries(Object.keys(values).map((name) => [name, base.values[name] ?? ""]));
    const record: Kept = { page: location.pathname, time: Date.now(), base: before, values, sent, creation };
    return writeKept(key, record) ? "kept in this browser" : "and not kept in this browser: copy it";
  }

  function later(milliseconds: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void save(), milliseconds);
  }

  /** Notes a change of the form. */
  function touch(): void {
    if (isLeaving) return;
    keeping ??= setTimeout(keep, KEEP_MS);
    if (isEmpty(changes())) return settle();
    unsavedSince ??= Date.now();
    if (isAsking || tries > 0) return;
    if (!isTroubled) show({ text: "Not saved yet" });
    later(Math.max(0, Math.min(QUIET_MS, unsavedSince + MOST_MS - Date.now())));
  }

  /** Says that all is saved, if it is. */
  function settle(time?: string): void {
    if (!isEmpty(changes())) return;
    unsavedSince = null;
    form.dataset["guard"] = "unchanged";
    removeKept(key);
    if (time !== undefined) show({ text: `Saved ${clock(time)}` });
  }

  /** Saves what is not saved. Resolves once the service has answered, or did not. */
  function save(isLast = false): Promise<void> {
    clearTimeout(timer);
    if (isAsking || isLeaving) return Promise.resolve();
    running ??= once(isLast).finally(() => {
      running = null;
    });
    return running;
  }

  /** Whether an article that does not exist yet is worth a draft: not while its title, of which its slug comes, is typed. */
  function isWorthADraft(): boolean {
    const { title = "", content = "" } = valuesOf(form);
    if (creation !== undefined || content.trim() !== "") return true;
    return title.trim() !== "" && document.activeElement !== fieldOf(form, "title");
  }

  async function once(isLast: boolean): Promise<void> {
    const now = sendable();
    if (isEmpty(now) && creation === undefined) return settle();
    if (id === "" && !isWorthADraft()) return;
    if (!isTroubled) show({ text: "Saving…" });
    const outcome = await (id === "" ? create(isLast) : update(now, isLast));
    sent = outcome.kind === "later" && outcome.isLost ? now : undefined;
    await take(outcome, now);
  }

  const common = (fields: URLSearchParams): URLSearchParams => {
    fields.set("_organization", fieldOf(form, "_organization")?.value ?? "");
    fields.set("_person", person);
    return fields;
  };

  /** Creates the draft. What is sent stays the same until it is answered, so that its key makes one draft of it. */
  function create(isLast: boolean): Promise<Outcome> {
    if (creation === undefined) {
      const all = { ...valuesOf(form), blogId: fieldOf(form, "blogId")?.value ?? "" };
      creation = { key: crypto.randomUUID(), fields: common(requestOf(all, all, base.values)).toString() };
      keep();
    }
    const fields = new URLSearchParams(creation.fields);
    fields.set("_key", creation.key);
    return send("/console/articles/new/autosave", fields, isLast);
  }

  /** A save needs no key: the version that it names is gone once it is stored. */
  function update(now: Values, isLast: boolean): Promise<Outcome> {
    const fields = common(requestOf(now, valuesOf(form), base.values));
    fields.set("version", base.version);
    if (followsTitle(now)) fields.set("slugOfTitle", "yes");
    return send(`/console/articles/${id}/autosave`, fields, isLast);
  }

  /** Whether the slug is still that of an article without a title, which has one now. */
  const followsTitle = (now: Values): boolean =>
    "title" in now &&
    !("slug" in now) &&
    /^untitled(-\d+)?$/.test(base.values["slug"] ?? "") &&
    document.activeElement !== fieldOf(form, "title");

  async function take(outcome: Outcome, now: Values): Promise<void> {
    isTroubled = outcome.kind !== "saved" && outcome.kind !== "conflict";
    if (outcome.kind !== "later") tries = 0;
    switch (outcome.kind) {
      case "saved":
        return takeSaved(outcome, now);
      case "conflict":
        return takeTheirs(outcome.theirs, now);
      case "invalid":
        return takeErrors(outcome.errors, now);
      case "signedOut": {
        const link = { text: "Sign in in another tab", href: "/console/sign-in" };
        show({ text: `Signed out: ${keep()}.`, isTrouble: true, link });
        tries = 1;
        return later(SIGNED_OUT_MS);
      }
      case "refused":
        return show({ text: `${outcome.why}: ${keep()}.`, isTrouble: true });
      case "later": {
        const pause = Math.min(LONGEST_RETRY_MS, RETRY_MS * 2 ** tries++);
        const kept = keep();
        show({
          text: outcome.seconds === null ? `Offline: ${kept}.` : `The service is busy: ${kept}.`,
          isTrouble: true,
        });
        return later(Math.max(pause, (outcome.seconds ?? 0) * 1000));
      }
    }
  }

  function takeSaved({ version, savedTime, slug, created }: Outcome & { kind: "saved" }, now: Values): void {
    if (created) become(created);
    else base = { version, values: { ...base.values, ...now, ...(slug !== undefined && { slug }) } };
    if (slug !== undefined) fill(form, { slug });
    noteBase();
    unsavedSince = null;
    keep();
    if (isEmpty(changes())) settle(savedTime);
    else if (isEmpty(sendable())) show({ text: `Saved ${clock(savedTime)}, but ${complaint}`, isTrouble: true });
    else touch();
    saved({ ...base, savedTime, by: "you in another tab", id });
  }

  /** Makes this page the one of the draft that was created. */
  function become(created: Stored & { readonly id: string }): void {
    const began = new URLSearchParams(creation?.fields);
    id = created.id;
    creation = undefined;
    removeKept(key);
    key = keyOf(id);
    hold(key);
    // The service has chosen what was left empty.
    const chosen = ["slug", "locale"].filter((name) => began.get(name) === "" && fieldOf(form, name)?.value === "");
    base = created;
    fill(form, Object.fromEntries(chosen.map((name) => [name, created.values[name] ?? ""])));
    form.action = `/console/articles/${id}`;
    setHidden(form, "_id", id);
    setHidden(form, "live", created.version);
    const blog = fieldOf(form, "blogId");
    if (blog !== null) blog.disabled = true;
    history.replaceState(null, "", form.action);
  }

  /** Makes the form's own button save over what is stored now. */
  function noteBase(): void {
    setHidden(form, "version", base.version);
    for (const name of ["tags", "authors"]) setHidden(form, `${name}Before`, base.values[name] ?? "");
  }

  /** Leaves out the fields that the service does not take, and saves the others. */
  function takeErrors(errors: readonly { readonly path: string; readonly message: string }[], now: Values): void {
    const wrong = Object.keys(now).filter((name) => errors.some(({ path }) => memberOf(name) === path.split(".")[0]));
    complaint = errors.map(({ path, message }) => `${path} ${message}`).join("; ");
    if (wrong.length === 0 || id === "") return show({ text: `Not saved, ${complaint}: ${keep()}.`, isTrouble: true });
    refused = { ...refused, ...Object.fromEntries(wrong.map((name) => [name, now[name] ?? ""])) };
    if (isEmpty(sendable())) return show({ text: `Not saved, ${complaint}: ${keep()}.`, isTrouble: true });
    return later(0);
  }

  /** Takes in what somebody else has saved: what does not overlap is merged, the rest is asked. */
  function takeTheirs(theirs: Stored, now: Values): void {
    // The answer to our own save was lost: it is ours that is stored.
    const isOwn = [now, sent ?? now].some((values) => isSame({ ...base.values, ...values }, theirs.values));
    if (isOwn) {
      base = { version: theirs.version, values: { ...base.values, ...now } };
      noteBase();
      return isEmpty(changes()) ? settle(theirs.savedTime) : touch();
    }
    reconcile(theirs, base.values);
  }

  /** Merges the form with what is stored by now. `from` is what the form began with. */
  function reconcile(theirs: Stored, from: Values): void {
    const merged = merge(from, valuesOf(form), theirs.values);
    const overlaps = overlapsIn(merged);
    if (overlaps.length === 0) return adopt(theirs, resolved(merged));
    isAsking = true;
    keep();
    show({ text: editing(theirs), isTrouble: true });
    ask(theirs, merged, (choices) => {
      isAsking = false;
      // The form may have changed while it asked.
      const latest = merge(from, valuesOf(form), theirs.values);
      if (JSON.stringify(overlapsIn(latest)) !== JSON.stringify(overlaps)) return reconcile(theirs, from);
      adopt(theirs, resolved(latest, choices));
      later(0);
    });
  }

  function adopt(theirs: Stored, values: Values): void {
    base = theirs;
    fill(form, values);
    noteBase();
    if (!isEmpty(changes())) return touch();
    settle();
    show({ text: editing(theirs) });
  }

  return {
    touch,
    save,
    keep,
    id: () => id,
    base: () => base,
    isSaved: () => isEmpty(changes()) && creation === undefined,
    isRunning: () => running,
    isLeaving: () => isLeaving,
    /** Puts text into the form that was kept in the browser, merged with what is stored by now. */
    restore(record: Kept): void {
      if (id === "" && record.creation !== undefined) {
        creation = record.creation;
        const blog = fieldOf(form, "blogId");
        if (blog !== null) blog.value = new URLSearchParams(creation.fields).get("blogId") ?? blog.value;
      }
      // If the answer to the last request was lost, what it sent may be stored.
      const { sent: last } = record;
      const isStored = last !== undefined && isSame(last, base.values);
      const stored = { ...base, savedTime: new Date(record.time).toISOString(), by: null };
      fill(form, record.values);
      reconcile(stored, { ...base.values, ...record.base, ...(isStored && last) });
      if (creation !== undefined) later(0);
    },
    /** Takes in what another tab has saved. */
    hear(stored: Stored): void {
      if (running === null && !isAsking && stored.version !== base.version) reconcile(stored, base.values);
    },
    /** Tries again at once. */
    hurry(): void {
      tries = 0;
      if (!isEmpty(sendable()) || creation !== undefined) void save();
    },
    /** Saves nothing more: the form is being sent. */
    leave(is: boolean): void {
      isLeaving = is;
      if (is) clearTimeout(timer);
    },
  };
}

/** Returns the member of the API that a field belongs to. */
const memberOf = (name: string): string =>
  ["seoTitle", "seoDescription", "canonicalUrl", "seoImage", "noindex"].includes(name) ? "seo" : name;
