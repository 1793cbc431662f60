/**
 * What the examples send. An identifier stands for one kind of thing wherever it occurs, so that the test of the examples
 * can replace it with a real one.
 */
import type { Sample } from "../../src/domain/sample.ts";
import type { Operation } from "./document.ts";

/** By the name of the parameter or the member. */
export const SAMPLE_IDS: Readonly<Record<string, string>> = {
  blogId: "019a9d3c-1b2c-7d3e-8f4a-5b6c7d8e9f0a",
  articleId: "019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d",
  previewId: "019a9d3e-20c1-7b48-a3d2-6e7f8091a2b3",
  tagId: "019a9d3c-a1d4-7e52-8c6b-0f1e2d3c4b5a",
  authorId: "019a9d3c-b2e5-7f63-9d7c-1a2b3c4d5e6f",
  topicId: "019a9d3d-44a7-7c19-b8e0-2b3c4d5e6f70",
  generationId: "019a9d3d-6d29-7e3b-a0b2-4d5e6f708192",
  refreshId: "019a9d3d-5b18-7d2a-8f91-3c4d5e6f7081",
  webhookSubscriptionId: "019a9d3d-0b11-7a4c-9d3e-5f6a7b8c9d0e",
  deadLetterId: "019a9d3e-6c29-7e3b-9aa2-4d5e6f708192",
  apiKeyId: "019a9d3e-7d3a-7f4c-8bb3-5e6f708192a3",
  accessTokenId: "019a9d3e-8e4b-705d-9cc4-6f708192a3b4",
  memberId: "019a9d3f-9f5c-716e-8dd5-708192a3b4c5",
  invitationId: "019a9d3f-a06d-727f-9ee6-8192a3b4c5d6",
  otherTagId: "019a9d3f-b17e-7380-8ff7-92a3b4c5d6e7",
  otherAuthorId: "019a9d3f-c28f-7491-9008-a3b4c5d6e7f8",
  eventId: "019a9d3d-1c22-7b5d-8e4f-60718293a4b5",
  host: "journal.example.com",
  importId: "019a9d40-06c3-78d5-a44c-e7f8091a2b3c",
  redirectId: "019a9d3f-f5b2-77c4-933b-d6e7f8091a2b",
  contactId: "019a9d3f-e4a1-76b3-822a-c5d6e7f8090a",
  mediaId: "019a9d3f-d390-75a2-8119-b4c5d6e7f809",
};

const id = (name: string): string => SAMPLE_IDS[name] ?? "";

/** Samples of operations that the registry does not have. */
const FURTHER: Readonly<Record<string, Sample>> = {
  "contacts.subscribe": { body: { email: "ada@example.com", locale: "en" } },
};

/** Returns what the examples of an operation send, with identifiers filled in. */
export function getSample({ id: name, sample }: Operation): Sample {
  const text = JSON.stringify(sample ?? FURTHER[name] ?? {});
  return JSON.parse(text.replaceAll(/\{(\w+)\}/g, (_, its: string) => id(its))) as Sample;
}

/** Returns the value of a parameter in a path, or {@link UNKNOWN}. */
export function getPathSample({ path }: Operation, name: string): string {
  if (name === "revision") return "1";
  if (name === "idOrSlug") return id("articleId");
  if (name === "id" && path.startsWith("/media")) return id("mediaId");
  if (name === "file") return `${id("articleId")}.md`;
  return SAMPLE_IDS[name] ?? UNKNOWN;
}

/** Belongs to nothing, so the test of the examples fails until the parameter has a sample. */
const UNKNOWN = "019a9d40-0000-7000-8000-000000000000";
