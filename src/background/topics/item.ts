/** The result of reading a source. All texts are plain text, whatever the format of the source. */

export type SourceItem = {
  /** Absolute, http or https. For forums the page that a discussion is about, or the discussion itself. */
  readonly url: string;
  /** One line, not empty, at most LIMITS.title characters. */
  readonly title: string;
  /** At most LIMITS.topicSummary characters; "" if there is none. */
  readonly summary: string;
  /** The time of publication in RFC 3339, UTC with milliseconds, never in the future; null if it is unknown. */
  readonly time: string | null;
  /** The number of votes and comments; 0 if the source does not report them. */
  readonly engagement: number;
  /** The tags and categories of the source, in lower case, without duplicates. */
  readonly keywords: readonly string[];
  /** The language that the source declares, as a canonical BCP 47 tag; null if it declares none. */
  readonly locale: string | null;
};

/** Response headers that make the next request conditional (RFC 9110, 13.1). */
export type Validators = { readonly etag: string | null; readonly lastModified: string | null };

export type ReadFailure =
  /** The address, or one that it redirects to, is not allowed. */
  | "target"
  | "timeout"
  | "connection"
  /** The status is neither a success nor a valid 304. */
  | "status"
  | "too_many_redirects"
  | "too_large"
  /** The response is not a feed, or not valid for the forum's API. */
  | "unreadable";

export type Reading =
  | {
      readonly kind: "read";
      /** The name that the source gives itself. */
      readonly name: string;
      /** In the order of the source, at most LIMITS.sourceItems. */
      readonly items: readonly SourceItem[];
      /** The number of items that were left out, by reason, such as "has no title". */
      readonly refused: Readonly<Record<string, number>>;
      readonly validators: Validators;
      /** For how many seconds the forum asks for no further request; null if it does not. */
      readonly waitSeconds: number | null;
    }
  | { readonly kind: "unchanged" }
  /** `detail` is a sentence for the person who chose the source. */
  | { readonly kind: "failed"; readonly reason: ReadFailure; readonly detail: string; readonly waitSeconds?: number };
