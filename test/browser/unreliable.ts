/** A way to the service that fails as tests want it: it goes down and comes up again, or loses answers. */
import { once } from "node:events";
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** Opens it in front of a service, at a port of its own. */
export async function unreliable(target: string) {
  let losing = 0;
  let isSaving = true;
  const server = createServer((asked, answer) => {
    if (!isSaving && asked.method === "POST") return void answer.destroy();
    pass(target, asked, answer, () => losing > 0 && asked.url?.endsWith("/autosave") === true && losing-- > 0).catch(
      () => answer.destroy(),
    );
  });
  const listen = async (port: number) => {
    await once(server.listen(port, "127.0.0.1"), "listening");
    return (server.address() as AddressInfo).port;
  };
  const port = await listen(0);
  const down = async () => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    /** Ends all connections, and takes no new ones. */
    down,
    /** Takes connections again. */
    up: () => listen(port),
    /** Whether saves pass. Pages load either way. Not passing them also stops what a closed page still sends. */
    passSaves: (passes: boolean) => void (isSaving = passes),
    /** Loses the answers to the next saves: the service gets them, and nobody hears of it. */
    lose: (count: number) => void (losing = count),
    /** How many answers are still to be lost. */
    left: () => losing,
  };
}

async function pass(
  target: string,
  asked: IncomingMessage,
  answer: ServerResponse,
  isLost: () => boolean,
): Promise<void> {
  const { method, headers, url = "/" } = asked;
  const body = await buffer(asked);
  // A connection of its own: the service may just close one that was kept.
  const sent = request(`${target}${url}`, { method, headers, agent: false });
  sent.end(body);
  const [got] = (await once(sent, "response")) as [IncomingMessage];
  const text = await buffer(got);
  if (isLost()) return void answer.destroy();
  answer.writeHead(got.statusCode ?? 502, got.headers).end(text);
}
