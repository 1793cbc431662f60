/** Asks the service for AI help and reads its stream of events. */
import { getBlogId, getLocale, getValue } from "./page.ts";

export type Suggestion = { readonly value: string; readonly picture: string | null; readonly known: boolean };

/** The answer of `articles.assist` (src/operations/generation/assist.ts). */
export type Answer = {
  readonly text: string | null;
  readonly suggestions: readonly Suggestion[];
  readonly warnings: readonly string[];
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cost: number | null;
};

type Asked = { readonly task: string; readonly text: string } & Readonly<Record<string, string>>;

type Following = { readonly signal: AbortSignal; readonly onText?: (text: string) => void };

/** Returns the answer. `onText` is called with the text so far. Throws an error whose message can be shown to people. */
export async function ask(asked: Asked, { signal, onText }: Following): Promise<Answer> {
  const form = {
    _organization: getValue("_organization"),
    blogId: getBlogId(),
    locale: getLocale(),
    title: getValue("title").trim(),
    ...asked,
  };
  const response = await fetch("/console/articles/assist", {
    method: "POST",
    headers: { Accept: "text/event-stream" },
    body: new URLSearchParams(form),
    signal,
  }).catch(() => {
    throw new Error("The service does not answer. Try again.");
  });
  const type = response.headers.get("Content-Type") ?? "";
  if (!type.startsWith("text/event-stream") || response.body === null) throw await readRefusal(response);
  let text = "";
  for await (const { event, data } of readEvents(response.body)) {
    if (event === "result") return JSON.parse(data) as Answer;
    if (event === "error") throw new Error((JSON.parse(data) as { detail: string }).detail);
    const step = JSON.parse(data) as { step: string; from?: number; text?: string };
    if (step.step !== "text") continue;
    text = text.slice(0, step.from) + (step.text ?? "");
    onText?.(text);
  }
  throw new Error("The answer was cut off. Try again.");
}

async function readRefusal(response: Response): Promise<Error> {
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json") ?? false;
  const { detail = "" } = isJson ? ((await response.json()) as { detail?: string }) : {};
  return new Error(
    detail || "The service did not answer. You may be signed out. Open the page in another tab to check.",
  );
}

type Event = { readonly event: string; readonly data: string };

/** Yields the events of a stream. The service sends each with one line of data. */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<Event> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = "";
  for (;;) {
    // A broken connection ends the answer early.
    const { done, value } = await reader.read().catch(() => ({ done: true as const, value: undefined }));
    if (done) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const [, event = "", data = ""] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      if (event !== "") yield { event, data };
    }
  }
}
