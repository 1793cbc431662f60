/** What every file of the project "worker" begins with. */
import { applyD1Migrations, env, reset } from "cloudflare:test";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";

// The files share workerd and its modules, but not rows, stored files and messages.
beforeAll(async () => {
  // `reset` empties only what is loaded, and the database is unloaded while nobody uses it.
  await env.DB.prepare("select 1").run();
  await reset();
  const { results } = await env.DB.prepare("select 1 from sqlite_schema where name = 'organizations'").all();
  if (results.length > 0) throw new Error("The database still has the rows of another file.");
  await applyD1Migrations(env.DB, env.MIGRATIONS);
});

// The log of a test is shown if the test fails. Vitest does that, too, but it sends each line to another process first.
const show = console.log;
let lines: unknown[][] = [];
console.log = (...line) => void lines.push(line);
beforeEach(() => {
  lines = [];
});
afterEach(({ task }) => {
  if (task.result?.state === "fail") for (const line of lines) show(...line);
});
afterAll(() => {
  console.log = show;
});
