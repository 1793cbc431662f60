/** Server-sent events, from servers that misbehave. */
import { expect, it } from "vitest";
import { readEvents } from "../../packages/cli/events.ts";

/** A stream of events that never ends, of this piece again and again; `sent` counts the pieces. */
function endless(piece: string) {
  const bytes = new TextEncoder().encode(piece);
  const sent = { pieces: 0 };
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent.pieces += 1;
      controller.enqueue(bytes);
    },
  });
  return { body, sent };
}

it.each([
  ["one line", "x".repeat(1024 * 1024)],
  ["many lines of data", `data: ${"x".repeat(1000)}\n`.repeat(1024)],
])("an event that never ends is refused after 16 MiB: %s", async (_, piece) => {
  const { body, sent } = endless(piece);
  const { signal } = new AbortController();
  await expect(readEvents(body, { server: "https://press.example.com", signal }).next()).rejects.toMatchObject({
    code: "invalid_answer",
    exit: 1,
    message: "An event of the server is longer than 16 MiB.",
  });
  expect(sent.pieces).toBeLessThan(20);
});
