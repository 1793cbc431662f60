/** What a handler answers, before it is made a response once: workerd's Headers are slow to change. */
export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

/** A reply with a JSON body. */
export function jsonReply(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(value) };
}

/** A reply with a page. */
export function htmlReply(text: string, headers: Readonly<Record<string, string>>): Reply {
  return { status: 200, headers: { "Content-Type": "text/html; charset=UTF-8", ...headers }, body: text };
}
