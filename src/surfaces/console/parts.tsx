/** Parts of pages that show something: facts, and sections of settings. */
import type { Child, FC, PropsWithChildren } from "hono/jsx";

/** A name and its value, in a `<dl class="facts">`. */
export const Fact: FC<{ name: string; children: Child }> = ({ name, children }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

type SectionProps = PropsWithChildren<{ readonly id: string; readonly name: string; readonly about: Child }>;

/** A section of a page of settings: its name and what it is about, with its content beside them. */
export const Section: FC<SectionProps> = ({ id, name, about, children }) => (
  <section class="section" aria-labelledby={id}>
    <div>
      <h2 id={id}>{name}</h2>
      {about && <p>{about}</p>}
    </div>
    {children}
  </section>
);
