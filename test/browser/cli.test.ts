/** `edgepress login` as people use it: a terminal, and a real browser in which they sign in and agree. */
import { statSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { errorIn, NODES, resultIn, useProgram } from "../cli/program.ts";
import { audit } from "./audit.ts";
import { describeInBrowser, service, useBrowser } from "./tab.ts";
import { signInHere } from "./walk.ts";

describeInBrowser("contract 15.6: the command-line client (login through the browser)", () => {
  const program = useProgram();
  const browser = useBrowser();

  /** What a new user of this machine has in their environment. */
  const environment = () => ({ XDG_CONFIG_HOME: program.folder(), EDGEPRESS_URL: service().baseUrl });
  const fileOf = ({ XDG_CONFIG_HOME: home }: { XDG_CONFIG_HOME: string }) =>
    path.join(home, "edgepress/credentials.json");

  type Agree = (page: Page) => Promise<void>;

  /** Runs `login` in a browser in which somebody is signed in, or has to; `agree` gets the page that asks for access. */
  async function login(env: Record<string, string>, agree: Agree, { signedIn = true } = {}) {
    const opened = Promise.withResolvers<string>();
    const ended = program.run(["login", "--no-browser"], {
      env,
      node: NODES.at(-1) ?? "node",
      onOutput: ({ stderr }) => {
        const address = /https?:\S+authorize\S+/.exec(stderr)?.[0];
        if (address !== undefined && stderr.includes(`${address}\n`)) opened.resolve(address);
      },
    });
    void ended.then(({ stderr }) => opened.reject(new Error(stderr)));
    const address = await opened.promise;
    const { origin } = new URL(new URL(address).searchParams.get("redirect_uri") ?? "");
    const page = await browser.open({ signedIn, elsewhere: origin });
    await page.goto(address);
    if (!signedIn) await signInHere(page, service().email, service().password);
    await page.getByRole("heading", { level: 1, name: /connect/i }).waitFor();
    await agree(page);
    return { page, outcome: await ended };
  }

  const allow = (page: Page) => page.getByRole("button", { name: /^allow$/i }).click();

  it("signs in, and everything that contract 15.6 lists works for whoever did", async () => {
    const env = environment();
    const { page, outcome } = await login(
      env,
      async (page) => {
        expect(await page.getByRole("main").innerText()).toContain("Edgepress command-line client");
        await allow(page);
      },
      { signedIn: false },
    );
    await page.getByRole("heading", { name: "Signed in" }).waitFor();
    expect(await page.getByRole("main").innerText()).toContain("You can close this page");
    await audit(page);
    expect(outcome.code, outcome.stderr).toBe(0);
    expect(statSync(fileOf(env)).mode & 0o777).toBe(0o600);
    // The server was remembered: nothing has to name it any more.
    const after = { XDG_CONFIG_HOME: env.XDG_CONFIG_HOME };
    const json = async (...args: string[]) => {
      const done = await program.call([...args, "--json"], { env: after });
      expect(done.code, done.stderr).toBe(0);
      return resultIn(done);
    };
    expect(await json("whoami")).toMatchObject({ server: service().baseUrl, method: "browser" });
    expect(await json("blogs", "list")).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: "Field Notes" })]),
    );
    expect(await json("articles", "list", "--blog", "field-notes")).not.toHaveLength(0);
    expect(await json("topics", "refresh", "--blog", "field-notes")).toMatchObject({ state: "done" });
    expect(await json("topics", "list", "--blog", "field-notes")).not.toHaveLength(0);
    const written = await json("articles", "generate", "--blog", "field-notes", "--topic", "Ferries", "--words", "300");
    expect(written).toMatchObject({ article: { published: false } });
    expect(await json("logout")).toMatchObject({ signedOut: true, revoked: true });
    expect(errorIn(await program.call(["whoami", "--json"], { env }))).toMatchObject({
      code: "not_signed_in",
      exit: 4,
    });
  });

  it("knows which scopes were unticked, and what lacks one exits with 4", async () => {
    const env = environment();
    const { outcome } = await login(env, async (page) => {
      await page.getByRole("checkbox", { name: /articles:write/ }).uncheck();
      await allow(page);
    });
    expect(outcome.code, outcome.stderr).toBe(0);
    const { scopes } = resultIn(await program.call(["whoami", "--json"], { env })) as { scopes: string[] };
    expect(scopes).toContain("articles:read");
    expect(scopes).not.toContain("articles:write");
    const refused = await program.call(["articles", "create", "--blog", "field-notes", "--title", "x", "--json"], {
      env,
    });
    expect(errorIn(refused)).toMatchObject({ code: "scope_missing", exit: 4 });
  });
});
