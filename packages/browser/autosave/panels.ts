/** The panels above the editor: unsaved text, and conflicting changes. */
import { LABELS } from "../../../src/surfaces/console/articles/field-labels.ts";
import { makeElement, makeButton } from "../../editor/dom.ts";
import { pickChanged, type Values } from "./fields.ts";
import { canKeepBoth, type Choice, type Overlap } from "./merge.ts";

const side = (head: string, text: string): HTMLElement =>
  makeElement(
    "div",
    {},
    makeElement("dt", {}, head),
    makeElement("dd", { tabindex: 0 }, text === "" ? makeElement("em", {}, "Empty") : text),
  );

const sides = (heads: readonly [string, string], texts: readonly [string, string]): HTMLElement =>
  makeElement("dl", { class: "compared" }, side(heads[0], texts[0]), side(heads[1], texts[1]));

/** Closes a panel and moves the focus to the next question, or to the text. */
function close(panel: HTMLElement, work: () => void): void {
  panel.remove();
  work();
  const next = document.querySelector<HTMLElement>("#changed-twice");
  (next ?? document.querySelector<HTMLElement>(".rich")?.editor ?? document.getElementById("content"))?.focus();
}

export type Offer = {
  readonly when: string;
  readonly kept: Values;
  readonly getValues: () => Values;
  readonly restore: () => void;
  readonly discard: () => void;
};

export function showOffer(place: HTMLElement, { when, kept, getValues, restore, discard }: Offer): void {
  const panel = makeElement("section", { class: "alert warn kept", "aria-label": "Unsaved text" });
  const compared = makeElement("div", { hidden: true });
  const comparison = (now: Values) =>
    Object.entries(pickChanged(kept, now)).flatMap(([name, text]) => [
      makeElement("h3", {}, LABELS[name] ?? name),
      sides(["In the editor", "Unsaved"], [now[name] ?? "", text]),
    ]);
  const compare = makeButton("Compare", () => {
    compared.hidden = !compared.hidden;
    compared.replaceChildren(...comparison(getValues()));
    compare.setAttribute("aria-expanded", String(!compared.hidden));
  });
  compare.setAttribute("aria-expanded", "false");
  const ending = (work: () => void) => () => close(panel, work);
  panel.append(
    makeElement("p", {}, makeElement("strong", {}, `Unsaved text from ${when}`), " is still in this browser."),
    makeElement(
      "div",
      { class: "row" },
      makeButton("Restore", ending(restore), ""),
      compare,
      makeButton("Discard", ending(discard)),
    ),
    compared,
  );
  place.append(panel);
}

/** The names of the two sides of an overlap, and of the choices. */
export type Sides = {
  /** For the form, such as "Yours". */
  readonly mine: string;
  /** For the other version, such as "Saved by Ana". */
  readonly other: string;
  readonly keepMine: string;
  readonly keepOther: string;
};

export type Question = {
  readonly sides: Sides;
  readonly overlaps: readonly Overlap[];
  readonly choose: (choices: Choice[]) => void;
};

export function showQuestion(place: HTMLElement, { sides: heads, overlaps, choose }: Question): void {
  const panel = makeElement("section", {
    class: "alert warn conflict",
    id: "changed-twice",
    tabindex: -1,
    "aria-label": "Conflicting changes",
  });
  const sets = overlaps.map((overlap, index) => makeChoice(overlap, heads, index));
  const finish = () => close(panel, () => choose(sets.map(({ chosen }) => chosen())));
  const done = makeButton("Continue", finish, "");
  const update = () => (done.disabled = sets.some(({ isChosen }) => !isChosen()));
  panel.addEventListener("change", update);
  update();
  panel.append(
    makeElement(
      "p",
      {},
      makeElement("strong", {}, "You and somebody else changed the same text."),
      " Choose what to keep. All other changes are merged. Until then, your text is kept in this browser.",
    ),
    ...sets.map(({ field }) => field),
    done,
  );
  place.append(panel);
}

/** Returns radio buttons for an overlap. They belong to no form, so that they are not submitted. */
function makeChoice(overlap: Overlap, heads: Sides, index: number) {
  const { label, mine, theirs } = overlap;
  const choices: readonly { readonly choice: Choice; readonly text: string }[] = [
    { choice: "mine", text: heads.keepMine },
    { choice: "theirs", text: heads.keepOther },
    ...(canKeepBoth(overlap) ? [{ choice: "both" as const, text: "Keep both" }] : []),
  ];
  const radios = choices.map(({ choice, text }) => {
    const input = makeElement("input", { type: "radio", name: `overlap-${index}`, value: choice, form: "" });
    return { input, label: makeElement("label", { class: "check" }, input, makeElement("span", {}, text)) };
  });
  const chosen = () => radios.find(({ input }) => input.checked)?.input.value as Choice | undefined;
  const field = makeElement(
    "fieldset",
    { class: "overlap" },
    makeElement("legend", {}, label),
    sides([heads.mine, heads.other], [mine.join("\n"), theirs.join("\n")]),
    makeElement("div", { class: "row" }, ...radios.map((each) => each.label)),
  );
  return { field, isChosen: () => chosen() !== undefined, chosen: () => chosen() ?? "mine" };
}
