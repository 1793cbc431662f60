/** Signing in, and the file that keeps it, where servers, other programs and other processes misbehave. */
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { authorizationServer, opened } from "./authorization-server.ts";
import { WAIT } from "../e2e/local-run.ts";
import { cutPauses } from "./pauses.ts";
import { errorIn, resultIn, useProgram, type Outcome } from "./program.ts";
import { answering, json } from "./scripted-server.ts";

type Server = Awaited<ReturnType<typeof authorizationServer>>;
type Opened = NonNullable<ReturnType<typeof opened>>;

const program = useProgram();

const fileIn = (home: string) => path.join(home, "edgepress/credentials.json");

/** Runs `login`; `browser` is what happens once the address is shown. */
async function login(
  server: Server,
  browser: (opened: Opened) => Promise<unknown>,
  home = program.folder(),
  more: readonly string[] = [],
) {
  let begun = false;
  const outcome = await program.call(["login", "--no-browser", "--server", server.url, ...more], {
    env: { XDG_CONFIG_HOME: home },
    async onOutput({ stderr }) {
      const shown = opened(stderr);
      if (shown === null || begun) return;
      begun = true;
      server.state.challenge = shown.asked.get("code_challenge") ?? "";
      await browser(shown);
    },
  });
  return { outcome, home };
}

/** What a browser brings that was let through. */
const good = ({ asked }: Opened, server: Server) => ({
  code: "the-code",
  state: asked.get("state") ?? "",
  iss: server.url,
});

const signedIn = async (server: Server) => (await login(server, (shown) => shown.comeBack(good(shown, server)))).home;

const blogs = (server: Server, home: string, run: typeof program.call = program.call): Promise<Outcome> =>
  run(["blogs", "list", "--json", "--server", server.url], { env: { XDG_CONFIG_HOME: home } });

it("a profile has a server and a sign-in of its own, in place of what the environment says", async () => {
  const server = await authorizationServer();
  const home = await signedIn(server);
  await login(server, (shown) => shown.comeBack(good(shown, server)), home, ["--profile", "other"]);
  const env = { XDG_CONFIG_HOME: home, EDGEPRESS_URL: "http://127.0.0.1:1", EDGEPRESS_API_KEY: "epk_of_another" };
  const whoami = async (more: readonly string[], vars: Record<string, string> = env) => {
    const outcome = await program.call(["whoami", "--json", ...more], { env: vars });
    return outcome.code === 0 ? "signed in" : errorIn(outcome)["code"];
  };
  // The server knows the newest token only, which is that of the profile.
  expect(await whoami(["--profile", "other"])).toBe("signed in");
  expect(await whoami([], { ...env, EDGEPRESS_PROFILE: "other" })).toBe("signed in");
  expect(await whoami([], { XDG_CONFIG_HOME: home })).not.toBe("signed in");
  expect(await whoami(["--profile", "unknown"])).toBe("usage");
  const profiles = async () => resultIn(await program.call(["profiles", "--json"], { env }));
  expect(await profiles()).toMatchObject([{ name: "other", server: server.url, since: expect.any(String) }]);
  await program.call(["logout", "--profile", "other"], { env });
  expect(await profiles()).toEqual([]);
});

