/** What went wrong first, in one sentence: the innermost cause of an error. */
export function describeFailure(error: unknown): string {
  let deepest = error;
  for (let depth = 0; depth < 8 && deepest instanceof Error && deepest.cause instanceof Error; depth += 1) {
    deepest = deepest.cause;
  }
  return deepest instanceof Error ? deepest.message : "unknown error";
}
