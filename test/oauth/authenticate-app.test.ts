import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { authenticateApp } from "../../src/surfaces/oauth/server/authenticate.ts";
import { connectApp } from "../helpers/connected.ts";
import { newMember } from "../helpers/people.ts";
import { ORIGIN } from "../helpers/requests.ts";
import { newTenant } from "../helpers/tenant.ts";

const setting = { db: env.DB, baseUrl: ORIGIN };

describe("an application's access token", () => {
  it("stands for its person in one organization, with the scopes that were granted", async () => {
    const { organizationId } = await newTenant();
    const { userId } = await newMember(organizationId, "owner");
    const token = await connectApp({ userId, organizationId, scopes: ["articles:read"], resource: "/mcp" });
    const { principal, secret } = await authenticateApp(setting, "/mcp", token, new Date());
    expect(principal).toMatchObject({ kind: "app", organizationId, role: "owner", pinnedBlogId: null });
    expect(principal).toMatchObject({ grants: new Set(["articles:read"]) });
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(token).not.toContain(userId);
  });
});
