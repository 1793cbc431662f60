/** The frame of every page: the header, the person's menu and the navigation. It works without scripts. */
import type { FC } from "hono/jsx";
import type { Person } from "./env.ts";
import { Form } from "./forms.tsx";
import { Icon } from "./icon.tsx";
import { GROUPS } from "./navigation.ts";
import type { Visit } from "./visit.ts";

export const Header: FC<{ visit: Visit }> = ({ visit: { active, person, production } }) => (
  <header class="site">
    {active && (
      <button type="button" class="icon-button open-places" popovertarget="places" aria-label="Menu">
        <Icon name="menu" />
      </button>
    )}
    <a class="brand" href="/console">
      <Mark />
      <span>Edgepress</span>
    </a>
    {active && (
      <a class="place" href="/console/organizations" title="Your organizations">
        <span>{active.name}</span>
        <Icon name="switch" />
      </a>
    )}
    {person && (
      <>
        <div class="tools">
          {active && (
            <a class="search-button" href="/console/search" data-palette aria-keyshortcuts="Control+K Meta+K">
              <Icon name="search" />
              <span>Search</span> <kbd>Ctrl K</kbd>
            </a>
          )}
        </div>
        <PersonMenu person={person} hasMails={!production} />
      </>
    )}
  </header>
);

const Mark: FC = () => (
  <svg viewBox="0 0 16 16" aria-hidden="true">
    <rect width="16" height="16" rx="4" fill="currentColor" />
    <path d="M4.5 4.5h7M4.5 8h5M4.5 11.5h7" stroke-width="1.6" stroke-linecap="round" />
  </svg>
);

const PersonMenu: FC<{ person: Person; hasMails: boolean }> = ({ person, hasMails }) => (
  <>
    <button type="button" class="icon-button" popovertarget="you" aria-label={`Account: ${person.name}`}>
      <Initials of={person.name} />
    </button>
    <nav class="menu" id="you" popover="auto" aria-label="Account" data-person={person.id}>
      <p>
        <strong>{person.name}</strong>
        <small>{person.email}</small>
      </p>
      <a href="/console/account">
        <Icon name="person" />
        Your account
      </a>
      <a href="/console/organizations">
        <Icon name="organization" />
        Your organizations
      </a>
      {hasMails && (
        <a href="/console/mail">
          <Icon name="mail" /> Emails{" "}
        </a>
      )}
      <Form action="/console/sign-out" inline>
        <button type="submit">
          <Icon name="leave" />
          Sign out
        </button>
      </Form>
    </nav>
  </>
);

/**
 * The initials of a person as a picture. The style sheet draws them, so screen readers read only the name beside them.
 */
export const Initials: FC<{ of: string }> = ({ of }) => <span class="initials" data-initials={getInitials(of)}></span>;

function getInitials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : ""].map((word = "") => /^./u.exec(word)?.[0] ?? "");
  return letters.join("").toUpperCase();
}

/** The navigation at the side. On narrow screens it is a popover, which the header's menu button opens. */
export const Places: FC<{ visit: Visit }> = ({ visit }) => (
  <nav class="places" id="places" popover="auto" aria-label="Console">
    {GROUPS.map(({ name, places }) => {
      const seen = places.filter(({ grant }) => grant === undefined || visit.grants.has(grant));
      if (seen.length === 0) return <></>;
      return (
        <>
          <p id={`places-${name}`}>{name}</p>
          <ul aria-labelledby={`places-${name}`}>
            {seen.map((place) => (
              <li>
                <a href={place.path} aria-current={isHere(visit.path, place.path) ? "page" : undefined}>
                  <Icon name={place.icon} />
                  {place.name}
                </a>
              </li>
            ))}
          </ul>
        </>
      );
    })}
  </nav>
);

const isHere = (path: string, place: string): boolean =>
  place === "/console" ? path === place : path === place || path.startsWith(`${place}/`);
