/** The receiver of the webhook: pages are made anew after something has changed. */
import { EdgepressError, verifyWebhook } from "@edgepress/client";
import type { APIRoute } from "astro";
import { forgetPages } from "../../kept";

export const POST: APIRoute = async ({ request }) => {
  try {
    const { event } = await verifyWebhook(request, process.env.EDGEPRESS_WEBHOOK_SECRET ?? "");
    if (event.startsWith("article.")) forgetPages();
    return new Response(null, { status: 204 });
  } catch (error) {
    if (!(error instanceof EdgepressError)) throw error;
    return new Response(error.detail, { status: error.status });
  }
};
