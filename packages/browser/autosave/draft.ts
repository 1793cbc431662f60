/** The article in the editor's form: what is stored, what is not, and the requests that store the rest. */
import { toFormErrors } from "../../../src/surfaces/console/articles/field-errors.ts";
import { LABELS } from "../../../src/surfaces/console/articles/field-labels.ts";
import {
  pickChanged,
  findField,
  fillFields,
  isSame,
  mark,
  buildRequest,
  setHidden,
  unmark,
  readValues,
  type Values,
} from "./fields.ts";
import { lockKey, removeKept, writeKept, type Creation } from "./kept.ts";
import { merge, resolveOverlaps } from "./merge.ts";
import type { FieldErrors, Stored } from "./request.ts";

/** Unsaved text is written to the browser's storage at most this often, in milliseconds. */
const KEEP_MS = 300;

/** Fields that are not saved while somebody types in them: half a name is another name. */
const NAMES = new Set(["tags", "authors", "slug"]);

/** Fields that the service fills in if they are empty. */
const FILLED_IN = ["slug", "locale", "tags", "authors"];

const MOST_SENT = 4;

type DraftOptions = {
  readonly form: HTMLFormElement;
  /** "" for an article that does not exist yet. */
  readonly id: string;
  readonly person: string;
  readonly base: Base;
  /** Returns the key under which this page keeps an article's unsaved text in the browser. */
  readonly makeKey: (id: string) => string;
};

/** What is stored, as far as this page knows. */
type Base = Pick<Stored, "version" | "values" | "published">;

type Answered = Pick<Stored, "version" | "published"> & { readonly slug?: string | undefined };

/** A value that the service refused, and why. `value` is undefined for a field that the form does not have. */
type Refusal = { readonly value: string | undefined; readonly why: string };

export const isEmpty = (values: Values): boolean => Object.keys(values).length === 0;

export class Draft {
  readonly form: HTMLFormElement;
  id: string;
  base: Base;
  /** The request that creates the draft, until it is answered. */
  creation: Creation | undefined;
  /** The changes of requests whose answer was lost, oldest first. Any of them may be stored. */
  sent: readonly Values[] = [];
  /** Whether the user chose to delete unsaved text from the browser. */
  isForgotten = false;
  isAskedFor = false;
  /** Fields that the service refused. They are sent again once they change. */
  #refused: Readonly<Record<string, Refusal>> = {};
  #keeping: ReturnType<typeof setTimeout> | undefined;
  #key: string;
  readonly #person: string;
  readonly #keyOf: DraftOptions["makeKey"];

