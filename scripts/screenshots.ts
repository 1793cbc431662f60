/** `npm run screenshots`: takes the pictures in docs/images from a temporary service. */
import { once } from "node:events";
import { mkdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { toHour } from "../src/lib/time.ts";
import { cleanUp, newState, start, type Local } from "../test/e2e/local-run.ts";
import { connect } from "./lib/api.ts";
import { launchChromium } from "./lib/browser.ts";
import { Failure, runScript } from "./lib/failure.ts";
import { executeLocally } from "./lib/local-database.ts";
import { getShowpiece } from "./lib/seed.ts";
import { ROOT } from "./lib/wrangler.ts";

const FOLDER = path.join(ROOT, "docs/images");
const SIZE = { width: 1200, height: 800 };
const MOST_BYTES = 200 * 1024;

/** The path of a webhook receiver that sometimes fails. */
const SHAKY = "/rebuild";

/** The console shows the form for a generation only if a model is configured. No request is sent to this one. */
const MODEL = { AI_BASE_URL: "http://127.0.0.1:9/v1", AI_MODEL: "llama3.2" };

await runScript(main, cleanUp);

async function main(): Promise<number> {
  const [argument] = process.argv.slice(2);
  if (argument !== undefined)
    throw new Failure("npm run screenshots takes no arguments. It renews docs/images.", argument === "--help" ? 0 : 2);
  const state = newState();
  const first = await start(state);
  await makeDeliveries(await first.ready());
  await first.stop();
  pretendDay(state);
  // At the same address, because the URLs of the demo's pictures contain it.
  const second = await start(state, first.port, MODEL);
  const local = await second.ready();
  mkdirSync(FOLDER, { recursive: true });
  const browser = await launchChromium();
  try {
    await takePictures(await browser.newPage({ baseURL: local.baseUrl, viewport: SIZE, colorScheme: "light" }), local);
  } finally {
    await browser.close();
  }
  await second.stop();
  return 0;
}

async function takePictures(page: Page, { email, password, blogId }: Local): Promise<void> {
  const { blog, article } = getShowpiece();
  await page.goto(`/${blog.vanityId}`);
  await save(page, "site");
  await page.goto(`/${blog.vanityId}/${article.locale}/${article.slug}`);
  await save(page, "article");

  await page.goto("/console/sign-in");
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await save(page, "overview");

  await page.goto(`/console/articles/matrix?blog=${blogId}`);
  await save(page, "matrix");

  await page.goto(`/console/topics?blog=${blogId}`);
  await save(page, "ideas");

  await page.getByRole("link", { name: "Generate article" }).first().click();
  await page.getByRole("heading", { level: 1, name: "Generate an article" }).waitFor();
  await save(page, "generation");

  await page.goto(`/console/articles?blog=${blogId}`);
  await page.getByRole("link", { name: article.title }).first().click();
  await page.locator(".rich-text, .chips, img.cover").nth(2).waitFor();
  await page.locator("img.cover").evaluate((picture: HTMLImageElement) => picture.decode());
  await save(page, "editor");

  await page.goto("/console/webhooks");
  await page.getByRole("link", { name: SHAKY }).click();
  await page.waitForLoadState();
  await page.getByRole("region", { name: "Deliveries", exact: true }).evaluate((log) => {
    log.scrollIntoView();
    window.scrollBy(0, -24);
  });
  await save(page, "deliveries");
}

async function save(page: Page, name: string): Promise<void> {
  const file = path.join(FOLDER, `${name}.png`);
  await page.waitForLoadState();
  await page.screenshot({ path: file });
  const { size } = statSync(file);
  if (size > MOST_BYTES) throw new Failure(`${file} has ${size} bytes: too many for a README.`);
  console.log(`${path.relative(ROOT, file)}  ${Math.round(size / 1024)} KB`);
}

/** Subscribes a good and an unreliable receiver, and changes articles so that both get deliveries. */
async function makeDeliveries({ baseUrl, blogId, apiKey, operatorToken }: Local): Promise<void> {
  const received: string[] = [];
  const server = createServer((request, response) => {
    request.resume();
    const count = received.push(request.url ?? "");
    const isBad = request.url === SHAKY && count % 5 > 2;
    const answer = () => (isBad && count % 4 === 0 ? response.destroy() : response.writeHead(isBad ? 503 : 204).end());
    // After 20 to 109 milliseconds, so that the durations in the log differ.
    setTimeout(answer, 20 + ((count * 37) % 90));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  const operator = connect(baseUrl, { operatorToken });
  const api = connect(baseUrl, { apiKey });
  for (const receiver of ["/search-index", SHAKY]) {
    const url = `http://127.0.0.1:${port}${receiver}`;
    await operator.request("POST /api/webhooksubscriptions", { body: { url, blogId } });
  }
  await api.articles.create({ blogId, title: "Reading the tide tables" });
  const [newest, ...others] = await api.articles.list({ blogId, fields: ["_id", "title"] }).all();
  // First the originals and then their translations, so that these are up to date. Then one original again, so that its
  // translations are outdated.
  const stale = others.at(-1);
  for (const { _id, title } of [...others.toReversed(), newest, stale].filter((each) => each !== undefined)) {
    const expected = received.length + 2;
    await api.articles.update(_id, { title: `${title} ` });
    await api.articles.update(_id, { title });
    for (let tries = 0; received.length < expected && tries < 100; tries++) await sleep(50);
  }
  await sleep(2000);
  server.closeAllConnections();
  server.close();
}

/** Inserts delivery counts for the past 23 hours, as if the service had run for a day. */
function pretendDay(folder: string): void {
  const hours = Array.from({ length: 23 }, (_, index) => {
    const hour = toHour(new Date(Date.now() - (index + 1) * 3_600_000));
    const succeeded = Math.round(26 + 22 * Math.sin(index / 3.2) + ((index * 7) % 9));
    const failed = index % 6 === 4 ? 3 + (index % 4) : 0;
    return `('${hour}', ${succeeded}, ${failed})`;
  });
  const sql = `INSERT INTO delivery_hours (organization_id, hour, succeeded, failed)
    SELECT o.id, h.column1, h.column2, h.column3 FROM organizations o, (VALUES ${hours.join(", ")}) h WHERE true
    ON CONFLICT DO NOTHING;`;
  executeLocally(folder, sql);
}
