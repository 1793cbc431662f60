/** Briefs and scripted models, for tests of what the pipeline does with a model's answers. */
import type { Image, ImageModel, ObjectRequest, TextModel } from "../../src/ai/model.ts";
import type {
  Brief,
  Check,
  CheckName,
  Generated,
  Idea,
  SourceArticle,
  Step,
  Tools,
} from "../../src/ai/generation/brief.ts";
import { writeArticle } from "../../src/ai/generation/write.ts";

/** Returns a brief for 660 words, which means three sections. `changes` replace whole fields. */
export const briefOf = (changes: Partial<Brief> = {}): Brief => ({
  subject: { kind: "topic", topic: "Choosing a bicycle for the city" },
  blog: { name: "Wheels", articles: [] },
  locale: "en",
  instructions: "",
  keywords: [],
  tone: "",
  words: 660,
  coverImage: false,
  inlineImages: false,
  ...changes,
});

export const ideaOf = (changes: Partial<Idea> = {}): Brief["subject"] => ({
  kind: "idea",
  idea: {
    title: "Cities count bicycles",
    summary: "More people ride.",
    angle: "",
    url: "https://news.example/bicycles",
    keywords: ["cycling"],
    ...changes,
  },
});

export const articleOf = (content: string, changes: Partial<SourceArticle> = {}): SourceArticle => ({
  title: "City bicycles",
  description: "What to look for in a bicycle for the city.",
  content,
  locale: "en",
  ...changes,
});

/** A request to the text model. */
export type Asked = { readonly name: string; readonly system: string; readonly prompt: string };

type Answers = Readonly<Record<string, unknown>>;
type Answer = unknown | ((asked: Asked) => unknown);

/** A usable answer for each kind of request, by its name. */
export const ANSWERS: Answers = {
  outline: {
    title: "City bicycle: how to choose one that lasts",
    primaryKeyword: "city bicycle",
    sections: ["The frame", "The tyres", "The price"].map((heading) => ({ heading, points: ["A point"], words: 220 })),
  },
  opening: { lead: "A city bicycle is ridden every day.", content: "Steel forgives, aluminium is light." },
  section: { content: "Wide tyres roll well over bad roads." },
  description: {
    description: "How to choose a city bicycle: which frame fits, which tyres roll well, and what a good one costs.",
    slug: "choose-city-bicycle",
    keywords: ["city bicycle", "tyres"],
  },
  images: {
    images: ["a", "b", "c", "d"].map((name) => ({ prompt: `A drawing of ${name}`, alt: `Bicycle ${name}` })),
  },
};

/**
 * Returns a model that takes its answers from `answers`, by the name of the request; a function is called. An answer
 * that does not fit its schema fails the test. Each answer counts one repair.
 */
export function scripted(answers: Readonly<Record<string, Answer>> = {}) {
  const asked: Asked[] = [];
  const text: TextModel = {
    provider: "test",
    model: "scripted",
    async object<T>({ name, schema, system, prompt, signal }: ObjectRequest<T>) {
      signal.throwIfAborted();
      asked.push({ name, system, prompt });
      const answer: unknown = answers[name] ?? ANSWERS[name];
      const value: unknown = typeof answer === "function" ? await answer({ name, system, prompt }) : answer;
      // The schema wants exactly as many images as the prompt asks for.
      const fitting = name === "images" ? imagesFor(prompt, value) : value;
      return { value: schema.parse(fitting), repairs: 1 };
    },
  };
  return { text, asked };
}

function imagesFor(prompt: string, value: unknown): unknown {
  const wanted = Number(/Commission (\d+) images/.exec(prompt)?.[1] ?? 1);
  return { images: (value as { images: unknown[] }).images.slice(0, wanted) };
}

export const PICTURE: Image = { bytes: new Uint8Array([1, 2, 3]), mediaType: "image/png" };

/** Returns tools without images, and the list to which reported steps are added. */
export function toolsOf(text: TextModel, changes: Partial<Tools> = {}): { tools: Tools; steps: Step[] } {
  const steps: Step[] = [];
  const tools: Tools = {
    text,
    image: null,
    keepImage: async () => "https://cdn.example/image.png",
    tell: (step) => void steps.push(step),
    signal: new AbortController().signal,
    ...changes,
  };
  return { tools, steps };
}

/** Returns a model that draws an image for every prompt, or fails if `fail` returns an error. */
export const drawing = (fail: (prompt: string, signal: AbortSignal) => unknown = () => undefined): ImageModel => ({
  provider: "test",
  model: "pencil",
  async image({ prompt, signal }) {
    const error: unknown = await fail(prompt, signal);
    if (error !== undefined) throw error;
    return PICTURE;
  },
});

/** Writes an article with a scripted model. */
export async function write(brief: Brief, answers: Parameters<typeof scripted>[0] = {}) {
  const { text, asked } = scripted(answers);
  const { tools, steps } = toolsOf(text);
  return { ...(await writeArticle(brief, tools)), asked, steps };
}

/** Returns the check with this name. */
export const checkOf = ({ checks }: Pick<Generated, "checks">, name: CheckName): Check | undefined =>
  checks.find((check) => check.name === name);
