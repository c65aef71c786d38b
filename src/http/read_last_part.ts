/** The last part of a path, decoded. A broken escape stays as it is: it is no address either way. */
export function readLastPart(path: string): string {
  const part = path.slice(path.lastIndexOf("/") + 1);
  if (!part.includes("%")) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
