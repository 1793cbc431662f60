import { DomainError } from "../domain/errors.ts";
import { withDeadline } from "./deadline.ts";
import type { Provider } from "./failures.ts";
import { callAgain } from "./retry.ts";
import type { Image, ImageModel } from "./model.ts";

type Adapter = {
  readonly provider: Provider;
  readonly timeoutMs: number;
  /** Requests one image. May throw anything. */
  readonly draw: (prompt: string, signal: AbortSignal) => Promise<{ image: { readonly uint8Array: Uint8Array } }>;
};

/** Returns an image model that checks the size and type of each image. It throws `DomainError` with an `ai_*` code. */
export const makeImageModel = ({ provider, timeoutMs, draw }: Adapter): ImageModel => ({
  provider: provider.name,
  model: provider.model,
  image: ({ prompt, signal }) =>
    withDeadline(signal, timeoutMs, (signal, until) =>
      callAgain(provider, { signal, until }, async () => {
        const { image } = await draw(prompt, signal);
        return checkImage(image.uint8Array);
      }),
    ),
});

const MOST_BYTES = 10 * 1024 * 1024;

/** The bytes with which each type of image begins. "any" matches any byte. */
const SIGNATURES: readonly { mediaType: Image["mediaType"]; first: readonly (number | "any")[] }[] = [
  { mediaType: "image/png", first: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { mediaType: "image/jpeg", first: [0xff, 0xd8, 0xff] },
  {
    mediaType: "image/webp",
    first: [0x52, 0x49, 0x46, 0x46, "any", "any", "any", "any", 0x57, 0x45, 0x42, 0x50],
  },
];

/**
 * Returns the image with the type that its bytes show, because the provider's media type may be wrong. Throws
 * `ai_invalid_answer` for other types, and for more than `MOST_BYTES` bytes.
 */
function checkImage(bytes: Uint8Array): Image {
  if (bytes.byteLength > MOST_BYTES)
    throw new DomainError("ai_invalid_answer", "The image is larger than 10 MiB. Choose another model.");
  const known = SIGNATURES.find(({ first }) => first.every((byte, at) => byte === "any" || byte === bytes[at]));
  if (known === undefined)
    throw new DomainError("ai_invalid_answer", "The model's answer is not a PNG, JPEG or WebP image.");
  return { bytes: new Uint8Array(bytes), mediaType: known.mediaType };
}
