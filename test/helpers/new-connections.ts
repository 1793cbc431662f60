/**
 * Runs before each file of tests that ask a local run: each request has a connection of its own. The service closes those that
 * are idle for five seconds, and on a busy machine a request was sent just then.
 */
const ask = globalThis.fetch;
if (ask.name !== "onNewConnection") {
  globalThis.fetch = function onNewConnection(input, init = {}) {
    const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : undefined));
    headers.set("Connection", "close");
    return ask(input, { ...init, headers });
  };
}
