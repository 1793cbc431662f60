/** Shows the state of saving: always visible, but announced only when it matters. */
import { makeElement } from "../../editor/dom.ts";
import type { Stored } from "./request.ts";
import { capitalize } from "../../../src/lib/text.ts";

export type State = {
  readonly text: string;
  /** Whether the text is at risk. Announced, as is the first state after it. */
  readonly isTrouble?: boolean;
  /** A link after the text. A link to another page opens in a new tab. */
  readonly link?: { readonly text: string; readonly href: string };
};

export type Show = (state: State) => void;

export function addStatus(place: HTMLElement): Show {
  const shown = makeElement("p", { class: "autosave-state" });
  const spoken = makeElement("p", { class: "unseen", "aria-live": "polite" });
  place.append(shown, spoken);
  let wasTrouble = false;
  return ({ text, isTrouble = false, link }) => {
    shown.textContent = text;
    shown.classList.toggle("trouble", isTrouble);
    if (link) {
      const tab = link.href.startsWith("#") ? {} : { target: "_blank", rel: "noopener" };
      shown.append(" ", makeElement("a", { href: link.href, ...tab }, link.text));
    }
    const isSettled = text.startsWith("Saved");
    if ((isTrouble || (wasTrouble && isSettled)) && spoken.textContent !== text) spoken.textContent = text;
    if (isTrouble || isSettled) wasTrouble = isTrouble;
  };
}

/** Returns a local time such as "10:42"; with the day, if it is not today. */
export function formatTime(time: number | string): string {
  const at = new Date(time);
  const isToday = at.toDateString() === new Date().toDateString();
  const minute = { hour: "2-digit", minute: "2-digit" } as const;
  return isToday
    ? at.toLocaleTimeString([], minute)
    : at.toLocaleString([], { day: "numeric", month: "short", ...minute });
}

/** Says that all is saved; for a published article, that readers do not see it yet. */
export const describeSaved = (time: string | undefined, isPublic: boolean | undefined): string =>
  `Saved${time === undefined ? "" : ` ${formatTime(time)}`}${isPublic ? " as unpublished changes" : ""}`;

function ago(time: string): string {
  const minutes = Math.floor((Date.now() - Date.parse(time)) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return minutes === 1 ? "a minute ago" : `${minutes} minutes ago`;
  return `at ${formatTime(time)}`;
}

/** Says who saved the article meanwhile, such as "Ana is editing. Saved by Ana 2 minutes ago". */
export function describeEditing({ by, savedTime }: Pick<Stored, "by" | "savedTime">): string {
  if (by === null) return `Saved by somebody ${ago(savedTime)}`;
  return by.startsWith("you")
    ? `Saved by ${by} ${ago(savedTime)}`
    : `${capitalize(by)} is editing. Saved by ${by} ${ago(savedTime)}`;
}
