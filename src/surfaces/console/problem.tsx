/** Why a form was refused, above its fields. */
import type { FC } from "hono/jsx";
import { ERRORS, type DomainError, type FieldError } from "../../domain/errors.ts";
import { rewordForForms } from "./articles/field-errors.ts";

/** Labels of fields, by their names in a form or in an operation's errors. */
export type Labels = Readonly<Record<string, string>>;

/** The labels in all forms that set none of their own. */
const LABELS: Labels = {
  name: "Name",
  slug: "Slug",
  description: "Description",
  locale: "Language",
  locales: "Languages",
  coverUrl: "Cover image URL",
  url: "URL",
  vanityId: "URL name",
  accentColor: "Accent color",
  font: "Font",
  logoUrl: "Logo URL",
  menu: "Menu",
  siteUrl: "Site URL",
  articlePath: "Article path",
  newsletter: "Newsletter",
  feedContent: "Feed content",
  names: "Names in other languages",
  bio: "Bio",
  pictureUrl: "Profile picture URL",
  file: "Image",
  alt: "Alt text",
  events: "Events",
  scopes: "Scopes",
  blogId: "Blog",
  expirationTime: "Expiration date",
  expiresInSeconds: "Expires after",
  email: "Email address",
  role: "Role",
  password: "Password",
  currentPassword: "Current password",
  newPassword: "New password",
};

/**
 * Returns an error in the words of forms: the message says which entry of a list, or which language of `names`, is
 * wrong.
 */
export function rewordError({ path, message }: FieldError): FieldError {
  const said = rewordForForms(message);
  const [, entry] = /^\w+\.(\d+)(?:\.|$)/.exec(path) ?? [];
  if (entry !== undefined)
    return { path, message: `entry ${Number(entry) + 1}${/^[A-Z]/.test(said) ? ":" : ""} ${said}` };
  const [, language] = /^names\.(.+)/.exec(path) ?? [];
  return { path, message: language === undefined ? said : `“${language}” ${said}` };
}

/**
 * Shows a refusal: its message, or a list of errors by field. It gets the focus, so that the browser scrolls to it,
 * also in a form far down the page.
 */
export const Problem: FC<{ problem: DomainError; labels: Labels | undefined }> = ({ problem, labels }) => {
  const { errors = [] } = problem.details;
  const { title } = ERRORS[problem.code];
  // "The request is invalid" is for programs. People need a heading only if fields are marked.
  const heading =
    problem.code !== "invalid_request" ? `${title}.` : errors.length > 0 ? "Check the marked fields." : "";
  const known = { ...LABELS, ...labels };
  // A part of a field, such as `locales.2`, has the label of the field.
  const getLabel = (path: string): string => known[path] ?? known[path.split(".")[0] ?? ""] ?? path;
  return (
    <div class="alert bad" tabindex={-1} autofocus role="alert">
      {heading !== "" && <strong>{heading}</strong>} {errors.length === 0 && problem.message.replace(`${title}. `, "")}
      {errors.length > 0 && (
        <ul>
          {errors.map(rewordError).map(({ path, message }) => (
            <li>{path === "" ? message : `${getLabel(path)}: ${message}`}</li>
          ))}
        </ul>
      )}
    </div>
  );
};
