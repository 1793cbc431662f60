/**
 * `npm start`: runs the whole service on this machine, without the network. The first start creates the local database
 * and the demo. `npm run dev` does the same with `wrangler dev`, which rebuilds the Worker when its source changes.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { buildAssets } from "./build-assets.ts";
import { connect } from "./lib/api.ts";
import { fetchAnswer } from "./lib/ask.ts";
import { makeBanner, formatDelivery } from "./lib/banner.ts";
import { buildWorker } from "./lib/build-worker.ts";
import { runCron, startCron } from "./lib/cron.ts";
import { makeLocalSettings, OWNER_EMAIL, prepareDemo, RESTING } from "./lib/demo-access.ts";
import { Failure, runScript } from "./lib/failure.ts";
import { holdState } from "./lib/hold.ts";
import { findDemo, listLocalDatabases } from "./lib/local-database.ts";
import { sortOutput } from "./lib/output.ts";
import { uploadPictures } from "./lib/pictures.ts";
import { parsePort, requireFree } from "./lib/port.ts";
import { Deliveries, startReceiver, type Receiver } from "./lib/receiver.ts";
import {
  moveFeed,
  moveSubscription,
  publishShowpiece,
  seedContent,
  seedTopics,
  subscribeReceiver,
} from "./lib/seed.ts";
import { readSettings } from "./lib/settings.ts";
import { waitForStop } from "./lib/signals.ts";
import { openState, getStateFolder, type Credentials, type Local, type State } from "./lib/state.ts";
import { isStopping, startBuiltWorker, startWrangler, stopPrograms, type Running } from "./lib/wrangler.ts";

/** Milliseconds to wait for the Worker's first successful response. */
const START_MS = 120_000;
/** How many starts in a row may fail: the Worker ends before it is ready. */
const MOST_FAILED_STARTS = 5;

const HELP = `Settings are variables of the environment, such as PORT=8790 and EDGEPRESS_STATE=folder:
README.md, docs/deploy.md, docs/generation.md.`;

/** Milliseconds that the banner waits for the first delivery. */
const FIRST_DELIVERY_MS = 10_000;

await runScript(() => Promise.race([main(), stopped()]), stopPrograms);

async function main(): Promise<number> {
  const reloads = parseReload(process.argv.slice(2));
  const port = parsePort(process.env["PORT"]);
  const asked = await readSettings(process.env);
  const baseUrl = `http://127.0.0.1:${port}`;
  const state = openState(getStateFolder());
  await requireFree(port, state);
  await holdState(state.folder);
  const credentials = await state.credentials();
  const earlier = state.local();
  if (earlier !== null) state.publish({ ...earlier, baseUrl });

  console.log("Preparing the local database …");
  await buildAssets();
  await prepareDemo(state, credentials);
  if (reloads && listLocalDatabases(state.folder).length > 1)
    throw new Failure("npm run dev has one database only, as wrangler.toml has: use npm start for one with shards.");
  const deliveries = new Deliveries();
  const receiver = await startReceiver({
    port: port + 1,
    secret: () => state.webhook()?.secret ?? null,
    onDelivery: (delivery) => deliveries.add(delivery),
  });

  console.log("Starting the Worker …");
  // The user's settings, overridden by those that a local run needs.
  const settings = { SIGN_UP: "open", ...asked, ...makeLocalSettings(credentials), BASE_URL: baseUrl };
  const settingsFile = state.settingsFile(settings);
  const startWorker = reloads
    ? () => startDev(state, port, settingsFile)
    : await makeBuiltStarter(state, port, settingsFile);
  const worker = startWorker();
  const setting = { credentials, baseUrl, receiver, model: asked["AI_MODEL"] ?? "" };
  await Promise.race([introduce(state, setting, deliveries), failAtEnd(worker, state)]);
  return supervise(worker, startWorker, state, baseUrl);
}

/** Returns true for `--reload`. Throws a `Failure` for other arguments: settings come from the environment. */
function parseReload(args: readonly string[]): boolean {
  const unknown = args.find((arg) => arg !== "--reload");
  if (unknown === undefined) return args.length > 0;
  throw new Failure(`npm start takes no arguments (${unknown}). ${HELP}`, unknown === "--help" ? 0 : 2);
}

/** Restarts the Worker whenever it ends by itself. Throws a `Failure` after too many failed starts. Never returns. */
async function supervise(first: Running, again: () => Running, state: State, baseUrl: string): Promise<never> {
  let worker = first;
  let failedStarts = 0;
  for (;;) {
    await worker.ended;
    if (isStopping()) return new Promise(() => undefined);
    if (failedStarts > MOST_FAILED_STARTS) return failAtEnd(worker, state);
    console.log("The Worker ended unexpectedly and is being restarted.");
    worker = again();
    const answers = ready(baseUrl).then(
      () => true,
      () => false,
    );
    const isUp = await Promise.race([answers, worker.ended.then(() => false)]);
    failedStarts = isUp ? 0 : failedStarts + 1;
    if (isUp) void runCron(baseUrl);
  }
}

