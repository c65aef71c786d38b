/** Fields of which nothing is `undefined`. */
type Given<Fields> = { readonly [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

/** The fields that were given: without those that are undefined, an empty object or an empty list. */
export function given<const Fields extends object>(fields: Fields): Given<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined && !isEmptyObject(value));
  // Only fields were left out, and those that may be are optional in the result.
  return Object.fromEntries(entries) as Given<Fields>;
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
