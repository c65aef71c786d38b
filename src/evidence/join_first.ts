/** One object out of several words on one thing: every field as the first that has it says. */
export function joinFirst<Shape extends object>(words: readonly Shape[]): Shape {
  const [only, another] = words;
  if (only !== undefined && another === undefined && !Object.values(only).includes(undefined))
    return { ...only };
  const fields = new Map<string, unknown>();
  for (const word of words) {
    for (const [name, value] of Object.entries(word)) {
      if (value !== undefined && !fields.has(name)) fields.set(name, value);
    }
  }
  return Object.fromEntries(fields) as Shape; // every field came out of a Shape
}
