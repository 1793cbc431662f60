/** @type {import("next").NextConfig} */
export default {
  // This folder is a project of its own, inside the repository of Edgepress.
  turbopack: { root: import.meta.dirname },
};
