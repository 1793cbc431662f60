/** A webhook receiver in its own process. It records when each delivery arrived, and when its article was created. */
import { createServer } from "node:http";

/** A delivery: when all of it had arrived, and when its article was created, in milliseconds since 1970. */
export type Received = { readonly id: string; readonly at: number; readonly written: number };

let received: Received[] = [];

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const { data } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as { data: { creationTime: string } };
    const id = String(request.headers["x-service-delivery"]);
    received.push({ id, at: Date.now(), written: Date.parse(data.creationTime) });
    response.writeHead(204).end();
  });
});

process.on("message", (message: { listen: number } | "take") => {
  if (message !== "take") {
    server.listen(message.listen, "127.0.0.1", () => process.send?.("listening"));
    return;
  }
  process.send?.(received);
  received = [];
});
