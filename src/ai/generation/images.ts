/** The images of an article. An image that fails is a degradation: the article is useful without it. */
import type { ImageModel } from "../model.ts";
import { DomainError } from "../../domain/errors.ts";
import { plainLine } from "../../lib/plain-line.ts";
import { makeImagesSchema } from "./answers.ts";
import type { Brief, Generated, Tools } from "./brief.ts";
import type { Plan } from "./plan.ts";
import { buildImagesPrompt } from "./prompts.ts";
import type { Run } from "./run.ts";
import { countNoun } from "./sentences.ts";

type MadeImage = Generated["images"][number];

/** An image, and the index of the section that it follows; null for the cover. */
export type Illustration = MadeImage & { readonly after: number | null };

type Place = Pick<Illustration, "role" | "after">;
type Commission = Place & { readonly prompt: string; readonly alt: string };

/** Returns the images that succeeded, the cover first. A failure is a degradation. */
export async function generateImages(brief: Brief, plan: Plan, tools: Tools, run: Run): Promise<Illustration[]> {
  const places = planPlaces(brief, plan.sections.length);
  if (places.length === 0) return [];
  const model = tools.image;
  if (model === null) {
    run.degrade("No image model is configured, so there are no images.");
    return [];
  }
  const commissions = await planImages(brief, plan, places, run);
  const drawn = await run.each(commissions, async (wanted, index) => {
    run.begin({ step: "image", image: index + 1, of: commissions.length });
    return generateImage(wanted, model, tools, run).finally(run.count);
  });
  return drawn.flatMap((image) => {
    if (typeof image !== "string") return [image];
    run.degrade(image);
    return [];
  });
}

/** Returns how many calls of models the images of an article with this many sections take, with the one that plans them. */
export function countImageCalls(brief: Brief, { image }: Pick<Tools, "image">, sections: number): number {
  const places = image === null ? 0 : planPlaces(brief, sections).length;
  return places === 0 ? 0 : places + 1;
}

const MOST_INLINE = 3;

/** Spreads images evenly over the article, with none after the last section. */
export function planPlaces({ coverImage, inlineImages }: Brief, sections: number): Place[] {
  const inline = inlineImages ? Math.min(MOST_INLINE, Math.floor(sections / 2)) : 0;
  const cover: Place[] = coverImage ? [{ role: "cover", after: null }] : [];
  const step = sections / inline;
  return cover.concat(
    Array.from({ length: inline }, (_, index) => ({ role: "inline", after: Math.floor(index * step) })),
  );
}

export const namePlace = ({ after }: Place): string =>
  after === null ? "The cover, for the whole article" : `An image at the end of section ${after + 1}`;

/** Asks the text model for the prompts and alt texts. Returns [] if that fails. */
async function planImages(brief: Brief, plan: Plan, places: readonly Place[], run: Run): Promise<Commission[]> {
  try {
    const { images } = await run.ask({
      name: "images",
      schema: makeImagesSchema(places.length),
      ...buildImagesPrompt(brief, plan, places.map(namePlace)),
    });
    return places.flatMap((place, index) => {
      const image = images[index];
      return image === undefined ? [] : [{ ...place, prompt: image.prompt, alt: plainLine(image.alt) }];
    });
  } catch (error) {
    run.degrade(`${countNoun(places.length, "image")} could not be planned: ${describeError(error)}`);
    return [];
  }
}

/** Returns the image, or a sentence that says why it failed. */
async function generateImage(
  wanted: Commission,
  model: ImageModel,
  tools: Tools,
  run: Run,
): Promise<Illustration | string> {
  const { role, after, prompt, alt } = wanted;
  try {
    const former = await tools.findImage?.(prompt);
    if (former) return { role, after, url: former, alt };
    const image = await run.whileWanted((signal) => model.image({ prompt, signal }));
    const url = await run.whileWanted(() => tools.keepImage(image, prompt));
    return { role, after, url, alt };
  } catch (error) {
    const name = after === null ? "The cover image" : `The image at the end of section ${after + 1}`;
    return `${name} could not be made: ${describeError(error)}`;
  }
}

/** The message of a `DomainError` is written for callers. If the run has ended, its next step throws the reason. */
function describeError(error: unknown): string {
  return error instanceof DomainError ? error.message : "an unexpected error.";
}
