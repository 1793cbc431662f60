import type { FC } from "hono/jsx";
import type { IconName } from "./icons.ts";

/** An icon in the color and size of the text beside it. Screen readers skip it. */
export const Icon: FC<{ name: IconName }> = ({ name }) => (
  <svg class="icon" aria-hidden="true">
    <use href={`/console/icons.svg#${name}`} />
  </svg>
);
