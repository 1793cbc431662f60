/** The server that receives the redirect at the end of a sign-in, and a browser that abandons it. */
import { connect } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openLanding } from "../../packages/cli/sign-in/loopback.ts";

let landing: Awaited<ReturnType<typeof openLanding>>;
beforeEach(async () => {
  landing = await openLanding();
});
afterEach(() => landing.close());

const arriving = () => landing.waitForRedirect("the-state", new AbortController().signal);

it("shows how the sign-in ended", async () => {
  const arrived = arriving();
  const page = fetch(`${landing.redirectUri}?state=the-state&code=the-code`);
  await (await arrived).finish(null);
  const { status } = await page;
  expect([status, await (await page).text()]).toEqual([200, expect.stringContaining("You can close this page")]);
});

it("is done with a person who has closed the page before", async () => {
  const arrived = arriving();
  const { host, port, pathname } = new URL(landing.redirectUri);
  const socket = connect(Number(port), "127.0.0.1");
  socket.write(`GET ${pathname}?state=the-state HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  const there = await arrived;
  socket.destroy();
  // By the response to another request, the server has noticed that the connection is closed.
  await fetch(landing.redirectUri);
  await there.finish(null);
});
