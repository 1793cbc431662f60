/** The result of a handler. It becomes a Response once, at the end, because changing workerd's Headers is slow. */
export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

/** Creates a reply with a JSON body. */
export function jsonReply(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(value) };
}

/** Creates a 200 reply with an HTML page. */
export function htmlReply(text: string, headers: Readonly<Record<string, string>>): Reply {
  return { status: 200, headers: { "Content-Type": "text/html; charset=UTF-8", ...headers }, body: text };
}
