/** `npm run costs`: writes the table of costs into docs/operations.md. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import budgets from "../test/budgets/budgets.json" with { type: "json" };
import { updateCosts } from "./lib/costs.ts";

const DOCUMENT = path.join(path.resolve(import.meta.dirname, ".."), "docs/operations.md");

writeFileSync(DOCUMENT, updateCosts(readFileSync(DOCUMENT, "utf8"), budgets));
