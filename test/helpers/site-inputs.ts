/** Valid inputs of the operations on what readers see of a blog. */
import { freshHost } from "./hosts.ts";
import type { World } from "./operations.ts";

export { newHost } from "./hosts.ts";

export const siteInputs = {
  compareLocales: ({ tenant }: World) => ({ blogId: tenant.blogId, slug: "a", structure: true, limit: 5 }),
  showBlog: ({ tenant }: World) => ({ blogId: tenant.blogId }),
  getContact: ({ contactId }: World) => ({ contactId }),
  eraseContact: ({ contactId }: World) => ({ contactId }),
  searchBlog: ({ tenant }: World) => ({ blogId: tenant.blogId, q: "world", locale: "en", limit: 5 }),
  getSite: ({ tenant }: World) => ({ blogId: tenant.blogId }),
  listHosts: ({ tenant }: World) => ({ blogId: tenant.blogId }),
  addHost: ({ tenant }: World) => ({ blogId: tenant.blogId, host: freshHost() }),
  checkHost: ({ tenant, host }: World) => ({ blogId: tenant.blogId, host }),
  removeHost: ({ tenant, host }: World) => ({ blogId: tenant.blogId, host }),
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
