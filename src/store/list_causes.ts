/** The messages of an error and of what caused it, outermost first, at most eight. */
export function listCauses(error: unknown): string {
  const messages: string[] = [];
  for (let at = error; at instanceof Error && messages.length < 8; at = at.cause) messages.push(at.message);
  return messages.join(" | ");
}
