/** Measures the parts of the Worker that are loaded on first use: their first request and later ones. */
import { PORTS } from "./runtime.ts";
import { median } from "./statistics.ts";

/** Milliseconds of the first request, and the median of later ones. */
export type FirstUse = { readonly name: string; readonly first: number; readonly later: number };

/** What needs no session. The first request of each one loads its part of the Worker. */
const PAGES = [
  { name: "the REST API: a list of articles", path: "/api/articles?blogId=01900000-0000-7000-8000-000000000000" },
  { name: "console: the sign-in page", path: "/console/sign-in" },
  { name: "the OpenAPI document", path: "/openapi.json" },
];

/** Measures all pages. Call it on a runtime that has not answered any request yet. */
export async function firstUses(): Promise<FirstUse[]> {
  const measured: FirstUse[] = [];
  for (const { name, path } of PAGES) {
    const first = await timed(path);
    const later: number[] = [];
    for (let i = 0; i < 30; i++) later.push(await timed(path));
    measured.push({ name, first, later: median(later) });
  }
  return measured;
}

async function timed(path: string): Promise<number> {
  const started = performance.now();
  const response = await fetch(`http://127.0.0.1:${PORTS.service}${path}`);
  await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return performance.now() - started;
}
