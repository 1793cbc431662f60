/** The wire format of image generations (`POST /images/generations`). */
import type { Call } from "./call.ts";
import { apiError, json } from "./call.ts";
import { named, TAKEOVERS } from "./behaviours.ts";
import { hash, worded } from "./prompt.ts";
import { png } from "./png.ts";

const data = (call: Call, image: object): void =>
  json(call.response, 200, { created: Math.floor(Date.now() / 1000), data: [image] });

const encoded = (bytes: Buffer) => ({ b64_json: bytes.toString("base64") });

/** Behaviours for images only. Those of chat completions also work here, such as `image-hang` or `image-status-500`. */
const IMAGES: Readonly<Record<string, (call: Call) => void>> = {
  "image-fails": ({ response }) => json(response, 500, apiError("The server had an error")),
  "image-refused": ({ response }) =>
    json(response, 400, apiError("Your request was rejected by our safety system.", "content_policy_violation")),
  "image-url": (call) => data(call, { url: `http://${call.seen.headers.host ?? ""}/ok/fetched/v1/image.png` }),
  "image-jpeg": (call) => data(call, encoded(Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0]))),
  "image-webp": (call) => data(call, encoded(Buffer.from("RIFF\x04\x00\x00\x00WEBPVP8 "))),
  "image-text": (call) => data(call, encoded(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"))),
  "image-not-base64": (call) => data(call, { b64_json: "~~~ not base64 ~~~" }),
  "image-huge": (call) => data(call, encoded(Buffer.concat([png(1, [0, 0, 0]), Buffer.alloc(11 * 1024 * 1024)]))),
  "image-cut": (call) => data(call, encoded(png(64, [0, 0, 0]).subarray(0, 60))),
  "image-none": (call) => data(call, {}),
};

/** Answers with a PNG of 64 by 64 pixels. Its colour depends on the prompt. */
export async function draw(call: Call): Promise<void> {
  for (const part of call.behaviours) {
    const own = IMAGES[part];
    if (own !== undefined) return own(call);
    const takeover = part.startsWith("image-") ? named(TAKEOVERS, part.slice("image-".length)) : undefined;
    const taken = takeover?.found(call, takeover.number) ?? false;
    if (taken !== false) return taken === true ? undefined : taken;
  }
  if (call.script !== undefined) return json(call.response, 200, call.script.answer);
  const color = hash(worded(call.body["prompt"]));
  data(call, encoded(png(64, [color & 0xff, (color >> 8) & 0xff, (color >> 16) & 0xff])));
}

/** Returns true if a part of the path is a known behaviour for images. */
export const isKnownImage = (part: string): boolean =>
  part in IMAGES || (part.startsWith("image-") && named(TAKEOVERS, part.slice("image-".length)) !== undefined);
