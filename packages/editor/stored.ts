/** What somebody chose in this browser. It keeps nothing where storage is forbidden: then a choice holds for one page. */

/** What was chosen on this page, also where the browser does not keep it. */
const chosen = new Map<string, string>();

/** Returns what was chosen, or undefined if nothing was. */
export function stored(name: string): string | undefined {
  try {
    return chosen.get(name) ?? localStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

export function store(name: string, value: string): void {
  chosen.set(name, value);
  try {
    localStorage.setItem(name, value);
  } catch {
    // The choice holds for this page only.
  }
}
