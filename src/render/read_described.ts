/** Part of a description, an OpenAPI 3.1 document: its members are looked at before they are shown. */
export type Described = { readonly [name: string]: unknown };

/** Whether a value has members. */
export function isDescribed(value: unknown): value is Described {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value as an object; one without members for anything else. */
export function describedOf(value: unknown): Described {
  return isDescribed(value) ? value : {};
}

/** Members that are objects, with their names. */
export function membersOf(value: unknown): readonly (readonly [name: string, member: Described])[] {
  return Object.entries(describedOf(value)).flatMap(([name, member]) =>
    isDescribed(member) ? [[name, member] as const] : [],
  );
}

/** Items of a list that are objects. */
export function itemsOf(value: unknown): readonly Described[] {
  return Array.isArray(value) ? value.filter(isDescribed) : [];
}

/** The value as text; nothing for anything else. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The name that a `$ref` into the document ends with; undefined where there is none. */
export function referenceOf(value: unknown): string | undefined {
  const reference = textOf(describedOf(value).$ref);
  return reference === "" ? undefined : reference.slice(reference.lastIndexOf("/") + 1);
}
