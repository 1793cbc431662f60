import node from "@astrojs/node";
import { defineConfig } from "astro/config";

// Pages are made when somebody asks for them, and kept until a webhook says that something has changed.
export default defineConfig({
  output: "server",
  adapter: node({ mode: "standalone" }),
  // Webhooks are signed. Forms of other sites, which this setting is about, there are none.
  security: { checkOrigin: false },
});
