import { type Challenge, solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";

/** Solves a challenge and encodes the solution as the widget does: JSON in base64. */
export async function solveCheck(challenge: Challenge): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey });
  if (solution === null) throw new Error("Cannot solve the challenge");
  return btoa(JSON.stringify({ challenge, solution }));
}
