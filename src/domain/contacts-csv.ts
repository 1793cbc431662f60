/** Parses contacts from CSV: exports of Ghost, Mailchimp or Substack, or any file with a column of email addresses. */
import { findColumns, parseCsv } from "../lib/csv.ts";
import { toIso } from "../lib/time.ts";

export type ContactRow = {
  readonly line: number;
  readonly email: string;
  readonly name: string;
  readonly locale: string;
  readonly state: "subscribed" | "unsubscribed" | undefined;
  readonly time: string | undefined;
  /** Why the line cannot be imported. */
  readonly refused: string | undefined;
};

/** Column names in lower case: of Ghost, Substack, Mailchimp, and the console's own download. */
const COLUMNS = {
  email: ["email", "email address", "e-mail", "e-mail address", "mail"],
  name: ["name", "full name", "full_name"],
  first: ["first name", "first_name", "firstname"],
  last: ["last name", "last_name", "lastname"],
  locale: ["locale", "language"],
  subscribed: ["subscribed_to_emails", "subscribed"],
  disabled: ["email_disabled"],
  status: ["status", "email marketing", "member_status"],
  created: ["created_at", "confirm_time", "optin_time", "created"],
  consented: ["consented"],
  unsubscribed: ["unsub_time", "unsubscribed"],
  cleaned: ["clean_time"],
  deleted: ["deleted_at"],
} as const;

type Cell = (name: keyof typeof COLUMNS) => string | undefined;

/** Without a header, the first column is the address and the second the name. Throws `CsvError`. */
export function parseContactRows(text: string): ContactRow[] {
  const rows = parseCsv(text);
  const [first] = rows;
  const header = (first && findColumns(first, COLUMNS, ["email"])) ?? null;
  const columns: Partial<Record<keyof typeof COLUMNS, number>> = header ?? { email: 0, name: 1 };
  return rows.slice(header === null ? 0 : 1).map(({ line, cells }) => {
    const cell: Cell = (name) => {
      const at = columns[name];
      return at === undefined ? undefined : (cells[at] ?? "");
    };
    const given = cell("name") || [cell("first"), cell("last")].filter(Boolean).join(" ");
    const email = removeApostrophe(cell("email") ?? "");
    const { state, time } = parseConsent(cell);
    const [name, locale, refused] = [removeApostrophe(given), cell("locale") ?? "", findProblem(cell, email)];
    return { line, email, name, locale, state, time, refused };
  });
}

function findProblem(cell: Cell, email: string): string | undefined {
  if (email === "") return "has no email address";
  if (cell("deleted")) return "was deleted where the file is from";
  return cell("cleaned") || cell("status")?.toLowerCase() === "cleaned" ? "emails to it came back" : undefined;
}

const YES = /^(?:true|yes|y|1|subscribed|active)$/i;
const NO = /^(?:false|no|n|0|unsubscribed|inactive)$/i;

/** Returns the consent of a line. Unreadable values count as no statement, contradictory ones as unsubscribed. */
function parseConsent(cell: Cell): Pick<ContactRow, "state" | "time"> {
  const [left, created] = [cell("unsubscribed") ?? "", parseTime(cell("consented") || cell("created"))];
  const said = [cell("subscribed"), cell("status")].filter((each) => each !== undefined);
  const isOver =
    said.some((each) => NO.test(each)) || YES.test(cell("disabled") ?? "") || (left !== "" && !NO.test(left));
  if (isOver) return { state: "unsubscribed", time: parseTime(left) };
  const isOn =
    said.some((each) => YES.test(each)) ||
    NO.test(cell("disabled") ?? "") ||
    parseTime(cell("consented")) !== undefined;
  return isOn ? { state: "subscribed", time: created } : { state: undefined, time: undefined };
}

/** Returns a time with milliseconds, in UTC if no zone is given; undefined if it is unreadable or in the future. */
function parseTime(text: string | undefined): string | undefined {
  const found = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|[+-]\d\d:?\d\d)?)?$/.exec(text ?? "");
  if (found === null) return undefined;
  const [, day, hour = "00:00", zone = "Z"] = found;
  const time = new Date(`${day}T${hour}${zone}`);
  return Number.isNaN(time.getTime()) || time.getTime() > Date.now() ? undefined : (toIso(time) ?? undefined);
}

/** Returns a line as input of the operation. `areSubscribed` applies to contacts without a statement in the file. */
export const toImportInput = ({ email, name, locale, state, time }: ContactRow, areSubscribed: boolean) => ({
  email,
  ...(name !== "" && { name }),
  ...(locale !== "" && { locale }),
  ...((state !== undefined || areSubscribed) && { state: state ?? ("subscribed" as const) }),
  ...(time !== undefined && { time }),
});

/** Removes the apostrophe that keeps spreadsheets from running a text as a formula (lib/csv.ts). */
const removeApostrophe = (value: string): string => value.replace(/^'(?=[=+\-@])/, "");
