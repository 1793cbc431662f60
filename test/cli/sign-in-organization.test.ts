/** What `login` says of where somebody has signed in: whoever consents in the browser chooses that. */
import { describe, expect, it } from "vitest";
import { authorizationServer, opened, ORGANIZATION } from "./authorization-server.ts";
import { useCutPauses } from "./pauses.ts";
import { resultIn, useProgram } from "./program.ts";
import { json, refuse, type Handler } from "./scripted-server.ts";

const program = useProgram();
useCutPauses();

/** Signs in at a server that answers so to who it is; without an answer, as it should. */
async function login(caller: Handler | null, options: readonly string[] = [], env = {}) {
  const server = await authorizationServer({
    first(path, response) {
      if (path !== "/api/me" || caller === null) return false;
      void caller({ method: "GET", path, query: new URLSearchParams(), headers: {}, body: "" }, response);
      return true;
    },
  });
  let begun = false;
  const outcome = await program.call(["login", "--no-browser", "--server", server.url, ...options], {
    env: { XDG_CONFIG_HOME: program.folder(), ...env },
    async onOutput({ stderr }) {
      const shown = opened(stderr.replaceAll('"}', "\n"));
      if (shown === null || begun) return;
      begun = true;
      server.state.challenge = shown.asked.get("code_challenge") ?? "";
      await shown.comeBack({ code: "the-code", state: shown.asked.get("state") ?? "", iss: server.url });
    },
  });
  return { outcome, url: server.url };
}

describe("a sign-in", () => {
  it("says for which organization it is, whatever key is set", async () => {
    const { outcome, url } = await login(null, [], { EDGEPRESS_API_KEY: "epk_of_another" });
    expect(outcome).toMatchObject({
      code: 0,
      stdout: `Signed in at ${url} in the organization Acme␛[31m (articles:read).\n`,
    });
    const told = await login(null, ["--json"]);
    expect(resultIn(told.outcome)).toEqual({ server: told.url, organization: ORGANIZATION, scopes: ["articles:read"] });
  });

  it.each<[string, Handler]>([
    ["refuses to say", (_, response) => refuse(response, 403, "scope_missing")],
    ["does not know it", (_, response) => json(response, {}, 404)],
    ["says something else", (_, response) => json(response, { organization: "Acme" })],
    ["breaks off", (_, response) => void response.destroy()],
  ])("holds also where the server %s", async (_, caller) => {
    const { outcome, url } = await login(caller);
    expect(outcome).toMatchObject({ code: 0, stdout: `Signed in at ${url} (articles:read).\n` });
  });
});
