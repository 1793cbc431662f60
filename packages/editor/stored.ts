/** Choices that this browser keeps. Where storage is forbidden, a choice holds for one page. */

const chosen = new Map<string, string>();

export function readChoice(name: string): string | undefined {
  try {
    return chosen.get(name) ?? localStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

export function storeChoice(name: string, value: string): void {
  chosen.set(name, value);
  try {
    localStorage.setItem(name, value);
  } catch {
    // It holds for this page only.
  }
}
