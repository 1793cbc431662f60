type Read<T> = (
  cursor: string | undefined,
) => Promise<{ readonly value: readonly T[]; readonly next?: string | undefined }>;

/** Returns the items of all pages. Calls `read` for each page, first without a cursor. */
export async function readAllItems<T>(read: Read<T>): Promise<T[]> {
  const items: T[] = [];
  for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
    const { value, next } = await read(cursor);
    items.push(...value);
    cursor = next;
  }
  return items;
}
