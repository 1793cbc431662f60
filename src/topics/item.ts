/** What a source gave: plain text only, whatever it was marked up with. */

export type SourceItem = {
  /** Absolute, http or https. For forums the discussion itself, or the page that it is about. */
  readonly url: string;
  /** One line, not empty, at most LIMITS.title characters. */
  readonly title: string;
  /** At most LIMITS.topicSummary characters; "" where there is none. */
  readonly summary: string;
  /** When it was published, RFC 3339 in UTC with milliseconds, never in the future; null where that is unknown. */
  readonly time: string | null;
  /** Votes and comments; 0 where the source knows none. */
  readonly engagement: number;
  /** The source's own tags and categories, lower case, without repetition. */
  readonly keywords: readonly string[];
  /** The language that the source declares, a canonical BCP 47 tag; null where it declares none. */
  readonly locale: string | null;
};

/** What the server gave for a conditional request (RFC 9110, 13.1). */
export type Validators = { readonly etag: string | null; readonly lastModified: string | null };

export type ReadFailure =
  /** The address, or one that it redirects to, is not allowed. */
  | "target"
  | "timeout"
  | "connection"
  /** An unsuccessful status. */
  | "status"
  | "too_many_redirects"
  | "too_large"
  /** It is not a feed, or not a valid response of the forum's API. */
  | "unreadable";

export type Reading =
  | {
      readonly kind: "read";
      /** What the source calls itself. */
      readonly name: string;
      /** In the source's order, at most LIMITS.sourceItems. */
      readonly items: readonly SourceItem[];
      /** Items that were left out, counted by reason, such as "has no title". */
      readonly refused: Readonly<Record<string, number>>;
      readonly validators: Validators;
    }
  | { readonly kind: "unchanged" }
  /** `detail` is a sentence for the person who chose the source. */
  | { readonly kind: "failed"; readonly reason: ReadFailure; readonly detail: string };
