/** Decides whether an imported article is public, and since when. It only trusts what it understands. */
import { LIMITS } from "../../src/domain/limits.ts";
import { parseDate } from "../../src/lib/dates.ts";
import type { Article } from "./article.ts";
import { UNCHOSEN } from "./choices.ts";
import { toExtras, type SaidExtras } from "./extras.ts";
import { foldName } from "./front-matter.ts";
import type { Remarks } from "./remarks.ts";
import type { Wishes } from "./source.ts";

export type Visibility = {
  /** All fields. Only those matter that concern who may see the article. */
  readonly fields: Iterable<readonly [name: string, value: string]>;
  readonly doubts: readonly string[];
  /** Whether public articles usually have no date in this source. */
  readonly mayLackDate: boolean;
  /** Whether an article is public if no field says so. */
  readonly isShown?: boolean;
};

/**
 * Returns the members of an article that depend on its publication, and its other extras. It stays a draft, with a
 * note of the reason, unless its source clearly says that it is public. With a date in the future, it becomes a
 * scheduled draft.
 */
export function decidePublication(
  said: Visibility,
  extras: SaidExtras,
  { publication }: Wishes,
  remarks: Remarks,
): Pick<Article, "published" | "scheduledTime" | "extras"> {
  const text = NO_DATE.test(extras.time ?? "") ? "" : (extras.time ?? "");
  const time = parseDate(text);
  const { isSaid, doubts } = judgeFields(said, time);
  const isPublished = isSaid ?? (publication === "publish" || said.isShown === true);
  const isWanted = isPublished && publication !== "drafts";
  if (time === undefined && text !== "") doubts.push(`its date "${truncate(text)}" cannot be read`);
  else if (isWanted && time === undefined && !said.mayLackDate) doubts.push("it has no date");
  else if (isWanted && isTooLate(time)) doubts.push(`its date is more than ${LIMITS.scheduleYears} years ahead`);
  const published = isWanted && doubts.length === 0;
  if (doubts.length > 0) {
    remarks.note("articles that stay drafts, each for the reason given", `stays a draft: ${doubts.join("; ")}`);
  } else if (isSaid === undefined && !isPublished && publication === "source") remarks.count(UNCHOSEN.publication);
  if (time === undefined || !isAhead(text)) return { published, extras: toExtras({ ...extras, time: text }, remarks) };
  if (published) remarks.count("articles whose date is in the future, imported as drafts and scheduled for it");
  else remarks.add("drafts whose date is in the future, not scheduled");
  const scheduledTime = published ? new Date(time).toISOString() : undefined;
  return { published: false, scheduledTime, extras: toExtras({ ...extras, time: undefined }, remarks) };
}

/** What programs write if there is no date: databases zeros, Go its first day. */
const NO_DATE = /^(?:0000-|0001-01-01)/;

const isAhead = (text: string): boolean => (parseDate(text) ?? 0) > Date.now();

function isTooLate(time = 0): boolean {
  const latest = new Date();
  latest.setUTCFullYear(latest.getUTCFullYear() + LIMITS.scheduleYears);
  return time > latest.getTime();
}

function judgeFields({ fields, doubts }: Visibility, time = 0) {
  const known = [...fields].filter(([name]) => isVisibilityField(name));
  const verdicts = known.map(([name, value]) => judgeField(normalizeName(name), value, time > Date.now()));
  const [isPublished, isDraft] = [verdicts.includes("published"), verdicts.includes("draft")];
  return {
    isSaid: isDraft ? false : isPublished || undefined,
    doubts: [
      ...doubts,
      ...known.filter((_, at) => verdicts[at] === "closed").map((field) => `it says "${showField(...field)}"`),
      ...(isDraft && isPublished ? ["it says that it is published, and that it is a draft"] : []),
    ],
  };
}

/** `open` changes nothing; `closed` means that not everybody may see the article. */
type Verdict = "published" | "draft" | "open" | "closed";

function judgeField(name: string, value: string, isToCome: boolean): Verdict {
  const word = normalizeWord(value);
  // In some themes, `published` is the date of publication.
  if (name === "published" && parseDate(value) !== undefined) return "open";
  if (name === "permalink") return word === "no" ? "closed" : "open";
  if (EXPIRY.has(name)) return isAhead(value) || NO_DATE.test(value) ? "open" : "closed";
  if (isToCome && /^status (?:future|scheduled)$/.test(`${name} ${word}`)) return "published";
  return VERDICTS.get(`${name} ${word}`) ?? "closed";
}

/** The known meanings. Anything else in these fields counts as closed. */
const MEANINGS = {
  published: ["published yes", "publish yes", "draft no", "status publish", "status published"],
  draft: ["published no", "publish no", "draft yes", "status draft"],
  open: [
    "private no,hidden no,unlisted no,wip no,headless no,expired no,unpublished no,password ,visibility public,public yes",
    "listed yes,render yes,build.render always,build.render yes,build.list always,build.list yes",
  ].flatMap((says) => says.split(",")),
} as const;
const VERDICTS = new Map<string, Verdict>(
  (["published", "draft", "open"] as const).flatMap((verdict) => MEANINGS[verdict].map((says) => [says, verdict])),
);
const EXPIRY = new Set(["expirydate", "expires", "unpublishdate"]);

const NAMES = new Set([...[...VERDICTS.keys()].map((says) => says.split(" ", 1)[0]), ...EXPIRY, "permalink"]);

/** Names that may concern visibility. They count as closed, because their meaning is unknown. */
const MAY_SAY =
  /draft|publish|status|visib|private|hidden|listed|wip|access(?!ib)|encrypt|member|passw|paywall|premium|protect|restrict|secret|entwurf|brouillon|borrador|bozza|rascunho|下書き|草稿|公開|초안/;
const IS_OTHER = /date|time|publisher|(?:at|by|in|on)$/;

/** Returns whether a field may say who can see an article. */
export function isVisibilityField(name: string): boolean {
  const known = normalizeName(name);
  return NAMES.has(known) || (MAY_SAY.test(known) && !IS_OTHER.test(known));
}

/** Hugo's themes keep their fields in `params`, Zola's in `extra`; Obsidian's gardens have `dg-publish`. */
const normalizeName = (name: string): string =>
  foldName(name)
    .replace(/^(?:params|extra)\./, "")
    .replace(/^(?:is|post|dg)/, "")
    .replace(/^state$/, "status");

function normalizeWord(value: string): string {
  const word = value.trim().toLowerCase();
  if (/^(?:true|yes|on|y|1)$/.test(word)) return "yes";
  return /^(?:false|no|off|n|0)$/.test(word) ? "no" : word;
}

const truncate = (text: string): string => text.slice(0, 60);
const showField = (name: string, value: string): string =>
  `${truncate(name)}: ${normalizeName(name) === "password" ? "…" : truncate(value)}`.trim();
