/** Shows times in the reader's time zone and language. Without this script, they are in UTC. */

const MINUTE_MS = 60_000;
/** Older times are not shown as "2 minutes ago". */
const RECENT_MINUTES = 60;

const { language } = navigator;
const local = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });

function wordsFor(element: HTMLTimeElement): string {
  const time = new Date(element.dateTime);
  const minutes = Math.round((Date.now() - time.getTime()) / MINUTE_MS);
  const isRecent = element.dataset["local"] === "ago" && minutes >= 0 && minutes < RECENT_MINUTES;
  return isRecent ? relative.format(-minutes, "minute") : local.format(time);
}

function show(elements: Iterable<HTMLTimeElement>): void {
  for (const element of elements) {
    const words = wordsFor(element);
    if (element.textContent !== words) element.textContent = words;
  }
}

export function localizeTimes(): void {
  const times = document.querySelectorAll<HTMLTimeElement>("time[data-local]");
  for (const element of times) {
    element.title = `${element.dateTime.replace("T", " ").replace("Z", "")} UTC`;
    element.lang = language;
  }
  show(times);
  for (const note of document.querySelectorAll<HTMLElement>("[data-utc]")) note.hidden = true;
  const kept = document.querySelectorAll<HTMLTimeElement>("time[data-local=ago]");
  if (kept.length > 0) setInterval(() => show(kept), MINUTE_MS / 2);
}
