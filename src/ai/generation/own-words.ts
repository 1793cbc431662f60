import type { Brief } from "./brief.ts";

/** Returns what the request itself says, and the idea or the article that it names. */
export function collectOwnWords({ subject, instructions, keywords }: Brief): string {
  const own = [instructions, ...keywords];
  if (subject.kind === "topic") own.push(subject.topic);
  else if (subject.kind === "idea") own.push(subject.idea.title, subject.idea.summary, subject.idea.angle);
  else own.push(subject.article.title, subject.article.description, subject.article.content);
  return own.join("\n");
}
