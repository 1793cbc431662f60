/** Makes elements of a page. */

type Child = Node | string;

/** Returns an element with these properties and children. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  children: readonly Child[] = [],
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** Returns a button that submits nothing. */
export const button = (text: string, press: () => void, className = "quiet"): HTMLButtonElement => {
  const made = element("button", { type: "button", className }, [text]);
  made.addEventListener("click", press);
  return made;
};