describe("signing in (RFC 8252)", () => {
  it("asks with PKCE, a state and the resource, and comes back to loopback", async () => {
    const server = await authorizationServer();
    let page = { status: 0, text: "" };
    let asked = new URLSearchParams();
    const { outcome, home } = await login(server, async (shown) => {
      asked = shown.asked;
      page = await shown.comeBack(good(shown, server));
    });
    expect(outcome.code, outcome.stderr).toBe(0);
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining("You can close this page") });
    expect(Object.fromEntries(asked)).toMatchObject({
      client_id: "edgepress-cli",
      response_type: "code",
      code_challenge_method: "S256",
      resource: `${server.url}/api`,
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
      state: expect.stringMatching(/^.{43}$/),
    });
    expect(server.state.forms[0]?.get("resource")).toBe(`${server.url}/api`);
    expect(statSync(fileIn(home)).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(fileIn(home))).mode & 0o777).toBe(0o700);
    expect(outcome.stdout + outcome.stderr).not.toMatch(/access-1|refresh-1|the-code/);
  });

  it("opens the browser, and goes on where there is none", async () => {
    const server = await authorizationServer();
    const bin = program.folder();
    const opener = path.join(bin, "xdg-open");
    writeFileSync(opener, `#!/bin/sh\nprintf '%s' "$1" > '${bin}/opened'\n`, { mode: 0o755 });
    for (const folder of [bin, program.folder()]) {
      let ending = false;
      const outcome = await program.run(["login", "--server", server.url], {
        env: { XDG_CONFIG_HOME: program.folder(), PATH: `${folder}:/bin` },
        async onOutput({ stderr }, child) {
          if (opened(stderr) === null || ending) return;
          ending = true;
          if (folder === bin) await vi.waitFor(() => expect(readFileSync(`${bin}/opened`, "utf8")).not.toBe(""), WAIT);
          child.kill("SIGINT");
        },
      });
      expect(outcome.code).toBe(130);
      const shown = opened(outcome.stderr)?.asked.get("state");
      if (folder === bin) expect(readFileSync(`${bin}/opened`, "utf8")).toContain(`state=${shown}`);
    }
  });

  it("hears nobody who does not know the state, and still the one who does", async () => {
    const server = await authorizationServer();
    const statuses: number[] = [];
    const { outcome } = await login(server, async (shown) => {
      const right = good(shown, server);
      for (const wrong of [{ ...right, state: "guessed" }, { code: "the-code" }, { error: "access_denied" }]) {
        statuses.push((await shown.comeBack(wrong)).status);
      }
      statuses.push((await shown.comeBack(right)).status);
    });
    expect(statuses).toEqual([400, 400, 400, 200]);
    expect(outcome.code).toBe(0);
  });

  it.each([
    ["of another server (RFC 9207)", { iss: "https://evil.example" }],
    ["that names no server", { iss: "" }],
    ["with a code that is none", { code: "another" }],
  ])("refuses an answer %s, and says so in both places", async (_, wrong) => {
    const server = await authorizationServer();
    let page = { status: 0, text: "" };
    const { outcome, home } = await login(server, async (shown) => {
      page = await shown.comeBack({ ...good(shown, server), ...wrong });
    });
    expect([outcome.code, page.status]).toEqual([4, 400]);
    expect(page.text).toContain("Not signed in");
    expect(existsSync(fileIn(home))).toBe(false);
  });

  it("shows what a server says of itself as text", async () => {
    const server = await authorizationServer({
      token: () => ({ status: 400, body: { error: "invalid_grant", error_description: "<script>1</script>" } }),
    });
    let text = "";
    await login(server, async (shown) => void ({ text } = await shown.comeBack(good(shown, server))));
    expect(text).toContain("invalid_grant");
    expect(text).not.toContain("<script>");
  });

  it.each([
    ["sends codes elsewhere", () => ({ token_endpoint: "http://127.0.0.2:1/token" })],
    ["is another issuer", () => ({ issuer: "https://press.example.com" })],
  ])("refuses a server that %s", async (_, metadata) => {
    const server = await authorizationServer({ metadata });
    const outcome = await program.call(["login", "--no-browser", "--json", "--server", server.url], {
      env: { XDG_CONFIG_HOME: program.folder() },
    });
    expect(errorIn(outcome)).toMatchObject({ code: "sign_in_failed", exit: 4 });
  });

  it("says of a server without sign-in that it has none", async () => {
    const server = await answering((_, response) => json(response, {}, 404));
    const outcome = await program.call(["login", "--json", "--server", server.url]);
    expect(errorIn(outcome)).toMatchObject({
      code: "sign_in_failed",
      message: expect.stringContaining("does not support sign-in"),
    });
  });

  it("keeps what was there where it fails, and ends the earlier sign-in where it succeeds", async () => {
    const server = await authorizationServer();
    const home = await signedIn(server);
    const before = readFileSync(fileIn(home), "utf8");
    await login(server, (shown) => shown.comeBack({ ...good(shown, server), iss: "https://evil.example" }), home);
    expect(readFileSync(fileIn(home), "utf8")).toBe(before);
    await login(server, (shown) => shown.comeBack(good(shown, server)), home);
    expect(readFileSync(fileIn(home), "utf8")).toContain("refresh-2");
    expect(server.state.forms.at(-1)?.get("token")).toBe("refresh-1");
  });

  it("ends the earlier sign-in also where another process has renewed it meanwhile", async () => {
    const server = await authorizationServer();
    const home = await signedIn(server);
    const renew = (shown: Opened) => {
      writeFileSync(fileIn(home), readFileSync(fileIn(home), "utf8").replace("refresh-1", "refresh-renewed"));
      return shown.comeBack(good(shown, server));
    };
    await login(server, renew, home);
    expect(readFileSync(fileIn(home), "utf8")).toContain("refresh-2");
    expect(server.state.forms.at(-1)?.get("token")).toBe("refresh-renewed");
  });
});

