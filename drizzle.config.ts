import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "sqlite",
  schema: [
    "./src/store/schema.ts",
    "./src/store/accounts-schema.ts",
    "./src/store/ideas-schema.ts",
    "./src/store/apps-schema.ts",
  ],
  out: "./migrations",
});
