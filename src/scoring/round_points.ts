/** Rounds to half points, so that what is shown is what is summed. Never minus zero. */
export function roundPoints(points: number): number {
  return Math.round(points * 2) / 2 || 0;
}
