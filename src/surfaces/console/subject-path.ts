const SUBJECTS: Readonly<Record<string, (id: string, blogId: string) => string>> = {
  article: (id) => `/console/articles/${id}`,
  blog: (id) => `/console/blogs/${id}`,
  site: (_, blogId) => `/console/blogs/${blogId}/site`,
  tag: (id, blogId) => `/console/blogs/${blogId}/tags/${id}`,
  author: (id, blogId) => `/console/blogs/${blogId}/authors/${id}`,
  media: (id) => `/console/media/${id}`,
  contact: (_, blogId) => `/console/contacts?blog=${blogId}`,
};

/** Returns the path of the page about what an event is about; null if there is none. `data` is that of the event. */
export function findSubjectPath(event: string, data: unknown): string | null {
  const { _id, blogId }: { readonly _id?: unknown; readonly blogId?: unknown } = Object(data);
  const [subject = "", verb] = event.split(".");
  const id = _id ?? (subject === "site" ? blogId : undefined);
  const blog = blogId ?? "";
  if (verb === "deleted" || typeof id !== "string" || typeof blog !== "string") return null;
  return SUBJECTS[subject]?.(id, blog) ?? null;
}