/** Waits for the Worker, completes the demo, prints the banner, and from then on prints each delivery. */
async function introduce(state: State, setting: Setting, deliveries: Deliveries): Promise<void> {
  await ready(setting.baseUrl);
  const local = await completeDemo(state, setting, deliveries);
  console.log(makeBanner(local, setting.receiver.url, state.folder));
  deliveries.showFrom((delivery) => console.log(formatDelivery(delivery)));
  // Last, so that waiting deliveries go to the receiver of this run.
  void startCron(setting.baseUrl);
}

/** Throws a `Failure` with the Worker's exit code when it ends. */
async function failAtEnd(worker: Running, state: State): Promise<never> {
  const code = await worker.ended;
  throw new Failure(`The Worker has ended unexpectedly (exit code ${code}). Its log: ${state.wranglerLog}`, code || 1);
}

/** Waits until the user or npm stops this script. Returns the exit code, 0. */
async function stopped(): Promise<number> {
  const signal = await waitForStop();
  if (signal !== null) console.log("\nStopping. The data is kept.");
  return 0;
}

/** Builds the Worker. Returns a function that runs it. */
async function makeBuiltStarter(state: State, port: number, settingsFile: string): Promise<() => Running> {
  const worker = await buildWorker(state.wranglerFolder);
  return () =>
    startLogged(state, () =>
      startBuiltWorker({ worker, state: state.folder, port, settingsFile }, state.wranglerFolder),
    );
}

function startDev(state: State, port: number, settingsFile: string): Running {
  const local = ["--local", "--persist-to", state.folder];
  const address = ["--ip", "127.0.0.1", "--port", String(port), "--inspector-port", "0"];
  const settings = ["--env-file", settingsFile, "--show-interactive-dev-session=false"];
  // Not minified, so that the stack traces in the local log are readable.
  const args = ["dev", ...local, ...address, ...settings, "--minify=false"];
  return startLogged(state, () => startWrangler(args, state.wranglerFolder));
}

function startLogged(state: State, start: () => Running): Running {
  state.rotateLogs();
  const running = start();
  sortOutput(running, state);
  return running;
}

/** Waits until /healthz answers with success. Throws a `Failure` with its last answer after START_MS. */
async function ready(baseUrl: string): Promise<void> {
  const limit = Date.now() + START_MS;
  let problem = "it does not answer";
  while (Date.now() < limit) {
    const answer = await fetchAnswer(`${baseUrl}/healthz`, 5000).catch(() => null);
    if (answer?.ok) return;
    if (answer) problem = answer.text || problem;
    await sleep(100);
  }
  throw new Failure(`The Worker did not become ready: ${problem}`);
}

type Setting = {
  readonly credentials: Credentials;
  readonly baseUrl: string;
  readonly receiver: Receiver;
  readonly model: string;
};

/** Creates the demo unless an earlier start has completed it. Writes addresses and credentials to local.json. */
async function completeDemo(state: State, setting: Setting, deliveries: Deliveries): Promise<Local> {
  const { baseUrl, model } = setting;
  const { url: receiverUrl, feedUrl } = setting.receiver;
  const { organizationId, apiKey, readOnlyKey, operatorToken, password } = setting.credentials;
  const api = connect(baseUrl, { apiKey });
  const operator = connect(baseUrl, { operatorToken });
  const known = state.local();
  let blogId = known?.blogId ?? "";
  // Ask the database, too: somebody may have deleted it but not local.json.
  const demo = findDemo(state.folder, organizationId);
  const resting = RESTING[demo.state];
  if (resting !== undefined) console.log(`The organization of the demo ${resting}`);
  else if (known !== null && demo.isLoaded) {
    await moveSubscription(operator, state, receiverUrl);
    await moveFeed(api, blogId, feedUrl);
  } else {
    console.log("Loading the demo …");
    blogId = await seedContent(api, await uploadPictures(api));
    await subscribeReceiver(operator, state, receiverUrl);
    if (blogId !== "") {
      await publishShowpiece(api, blogId);
      await seedTopics(api, blogId, feedUrl);
      await Promise.race([deliveries.first, sleep(FIRST_DELIVERY_MS)]);
    }
  }
  const email = OWNER_EMAIL;
  const local = { baseUrl, blogId, apiKey, readOnlyKey, operatorToken, email, password, feedUrl, model };
  state.publish(local);
  return local;
}
