/** The receiver of the webhook: pages are made anew after something has changed. */
import { EdgepressError, verifyWebhook } from "@edgepress/client";
import { revalidateTag } from "next/cache";
import { TAG } from "../../../lib/edgepress";

export async function POST(request: Request) {
  try {
    const { event } = await verifyWebhook(request, process.env.EDGEPRESS_WEBHOOK_SECRET ?? "");
    if (event.startsWith("article.")) revalidateTag(TAG, { expire: 0 });
    return new Response(null, { status: 204 });
  } catch (error) {
    if (!(error instanceof EdgepressError)) throw error;
    return new Response(error.detail, { status: error.status });
  }
}
