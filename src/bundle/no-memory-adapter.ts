/** Replaces better-auth's database in memory in the deployed bundle: it takes one only where none is configured. */
export function memoryAdapter(): never {
  throw new Error("better-auth's database in memory is not part of this bundle.");
}
