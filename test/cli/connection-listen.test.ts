/** `webhooks listen` before it knows its secret, and where its output cannot be written. */
import { createHmac } from "node:crypto";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { openReceiver } from "../../packages/cli/webhook-receiver.ts";
import { interruptOnce } from "./ctrl-c.ts";
import { errorIn, NODES, useProgram, type Outcome } from "./program.ts";
import { answering, json } from "./scripted-server.ts";

const program = useProgram();
const ID = "019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d";
const SECRET = "whsec_of_the_test";
const BODY = JSON.stringify({ event: "article.created", data: { title: "T" } });

/** Posts a delivery that is signed with this; the answer's status. */
async function deliver(url: string, secret: string): Promise<number> {
  const time = Math.floor(Date.now() / 1000);
  const signature = `t=${time},v1=${createHmac("sha256", secret).update(`${time}.${BODY}`).digest("hex")}`;
  const headers = { "X-Service-Event": "article.created", "X-Service-Signature": signature };
  return (await fetch(url, { method: "POST", headers, body: BODY })).status;
}

/** A receiver that does not know its secret yet; `seen` is what it was given. */
async function opened() {
  const seen: string[] = [];
  const onDelivery = async ({ verdict }: { verdict: string }) => {
    seen.push(verdict);
    return verdict === "genuine" ? 204 : 401;
  };
  return { ...(await openReceiver({ port: 0, now: () => new Date(), onDelivery })), seen };
}

describe("a delivery that comes before the secret is known", () => {
  it("is judged by the secret once that is there, and never by an empty one", async () => {
    const target = await answering((_, response) => void response.writeHead(204).end());
    const deliveries: Promise<number>[] = [];
    const server = await answering(async ({ method, body }, response) => {
      if (method === "POST") {
        const { url } = JSON.parse(body) as { url: string };
        deliveries.push(...["", "other", SECRET].map((secret) => deliver(url, secret)));
        // An answer that comes at once is one too early.
        await Promise.race([...deliveries, new Promise((resolve) => setTimeout(resolve, 500))]);
      }
      json(response, { _id: ID, secret: SECRET });
    });
    const { code } = await program.call(["webhooks", "listen", "--forward", target.url], {
      env: { EDGEPRESS_URL: server.url, EDGEPRESS_OPERATOR_TOKEN: "ept_of_the_test" },
      onOutput: interruptOnce(({ stdout }) => stdout.split("article.created").length > 3),
    });
    expect(code).toBe(130);
    expect(await Promise.all(deliveries)).toEqual([401, 401, 204]);
    expect(target.asked).toHaveLength(1);
  });

  it("is refused where the secret does not come in time", async () => {
    const receiver = await opened();
    const { url, seen } = receiver;
    expect(await deliver(url, "")).toBe(503);
    expect(seen).toEqual([]);
    const next = deliver(url, SECRET);
    setTimeout(() => receiver.verifyWith(SECRET), 100);
    expect(await next).toBe(204);
    receiver.close();
  });
});

describe("an empty secret", () => {
  it("on the command line is refused", async () => {
    const outcome = await program.call(["webhooks", "listen", "--json", "--secret", ""], {
      env: { EDGEPRESS_OPERATOR_TOKEN: "ept_of_the_test" },
    });
    expect(errorIn(outcome)).toMatchObject({ code: "usage", exit: 2, message: expect.stringContaining("--secret") });
  });

  it("of a subscription ends it", async () => {
    const server = await answering((_, response) => json(response, { _id: ID, secret: "" }));
    const outcome = await program.call(["webhooks", "listen", "--json"], {
      env: { EDGEPRESS_URL: server.url, EDGEPRESS_OPERATOR_TOKEN: "ept_of_the_test" },
    });
    expect(errorIn(outcome)).toMatchObject({ code: "invalid_answer", exit: 1 });
    expect(server.asked.map(({ method }) => method)).toEqual(["POST", "DELETE"]);
  });
});

it("a listener whose output cannot be written unsubscribes, and says so", async () => {
  const server = await answering((_, response) => json(response, { _id: ID, secret: SECRET }));
  const env = { PATH: process.env["PATH"], EDGEPRESS_URL: server.url, EDGEPRESS_OPERATOR_TOKEN: "ept_of_the_test" };
  const line = `"$0" "$1" webhooks listen --json > /dev/full`;
  const failed = await promisify(execFile)("bash", ["--norc", "-c", line, NODES[0] ?? "", program.bundle], {
    env,
  }).then(
    () => ({ code: 0, stdout: "", stderr: "" }),
    (error: Outcome) => error,
  );
  expect(failed.code).toBe(1);
  expect(errorIn(failed)).toMatchObject({ code: "file_error", message: expect.stringContaining("ENOSPC") });
  expect(server.asked.map(({ method }) => method)).toEqual(["POST", "DELETE"]);
});
