/** A place in a JSON value: where it is, what it holds, and the whole value with something else there. */
export interface Place {
  readonly path: string;
  readonly value: unknown;
  readonly put: (other: unknown) => unknown;
}

/** Every place of a JSON value, the whole first. */
export function listPlaces(
  value: unknown,
  path = "",
  put: Place["put"] = (other) => other,
): readonly Place[] {
  const here: Place = { path, value, put };
  if (typeof value !== "object" || value === null) return [here];
  const inside = Object.entries(value).flatMap(([key, item]) =>
    listPlaces(item, path === "" ? key : `${path}.${key}`, (other) =>
      put(Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other }),
    ),
  );
  return [here, ...inside];
}
