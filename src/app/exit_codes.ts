/** Exit codes: those of sysexits.h, and 0 to 3 for the results of `lookup`, `batch`, `grep`, `check` and `db`. */
export const EXIT = {
  ok: 0,
  notReady: 1,
  notFound: 1,
  unsound: 1,
  below: 1,
  badInput: 2,
  unavailable: 3,
  usage: 64,
  badData: 65,
  noInput: 66,
  software: 70,
  cannotCreate: 73,
  inUse: 75,
  config: 78,
} as const;

/** Ends the program with an exit code; the message is one line for the user, or empty to end without a word. */
export class ExitError extends Error {
  readonly code: number;

  constructor(code: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ExitError";
    this.code = code;
  }
}
