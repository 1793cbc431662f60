/** The commands `blogs hosts`, against the service as `npm start` runs it. */
import { expect, it } from "vitest";
import { sharedRun } from "../e2e/shared.ts";
import { useService } from "./service.ts";

const { edgepress, json, refused, newBlog } = await useService();

it("hosts of a blog are added with their DNS records, listed, checked and removed", async () => {
  const blog = await newBlog();
  const hosts = (...args: string[]) => ["blogs", "hosts", ...args, "--blog", blog];
  const added = await edgepress(hosts("add", "Journal.example.com"));
  expect(added.code).toBe(0);
  expect(added.stdout).toMatch(
    /^TXT {2}_edgepress\.journal\.example\.com {2}edgepress-verification=\w+\nCNAME {2}journal/,
  );
  expect((await edgepress(hosts("list"))).stdout).toMatch(/journal\.example\.com +pending/);
  expect(await refused(hosts("add", "localhost"))).toMatchObject({ code: "invalid_request", exit: 2 });
  const { feeds } = await sharedRun();
  await fetch(`${feeds}/_dns/_edgepress.journal.example.com`, { method: "PUT", body: '{"behave":"error"}' });
  expect(await refused(hosts("check", "journal.example.com"))).toMatchObject({ code: "dns_unavailable", exit: 1 });
  expect(await refused(hosts("remove", "journal.example.com"))).toMatchObject({ code: "confirmation_required" });
  expect(await json(hosts("remove", "journal.example.com", "--yes"))).toEqual({ _id: "journal.example.com" });
  expect(await json(hosts("list"))).toEqual([]);
});
