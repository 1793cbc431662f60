import type { FC } from "hono/jsx";

/**
 * The link to the next page of a list. Renders nothing if `cursor` is undefined, which means that this is the last one.
 */
export const Next: FC<{
  path: string;
  cursor: string | undefined;
  query?: Readonly<Record<string, string>>;
  label?: string;
}> = ({ path, cursor, query = {}, label = "Older" }) =>
  cursor === undefined ? (
    <></>
  ) : (
    <p>
      <a rel="next" href={`${path}?${new URLSearchParams({ ...query, cursor }).toString()}`}>
        {label}
      </a>
    </p>
  );
