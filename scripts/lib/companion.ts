/**
 * Accompanies `npx wrangler dev` until it ends: keeps other runs away from its state, runs its cron, and loads the demo at
 * the first start.
 *
 * Usage: node companion.ts PID STATE_FOLDER (wrangler-dev.ts spawns it; its output is in wrangler.log)
 */
import { connect } from "./api.ts";
import { startCron } from "./cron.ts";
import { RESTING } from "./demo-access.ts";
import { holdState } from "./hold.ts";
import { findDemo } from "./local-database.ts";
import { uploadPictures } from "./pictures.ts";
import { publishShowpiece, seedContent } from "./seed.ts";
import { openState } from "./state.ts";

const [pid = "", folder = ""] = process.argv.slice(2);

setInterval(() => {
  try {
    process.kill(Number(pid), 0);
  } catch {
    process.exit();
  }
}, 500);

const state = openState(folder);
await holdState(folder);
const local = state.local();
if (local === null) throw new Error("wrangler-dev.ts has not written local.json.");
await startCron(local.baseUrl);
const api = connect(local.baseUrl, { apiKey: local.apiKey });
const demo = findDemo(folder, (await state.credentials()).organizationId);
const resting = RESTING[demo.state];
if (resting !== undefined) console.log(`The organization of the demo ${resting}`);
else if (local.blogId === "" || !demo.isLoaded) {
  const blogId = await seedContent(api, await uploadPictures(api));
  if (blogId !== "") await publishShowpiece(api, blogId);
  state.publish({ ...local, blogId });
}
