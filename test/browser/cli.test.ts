/** `edgepress login` as people use it: a terminal, and a real browser in which they agree. */
import { statSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { errorIn, NODES, resultIn, useProgram } from "../cli/program.ts";
import { audit } from "./audit.ts";
import { describeInBrowser, service, useBrowser } from "./tab.ts";

describeInBrowser("contract 15.6: the command-line client (login through the browser)", () => {
  const program = useProgram();
  const browser = useBrowser();

  it("signs in, and everything that contract 15.6 lists works for whoever did", async () => {
    // What a new user of this machine has in their environment.
    const env = { XDG_CONFIG_HOME: program.folder(), EDGEPRESS_URL: service().baseUrl };
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
    const page = await browser.open({ signedIn: true, elsewhere: origin });
    await page.goto(address);
    await page.getByRole("heading", { level: 1, name: /connect/i }).waitFor();
    expect(await page.getByRole("main").innerText()).toContain("Edgepress command-line client");
    await page.getByRole("button", { name: /^allow$/i }).click();
    const outcome = await ended;
    await page.getByRole("heading", { name: "Signed in" }).waitFor();
    expect(await page.getByRole("main").innerText()).toContain("You can close this page");
    await audit(page);
    expect(outcome.code, outcome.stderr).toBe(0);
    const credentials = path.join(env.XDG_CONFIG_HOME, "edgepress/credentials.json");
    expect(statSync(credentials).mode & 0o777).toBe(0o600);
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
});
