/** The counts of reading a damaged database, all zero; fields without a checksum are counted separately. */
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
