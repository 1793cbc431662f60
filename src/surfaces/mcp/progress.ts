/** Sends the steps of a generation as progress notifications to clients that ask for them. */
import type { ServerContext } from "@modelcontextprotocol/server";
import type { Step } from "../../ai/generation/brief.ts";

/** Returns a function that notifies the client of a step. Undefined if the client sent no `progressToken`. */
export function progressOf({ mcpReq }: ServerContext): ((step: Step) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let progress = 0;
  return (step) => {
    const params = { progressToken, progress: ++progress, message: sentenceOf(step) };
    // Ignore failures: a client that has disconnected must not make the generation fail.
    void mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
}

function sentenceOf(step: Step): string {
  switch (step.step) {
    case "outline":
      return "Planning the article.";
    case "section":
      return `Writing section ${step.section} of ${step.of}.`;
    case "description":
      return "Writing the description.";
    case "image":
      return `Making image ${step.image} of ${step.of}.`;
    case "checks":
      return "Checking the article.";
    case "stored":
      return "The draft is stored.";
    case "writing":
    case "text":
      return "Writing.";
  }
}
