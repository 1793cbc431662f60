/** Valid inputs of the operations on what readers see of a blog. */
import { freshHost } from "./hosts.ts";
import type { World } from "./operations.ts";

export { newHost } from "./hosts.ts";

export const GUIDE = { text: "Plain words.", avoid: [{ term: "utilize", use: "use" }] };

export const siteInputs = {
  compareLocales: ({ tenant }: World) => ({ blogId: tenant.blogId, slug: "a", structure: true, limit: 5 }),
  importContacts: ({ tenant }: World) => ({
    blogId: tenant.blogId,
    from: "Valid",
    contacts: [{ email: `${freshHost()}@example.com`, state: "subscribed" }],
    dryRun: false,
  }),
  searchBlog: ({ tenant }: World) => ({ blogId: tenant.blogId, q: "world", locale: "en", limit: 5 }),
  addHost: ({ tenant }: World) => ({ blogId: tenant.blogId, host: freshHost() }),
  listRedirects: ({ tenant }: World) => ({ blogId: tenant.blogId, query: "/", limit: 5, skip: 0 }),
  addRedirect: ({ tenant }: World) => ({ blogId: tenant.blogId, from: `/${freshHost()}`, to: "/archive" }),
  addRedirects: ({ tenant }: World) => ({
    blogId: tenant.blogId,
    redirects: [{ from: `/${freshHost()}`, to: "/archive" }],
  }),
  updateSite: ({ tenant }: World) => ({
    blogId: tenant.blogId,
    enabled: true,
    description: "Valid",
    siteUrl: "https://valid.example.com",
    articlePath: "/{locale}/{slug}",
    feedContent: "excerpt",
    accentColor: "#0f766e",
    font: "sans",
    logoUrl: "",
    menu: [{ label: "Valid", url: "/en/about" }],
    newsletter: "Valid",
  }),
};
