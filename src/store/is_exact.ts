/** Whether a row's value is an integer that came through unchanged. */
export function isExact(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
