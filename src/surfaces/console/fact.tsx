import type { Child, FC } from "hono/jsx";

/** A name and its value, in a `<dl class="facts">`. */
export const Fact: FC<{ name: string; children: Child }> = ({ name, children }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
