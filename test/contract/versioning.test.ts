/** Contract 17.1: the version. */
import { describe, expect, it } from "vitest";
import packageJson from "../../package.json";
import { routes } from "../../src/surfaces/rest/routes.ts";
import { outcome } from "../helpers/outcome.ts";
import { sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant } from "../helpers/tenant.ts";

type Document = { info: { version: string }; paths: Record<string, Record<string, unknown>> };

describe("versioning", () => {
  it("is that of the package, and the health check says it, too", async () => {
    const { version } = packageJson;
    expect(await sendJson<Document>(200, "/openapi.json")).toMatchObject({ info: { version } });
    expect(await sendJson(200, "/healthz")).toMatchObject({ version });
  });

  it("paths carry no version segment", async () => {
    const { paths } = await sendJson<Document>(200, "/openapi.json");
    const all = [...Object.keys(paths), ...routes.map(({ path }) => path)];
    expect(all).toContain("/api/articles");
    expect(all.filter((path) => /\/v\d/i.test(path))).toEqual([]);
  });

  it("no path with a version segment is answered", async () => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant);
    expect(await outcome(`/api/articles/${_id}`)).toBe("200");
    for (const path of [`/v1/api/articles/${_id}`, `/api/v1/articles/${_id}`, `/1.0.0/api/articles/${_id}`]) {
      expect(await outcome(path)).toBe("404 route_not_found");
    }
  });

  it("the document of the interface describes every route, by the methods that it answers", async () => {
    const { paths } = await sendJson<Document>(200, "/openapi.json");
    const described = Object.entries(paths).flatMap(([path, item]) =>
      ["get", "post", "put", "patch", "delete"]
        .filter((method) => method in item)
        .map((method) => `${method} ${path.replaceAll(/\{\w+\}/g, "{}")}`),
    );
    // The document calls a parameter the same for all methods of a path.
    const served = routes.map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, "{}")}`);
    for (const route of served) expect(described).toContain(route);
  });
});
