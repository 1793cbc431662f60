/**
 * "Try it" sends an operation's request to this service and shows the answer. Credentials stay in this tab
 * (sessionStorage) and go only to this origin. The console's session is left out, as in a program's request.
 */
import { makeElement, makeButton } from "../../editor/dom.ts";

const SECRET = "edgepress-secret";

export function addTries(): void {
  for (const place of document.querySelectorAll<HTMLElement>(".try")) {
    const open = () => {
      const form = makeForm(place);
      place.replaceChildren(form);
      form.querySelector<HTMLElement>("input, textarea, button")?.focus();
    };
    place.replaceChildren(makeButton("Try it", open));
  }
}

type Given = { readonly method: string; readonly path: string; readonly caller: string };

function makeForm(place: HTMLElement): HTMLFormElement {
  const { method = "GET", path = "", caller = "key", query = "", words = "", body = "" } = place.dataset;
  const given = { method, path, caller };
  const samples = new URLSearchParams(words);
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const fields = [
    ...(caller === "nobody" ? [] : [secretField(caller)]),
    ...names.map((name) => field(name, { name: `path.${name}`, required: true })),
    ...query
      .split(" ")
      .filter(Boolean)
      .map((name) =>
        field(name, { name: `query.${name}`, value: isIdentifier(samples.get(name)) ? "" : (samples.get(name) ?? "") }),
      ),
    ...(body === "" ? [] : [field("Body", { name: "body", value: readable(body), isLong: true })]),
  ];
  const { form, told, submit } = newForm(fields, method === "GET" ? "Send" : `Send ${method} …`);
  let isConfirmed = method === "GET";
  form.addEventListener("input", () => {
    if (method === "GET") return;
    isConfirmed = false;
    submit.textContent = `Send ${method} …`;
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!isConfirmed) {
      isConfirmed = true;
      submit.textContent = `Yes, send ${method}`;
      told.replaceChildren(asked(given, new FormData(form)));
      return;
    }
    isConfirmed = method === "GET";
    submit.textContent = isConfirmed ? "Send" : `Send ${method} …`;
    submit.disabled = true;
    void send(given, new FormData(form))
      .then((shown) => told.replaceChildren(...shown))
      .finally(() => (submit.disabled = false));
  });
  return form;
}

/** Whether a sample is an identifier. It belongs to nobody, so readers fill in their own. */
const isIdentifier = (value: string | null): boolean => /^[0-9a-f-]{36}$/.test(value ?? "");

function secretField(caller: string): HTMLElement {
  const label = caller === "operator" ? "Access token (ept_…)" : "API key (epk_…), or blank for none";
  const shown = field(label, {
    name: "secret",
    value: rememberedSecret(),
    isSecret: true,
    required: caller === "operator",
  });
  shown.append(makeElement("small", {}, "Stays in this tab, and is only sent to this service."));
  return shown;
}

function asked({ method }: Given, data: FormData): HTMLElement {
  const whose = data.get("secret") === "" ? "" : " of your organization";
  return makeElement("p", { class: "asked" }, `${method} changes the data${whose} at ${location.host}. Send it?`);
}

async function send({ method, path, caller }: Given, data: FormData): Promise<HTMLElement[]> {
  const text = (name: string) => toText(data.get(name));
  const secret = text("secret").trim();
  // Headers cannot carry other characters, and no secret has them.
  if (/[^\x21-\x7e]/.test(secret)) return [line("The secret has characters that are not allowed.")];
  if (caller !== "nobody") rememberSecret(secret);
  const target = new URL(
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(text(`path.${name}`).trim())),
    location.origin,
  );
  for (const [name, value] of data) {
    if (name.startsWith("query.") && value !== "") target.searchParams.set(name.slice("query.".length), toText(value));
  }
  const body = data.has("body") ? text("body") : null;
  const headers = { ...authorization(secret), ...(body !== null && { "Content-Type": "application/json" }) };
  try {
    const response = await fetch(target, { method, body, credentials: "omit", headers });
    return [
      line(`${method} ${target.pathname}${target.search}`),
      line(`${response.status} ${response.statusText}`),
      pre(readable(await response.text())),
    ];
  } catch {
    return [line("No answer. The network or the service may be down.")];
  }
}

const toText = (value: FormDataEntryValue | null): string => (typeof value === "string" ? value : "");

function authorization(secret: string): Record<string, string> {
  if (secret === "") return {};
  return { Authorization: secret.startsWith("ept_") ? `Token ${secret}` : `Basic ${btoa(`${secret}:`)}` };
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const line = (text: string): HTMLElement => makeElement("p", {}, makeElement("code", {}, text));

// Where storage is forbidden, the credentials are those of one form.
function rememberedSecret(): string {
  try {
    return sessionStorage.getItem(SECRET) ?? "";
  } catch {
    return "";
  }
}

function rememberSecret(secret: string): void {
  try {
    sessionStorage.setItem(SECRET, secret);
  } catch {
    // Storage is forbidden.
  }
}

type Field = {
  readonly name: string;
  readonly value?: string;
  readonly required?: boolean;
  readonly isLong?: boolean;
  readonly isSecret?: boolean;
};

function field(
  label: string,
  { name, value = "", required = false, isLong = false, isSecret = false }: Field,
): HTMLElement {
  const control = makeElement(isLong ? "textarea" : "input", {
    name,
    required,
    class: isLong ? "mono" : null,
    type: isSecret ? "password" : null,
    rows: isLong ? Math.min(14, value.split("\n").length + 1) : null,
    autocomplete: "off",
    spellcheck: "false",
  });
  control.value = value;
  return makeElement("label", {}, label, control);
}

/** Returns a form with a button and, below it, a place that screen readers announce. */
function newForm(fields: readonly HTMLElement[], button: string) {
  const submit = makeElement("button", {}, button);
  const told = makeElement("div", { role: "status" });
  return { form: makeElement("form", {}, ...fields, submit, told), submit, told };
}

/** Returns a block of text that can be scrolled by keyboard. */
const pre = (text: string): HTMLPreElement => makeElement("pre", { tabindex: 0 }, text);
