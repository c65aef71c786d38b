/** What reading a damaged database came to, all at zero; what stands outside of the seals is counted apart. */
export function beginCounts() {
  return {
    refused: 0,
    right: 0,
    missing: 0,
    unreadable: 0,
    otherVotes: 0,
    otherHistory: 0,
    otherHeard: 0,
  };
}