  constructor({ form, id, person, base, makeKey }: DraftOptions) {
    this.form = form;
    this.id = id;
    this.base = base;
    this.#person = person;
    this.#keyOf = makeKey;
    this.#key = makeKey(id);
    lockKey(this.#key);
  }

  /** Removes the error at a field that has its stored value again. */
  changed(name: string): void {
    if (findField(this.form, name)?.value === this.base.values[name]) unmark(this.form, name);
  }

  changes(): Values {
    return pickChanged(readValues(this.form), this.base.values);
  }

  /** Returns the changes that the service has not refused. */
  sendable(): Values {
    // Not `?? ""`: a field that was emptied has to be sent, too.
    return Object.fromEntries(
      Object.entries(this.changes()).filter(([name, value]) => value !== this.#refused[name]?.value),
    );
  }

  /** Returns the changes to send while somebody types: for a draft, without names that are still being typed. */
  finished(): Values {
    const isOpen = (name: string) =>
      NAMES.has(name) && findField(this.form, name)?.closest(".field")?.contains(document.activeElement);
    const all = Object.entries(this.sendable());
    return Object.fromEntries(this.isAskedFor || this.base.published ? all : all.filter(([name]) => !isOpen(name)));
  }

  isSaved(): boolean {
    return isEmpty(this.changes()) && this.creation === undefined;
  }

  isUnsent(): boolean {
    return !isEmpty(this.sendable()) || this.creation !== undefined;
  }

  /** Whether it is worth saving. A new article needs content or a finished title, because the slug is made from it. */
  isWorthSaving(): boolean {
    const { title = "", content = "" } = readValues(this.form);
    if (this.id !== "" || this.creation !== undefined || content.trim() !== "") return true;
    return title.trim() !== "" && (this.isAskedFor || !this.#isTyped("title"));
  }

  #isTyped(name: string): boolean {
    return document.activeElement === findField(this.form, name);
  }

  keepSoon(): void {
    this.#keeping ??= setTimeout(() => this.keep(), KEEP_MS);
  }

  /** Keeps unsaved changes in the browser. Returns a sentence for the status; "" if all is saved. */
  keep(): string {
    clearTimeout(this.#keeping);
    this.#keeping = undefined;
    const { creation, sent } = this;
    if (this.isSaved() || this.isForgotten) {
      removeKept(this.#key);
      return "";
    }
    const values = this.changes();
    const base = Object.fromEntries(Object.keys(values).map((name) => [name, this.base.values[name] ?? ""]));
    const record = { page: location.pathname, time: Date.now(), base, values, sent, creation };
    // A long text may still fit without `sent`.
    const isKept = writeKept(this.#key, record) || writeKept(this.#key, { ...record, sent: [] });
    return isKept ? "Your text is kept in this browser." : "Your text is not kept in this browser either. Copy it.";
  }

  /** Notes that the answer to a request with these changes was lost. */
  lost(now: Values): void {
    const text = JSON.stringify(now);
    this.sent = [...this.sent.filter((each) => JSON.stringify(each) !== text), now].slice(-MOST_SENT);
  }

  /** Returns which of our unanswered changes led to what is stored (`theirs`); undefined if somebody else saved it. */
  ownIn(theirs: Values, now: Values): Values | undefined {
    return [now, ...this.sent].find((sent) => isSame({ ...this.base.values, ...sent }, theirs));
  }

  request(now: Values): { readonly path: string; readonly fields: URLSearchParams } {
    if (this.id === "") return { path: "/console/articles/new/autosave", fields: this.#creating() };
    // Needs no Idempotency-Key: a repeated save names an old version and is refused.
    const fields = this.#owned(buildRequest(now, this.base.values));
    fields.set("version", this.base.version);
    if (this.#followsTitle(now)) fields.set("slugOfTitle", "yes");
    return { path: `/console/articles/${this.id}/autosave`, fields };
  }

  /** Returns the fields that create the draft. They stay the same until answered: their key creates only one. */
  #creating(): URLSearchParams {
    if (this.creation === undefined) {
      const all = { ...readValues(this.form), blogId: findField(this.form, "blogId")?.value ?? "" };
      const fields = this.#owned(buildRequest(all, this.base.values)).toString();
      this.creation = { key: crypto.randomUUID(), fields };
      this.keep();
    }
    const fields = new URLSearchParams(this.creation.fields);
    fields.set("_key", this.creation.key);
    return fields;
  }

  #owned(fields: URLSearchParams): URLSearchParams {
    fields.set("_organization", findField(this.form, "_organization")?.value ?? "");
    fields.set("_person", this.#person);
    return fields;
  }

  /** Whether the service should make a new slug from the title, because the slug is still `untitled` or the like. */
  #followsTitle(now: Values): boolean {
    const isUntitled = /^untitled(-\d+)?$/.test(this.base.values["slug"] ?? "");
    return isUntitled && "title" in now && !("slug" in now) && !this.#isTyped("title");
  }

  get complaint(): string {
    const reasons = Object.values(this.#refused).map(({ why }) => why);
    return reasons.join("; ");
  }

  #stillRefused(): Readonly<Record<string, Refusal>> {
    const changes = this.changes();
    return Object.fromEntries(Object.entries(this.#refused).filter(([name, { value }]) => changes[name] === value));
  }

  storedAs({ version, published, slug }: Answered, now: Values): void {
    this.know({ version, published, values: { ...this.base.values, ...now, ...(slug !== undefined && { slug }) } });
    for (const name of Object.keys(now)) unmark(this.form, name);
    this.#refused = this.#stillRefused();
    if (slug !== undefined) fillFields(this.form, { slug });
  }

  /** Notes what is stored, also in the form's hidden fields, so that its buttons save over that version. */
  know(base: Base): void {
    this.base = base;
    setHidden(this.form, "version", base.version);
    for (const name of ["tags", "authors"]) setHidden(this.form, `${name}Before`, base.values[name] ?? "");
  }

  /** Turns the page of a new article into the page of the draft that was created. */
  become(created: Stored & { readonly id: string }): void {
    const { form } = this;
    const began = new URLSearchParams(this.creation?.fields);
    for (const name of began.keys()) unmark(form, name);
    this.creation = undefined;
    this.#refused = {};
    this.id = created.id;
    removeKept(this.#key);
    this.#key = this.#keyOf(this.id);
    lockKey(this.#key);
    this.know(created);
    // The service has filled in what was left empty: a translation has the slug, tags and authors of the others.
    const sent = Object.fromEntries(FILLED_IN.map((name) => [name, began.get(name) ?? ""]));
    const mine = Object.fromEntries(FILLED_IN.map((name) => [name, findField(form, name)?.value ?? ""]));
    fillFields(form, resolveOverlaps(merge(sent, mine, created.values)));
    form.action = `/console/articles/${this.id}`;
    setHidden(form, "_id", this.id);
    setHidden(form, "live", created.version);
    const blog = findField(form, "blogId");
    if (blog !== null) blog.disabled = true;
    history.replaceState(null, "", form.action);
  }

  /** Continues a creation that was begun on another page. */
  resume(creation: Creation): void {
    this.creation = creation;
    const blog = findField(this.form, "blogId");
    if (blog !== null) blog.value = new URLSearchParams(creation.fields).get("blogId") ?? blog.value;
  }

  /** Marks the fields that the service refused and leaves them out. Returns whether there are others to save. */
  refuse(errors: FieldErrors, now: Values): boolean {
    const told = toFormErrors(errors, (name) => findField(this.form, name)?.value ?? "");
    const refused = { ...this.#stillRefused() };
    for (const name of new Set(told.map(({ path }) => path))) {
      const messages = told.flatMap(({ path, message }) => (path === name ? [message] : []));
      mark(this.form, name, messages.join(" "));
      const why = messages.map((message) => `${LABELS[name] ?? name} ${message}`).join("; ");
      refused[name] = { value: now[name] ?? refused[name]?.value, why };
    }
    this.#refused = refused;
    // The draft was not created, so a corrected one is a new creation.
    this.creation = undefined;
    return this.id !== "" && told.some(({ path }) => path in now) && !isEmpty(this.sendable());
  }
}
