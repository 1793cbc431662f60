/** Toolbars: one tab stop each, with arrow keys to move through the buttons. */
import { makeElement, makeIcon, formatKeys } from "./dom.ts";

export type Button = {
  readonly name: string;
  readonly icon: string;
  readonly keys?: string | undefined;
  readonly begins?: true | undefined;
  /** Whether it is shown only while "More tools" is expanded. */
  readonly isMore?: true | undefined;
  readonly run: () => void;
  /** Undefined for a button without a state. */
  readonly isPressed?: (() => boolean) | undefined;
  readonly isEnabled?: (() => boolean) | undefined;
  readonly isExpanded?: () => boolean;
};

export type Toolbar = { readonly root: HTMLElement; readonly update: () => void };

export function makeToolbar(label: string, buttons: readonly Button[], controls: string): Toolbar {
  const made = buttons.map((button) => ({ button, shown: show(button, () => update()) }));
  const root = makeElement(
    "div",
    { role: "toolbar", "aria-label": label, "aria-controls": controls, class: "rich-tools" },
    ...made.map(({ shown }) => shown),
  );
  const shownButtons = made.map(({ shown }) => shown);
  rove(root, shownButtons);
  const update = () => {
    const isExpanded = buttons.some((button) => button.isExpanded?.());
    for (const { button, shown } of made) {
      shown.hidden = button.isMore === true && !isExpanded;
      if (button.isExpanded) shown.setAttribute("aria-expanded", String(isExpanded));
      // Not `disabled`: a button would lose the focus.
      if (button.isEnabled) shown.setAttribute("aria-disabled", String(!button.isEnabled()));
      if (button.isPressed) shown.setAttribute("aria-pressed", String(button.isPressed()));
    }
    keepTabStop(shownButtons);
  };
  return { root, update };
}

function show({ name, icon: picture, keys, begins, run }: Button, update: () => void): HTMLButtonElement {
  const title = keys === undefined ? name : `${name} (${formatKeys(keys)})`;
  const button = makeElement(
    "button",
    { type: "button", title, "aria-label": name, tabindex: -1, class: begins ? "begins" : null },
    makeIcon(picture),
  );
  // The text keeps the focus and the selection when a button is clicked.
  button.addEventListener("mousedown", (event) => event.preventDefault());
  button.addEventListener("click", () => {
    if (button.getAttribute("aria-disabled") === "true") return;
    run();
    update();
  });
  return button;
}

/** Lets Tab reach one of the buttons, also when the one before is hidden. */
function keepTabStop(buttons: readonly HTMLButtonElement[]): void {
  const stop = buttons.find((button) => button.tabIndex === 0);
  if (stop !== undefined && !stop.hidden) return;
  if (stop !== undefined) stop.tabIndex = -1;
  const first = buttons.find((button) => !button.hidden);
  if (first !== undefined) first.tabIndex = 0;
}

/** Moves the focus by the arrow keys, Home and End (ARIA Authoring Practices, "Toolbar"). */
function rove(root: HTMLElement, buttons: readonly HTMLButtonElement[]): void {
  root.addEventListener("keydown", (event) => {
    const shown = buttons.filter((button) => !button.hidden);
    const at = shown.indexOf(event.target as HTMLButtonElement);
    const last = shown.length - 1;
    const to = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at <= 0 ? last : at - 1, Home: 0, End: last }[
      event.key
    ];
    if (at === -1 || to === undefined) return;
    event.preventDefault();
    shown[to]?.focus();
  });
  root.addEventListener("focusin", (event) => {
    for (const button of buttons) button.tabIndex = button === event.target ? 0 : -1;
  });
}
