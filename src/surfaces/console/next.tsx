import type { FC } from "hono/jsx";
import { Icon } from "./icon.tsx";

/**
 * The link to the next page of a list. Renders nothing on the last page, which has no `cursor`. `name` is the parameter
 * that carries the cursor.
 */
export const Next: FC<{
  path: string;
  cursor: string | undefined;
  query?: Readonly<Record<string, string>>;
  label?: string;
  name?: string;
}> = ({ path, cursor, query = {}, label = "Older", name = "cursor" }) =>
  cursor === undefined ? (
    <></>
  ) : (
    <p class="pages">
      <a
        rel="next"
        href={`${path}?${new URLSearchParams({ ...query, [name]: cursor }).toString()}`}
        class="button quiet small"
      >
        {label}
        <Icon name="next" />
      </a>
    </p>
  );