describe("stored credentials", () => {
  const expire = (home: string) => {
    const text = readFileSync(fileIn(home), "utf8");
    writeFileSync(fileIn(home), text.replace(/"expires": "[^"]*"/, '"expires": "2020-01-01T00:00:00.000Z"'));
  };

  it("that others could read are for their owner alone again, and the person hears of it", async () => {
    const server = await authorizationServer();
    const home = await signedIn(server);
    chmodSync(fileIn(home), 0o644);
    const env = { XDG_CONFIG_HOME: home };
    const { code, stderr } = await program.call(["blogs", "list", "--server", server.url], { env });
    expect([code, stderr]).toEqual([0, expect.stringMatching(/credentials\.json had mode 644/)]);
    expect(statSync(fileIn(home)).mode & 0o777).toBe(0o600);
  });

  it.each(["{", "[]", '{"version": 2}', '{"version": 1, "server": null, "signIns": {"x": {}}}'])(
    "that read %s are refused, and left alone",
    async (text) => {
      const home = program.folder();
      mkdirSync(path.dirname(fileIn(home)), { mode: 0o700 });
      writeFileSync(fileIn(home), text, { mode: 0o600 });
      for (const args of [["whoami"], ["login", "--server", "http://127.0.0.1:1"]]) {
        const outcome = await program.call([...args, "--json"], { env: { XDG_CONFIG_HOME: home } });
        expect(errorIn(outcome)).toMatchObject({ code: "credentials_unreadable", exit: 1 });
      }
      expect(readFileSync(fileIn(home), "utf8")).toBe(text);
    },
  );

  it("survive a server that breaks off while they are renewed", async () => {
    let breaks = false;
    const server = await authorizationServer({ token: () => (breaks ? "break" : null) });
    const home = await signedIn(server);
    expire(home);
    breaks = true;
    const before = readFileSync(fileIn(home), "utf8");
    const pauses = cutPauses();
    expect(errorIn(await blogs(server, home))).toMatchObject({ code: "unreachable", exit: 1 });
    expect(pauses).toEqual([250, 500, 1000, 2000, 4000]);
    expect(readFileSync(fileIn(home), "utf8")).toBe(before);
    breaks = false;
    expect((await blogs(server, home)).code).toBe(0);
  });

  it("are renewed once, by one process, however many find them expired", async () => {
    const held = Promise.withResolvers<null>();
    let holds = false;
    const server = await authorizationServer({ token: () => (holds ? held.promise : null) });
    const home = await signedIn(server);
    expire(home);
    holds = true;
    const first = blogs(server, home, program.run);
    // It has the lock, and waits for its tokens. Three more find that the old ones have expired.
    await vi.waitFor(() => expect(server.state.forms).toHaveLength(2), WAIT);
    const others = Array.from({ length: 3 }, () => blogs(server, home));
    // A whole command takes more steps than those until they wait for the lock.
    const whole = ["blogs", "list", "--server", server.url];
    expect((await program.call(whole, { env: { EDGEPRESS_API_KEY: "epk_of_the_test" } })).code).toBe(0);
    holds = false;
    held.resolve(null);
    for (const each of await Promise.all([first, ...others])) expect(each.code, each.stderr).toBe(0);
    expect(server.state.serial).toBe(2);
    expect(server.asked.filter(({ path }) => path === "/token")).toHaveLength(2);
  });

  it("are not locked for ever by a process that was killed while it renewed them", async () => {
    const held = Promise.withResolvers<null>();
    let holds = false;
    const server = await authorizationServer({ token: () => (holds ? held.promise : null) });
    const home = await signedIn(server);
    expire(home);
    holds = true;
    const env = { XDG_CONFIG_HOME: home };
    const killed = program.run(["blogs", "list", "--server", server.url], { env });
    const lock = path.join(home, "edgepress/credentials.lock");
    // It has the lock, and waits for its tokens.
    await vi.waitFor(() => expect(server.state.forms).toHaveLength(2), WAIT);
    process.kill(Number(readFileSync(lock, "utf8")), "SIGKILL");
    expect((await killed).code).toBeNull();
    holds = false;
    held.resolve(null);
    await vi.waitFor(() => expect(server.state.refreshToken).toBe("refresh-2"), WAIT);
    expect(existsSync(lock)).toBe(true);
    // The token that the killed one was to get was never stored; this server takes the old one again.
    server.state.refreshToken = "refresh-1";
    expect((await blogs(server, home)).code).toBe(0);
    expect(existsSync(lock)).toBe(false);
  });

  it("are gone after logout, also where the server cannot be told", async () => {
    const server = await authorizationServer({
      metadata: () => ({}),
    });
    const home = await signedIn(server);
    const elsewhere = { XDG_CONFIG_HOME: home };
    const text = readFileSync(fileIn(home), "utf8").replaceAll(server.url, "http://127.0.0.1:1");
    writeFileSync(fileIn(home), text);
    const outcome = await program.call(["logout"], { env: elsewhere });
    expect([outcome.code, outcome.stderr]).toEqual([0, expect.stringContaining("The server was not notified")]);
    expect(readFileSync(fileIn(home), "utf8")).not.toMatch(/access-|refresh-/);
    const again = await program.call(["logout", "--json"], { env: elsewhere });
    expect(resultIn(again)).toMatchObject({ signedOut: false });
  });
});
