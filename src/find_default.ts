/** The default of a variable as an operator would write it, so looked for in front of any transformation; "" = none. */
export function findDefault(schema: unknown): string {
  let at = schema;
  for (let depth = 0; depth < 4 && typeof at === "object" && at !== null; depth += 1) {
    const { default: value, pipe } = at as { default?: unknown; pipe?: readonly unknown[] };
    if (typeof value === "string") return value;
    at = pipe?.[0];
  }
  return "";
}
