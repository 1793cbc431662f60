/** Valid inputs of the operations on what readers see of a blog. */
import { freshHost } from "./hosts.ts";
import type { World } from "./operations.ts";

export { newHost } from "./hosts.ts";

export const siteInputs = {
  compareLocales: ({ tenant }: World) => ({ blogId: tenant.blogId, slug: "a", structure: true, limit: 5 }),
  showBlog: ({ tenant }: World) => ({ blogId: tenant.blogId }),
  getContact: ({ contactId }: World) => ({ contactId }),
  eraseContact: ({ contactId }: World) => ({ contactId }),
  importContacts: ({ tenant }: World) => ({
    blogId: tenant.blogId,
    from: "Valid",
    contacts: [{ email: `${freshHost()}@example.com`, state: "subscribed" }],
    dryRun: false,
  }),
  searchBlog: ({ tenant }: World) => ({ blogId: tenant.blogId, q: "world", locale: "en", limit: 5 }),
  getSite: ({ tenant }: World) => ({ blogId: tenant.blogId }),
  listHosts: ({ tenant }: World) => ({ blogId: tenant.blogId }),
  addHost: ({ tenant }: World) => ({ blogId: tenant.blogId, host: freshHost() }),
  checkHost: ({ tenant, host }: World) => ({ blogId: tenant.blogId, host }),
  removeHost: ({ tenant, host }: World) => ({ blogId: tenant.blogId, host }),
  listRedirects: ({ tenant }: World) => ({ blogId: tenant.blogId, query: "/", limit: 5, skip: 0 }),
  addRedirect: ({ tenant }: World) => ({ blogId: tenant.blogId, from: `/${freshHost()}`, to: "/archive" }),
  addRedirects: ({ tenant }: World) => ({
    blogId: tenant.blogId,
    redirects: [{ from: `/${freshHost()}`, to: "/archive" }],
  }),
  removeRedirect: ({ tenant, redirectId }: World) => ({ blogId: tenant.blogId, redirectId }),
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
