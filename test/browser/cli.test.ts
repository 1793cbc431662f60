/** `edgepress login` as people use it: a terminal, and a real browser in which they sign in and agree. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { afterEach, expect, inject, it } from "vitest";
import { interruptOnce } from "../cli/ctrl-c.ts";
import { errorIn, NODES, resultIn, useProgram, type Outcome } from "../cli/program.ts";
import { audit } from "./audit.ts";
import { describeInBrowser, DESKTOP, PATIENCE_MS, service, sharedBrowser } from "./tab.ts";
import { signInHere } from "./walk.ts";

type Stored = { signIns: Record<string, { accessToken: string; refreshToken: string; expires: string }> };

const AN_HOUR_AGO = new Date(Date.now() - 3_600_000).toISOString();

describeInBrowser("contract 15.6: the command-line client (login through the browser)", () => {
  const program = useProgram();
  let contexts: BrowserContext[] = [];

  afterEach(async () => {
    await Promise.all(contexts.map((context) => context.close()));
    contexts = [];
  });

  async function tab(): Promise<Page> {
    const browser = await sharedBrowser();
    const context = await browser.newContext({ viewport: DESKTOP });
    context.setDefaultTimeout(PATIENCE_MS);
    contexts.push(context);
    return context.newPage();
  }

  /** What a new user of this machine has in their environment. */
  const environment = () => ({ XDG_CONFIG_HOME: program.folder(), EDGEPRESS_URL: service().baseUrl });
  const fileOf = ({ XDG_CONFIG_HOME: home }: { XDG_CONFIG_HOME: string }) =>
    path.join(home, "edgepress/credentials.json");
  const storedIn = (file: string) => JSON.parse(readFileSync(file, "utf8")) as Stored;

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
    const page = await tab();
    if (signedIn) await page.context().addCookies(inject("session"));
    await page.goto(await opened.promise);
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
      const done = await program.run([...args, "--json"], { env: after });
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
    expect(errorIn(await program.run(["whoami", "--json"], { env }))).toMatchObject({ code: "not_signed_in", exit: 4 });
  });

  it("says in both places that it was denied, and stores nothing", async () => {
    const env = environment();
    const { page, outcome } = await login(env, (page) => page.getByRole("button", { name: /^deny$/i }).click());
    await page.getByText("Access was denied in the browser.").waitFor();
    expect([outcome.code, outcome.stderr]).toEqual([4, expect.stringContaining("Access was denied in the browser.")]);
    expect(errorIn(await program.run(["whoami", "--json"], { env }))).toMatchObject({ code: "not_signed_in" });
  });

  it("knows which scopes were unticked, and what lacks one exits with 4", async () => {
    const env = environment();
    const { outcome } = await login(env, async (page) => {
      await page.getByRole("checkbox", { name: /articles:write/ }).uncheck();
      await allow(page);
    });
    expect(outcome.code, outcome.stderr).toBe(0);
    const { scopes } = resultIn(await program.run(["whoami", "--json"], { env })) as { scopes: string[] };
    expect(scopes).toContain("articles:read");
    expect(scopes).not.toContain("articles:write");
    const refused = await program.run(["articles", "create", "--blog", "field-notes", "--title", "x", "--json"], {
      env,
    });
    expect(errorIn(refused)).toMatchObject({ code: "scope_missing", exit: 4 });
  });

  it("renews tokens, also where many processes find them expired at once", async () => {
    const env = environment();
    await login(env, allow);
    const file = fileOf(env);
    const expire = () => {
      const stored = storedIn(file);
      for (const signIn of Object.values(stored.signIns)) signIn.expires = AN_HOUR_AGO;
      writeFileSync(file, JSON.stringify(stored));
      return stored.signIns[service().baseUrl];
    };
    for (let round = 0; round < 2; round++) {
      const before = expire();
      const all = await Promise.all(Array.from({ length: 6 }, () => program.run(["blogs", "list", "--json"], { env })));
      for (const each of all) expect(each.code, each.stderr).toBe(0);
      const after = storedIn(file).signIns[service().baseUrl];
      expect(after?.accessToken).not.toBe(before?.accessToken);
      expect(after?.refreshToken).not.toBe(before?.refreshToken);
    }
  });

  it("renews a token that the service takes no more, and forgets a sign-in that was ended elsewhere", async () => {
    const env = environment();
    await login(env, allow);
    const file = fileOf(env);
    const stored = storedIn(file);
    const mine = stored.signIns[service().baseUrl];
    if (mine === undefined) throw new Error("nothing is stored");
    writeFileSync(
      file,
      JSON.stringify({ ...stored, signIns: { [service().baseUrl]: { ...mine, accessToken: `${mine.accessToken}x` } } }),
    );
    const renewed = await program.run(["blogs", "list"], { env });
    expect(renewed.code, renewed.stderr).toBe(0);
    await program.run(["logout"], { env: { ...env, XDG_CONFIG_HOME: copyOf(file) } });
    const ended = await program.run(["blogs", "list", "--json"], { env });
    expect(errorIn(ended)).toMatchObject({ code: "sign_in_expired", exit: 4 });
    expect(errorIn(await program.run(["whoami", "--json"], { env }))).toMatchObject({ code: "not_signed_in" });
  });

  /** The same credentials on another machine. */
  function copyOf(file: string): string {
    const home = program.folder();
    mkdirSync(path.join(home, "edgepress"));
    writeFileSync(path.join(home, "edgepress/credentials.json"), readFileSync(file), { mode: 0o600 });
    return home;
  }

  it("ends with 130 on Ctrl-C while the browser is open, and stores nothing", async () => {
    const env = environment();
    const outcome: Outcome = await program.run(["login", "--no-browser"], {
      env,
      onOutput: interruptOnce(({ stderr }) => stderr.includes("authorize")),
    });
    expect(outcome.code).toBe(130);
    expect(errorIn(await program.run(["whoami", "--json"], { env }))).toMatchObject({ code: "not_signed_in" });
  });
});
