/** Whether a body of this type is a form that may hold files (RFC 7578). */
export const isMultipart = (type: string | null): boolean => /^\s*multipart\/form-data\s*;/i.test(type ?? "");
