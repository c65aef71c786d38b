/** A name of a table by its id; an id without one stands for itself. */
export function nameOf(names: Readonly<Partial<Record<string, string>>>, id: string): string {
  return Object.hasOwn(names, id) ? (names[id] ?? id) : id;
}
