/** Valid inputs of the operations for what readers see of a blog. */
import type { World } from "./operations.ts";

export const siteInputs = {
  showBlog: ({ tenant }: World) => ({ blogId: tenant.blogId }),
  getContact: ({ contactId }: World) => ({ contactId }),
  eraseContact: ({ contactId }: World) => ({ contactId }),
  searchBlog: ({ tenant }: World) => ({ blogId: tenant.blogId, q: "world", locale: "en", limit: 5 }),
  getSite: ({ tenant }: World) => ({ blogId: tenant.blogId }),
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
  }),
};
