/** Exit codes: sysexits.h where it has a word for the condition, 0 to 3 for what `lookup`, `batch`, `check` and `db` found. */
export const EXIT = {
  ok: 0,
  notReady: 1,
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

/** A condition that ends the program: one line for the person, one code for the script. */
export class ExitError extends Error {
  readonly code: number;

  constructor(code: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ExitError";
    this.code = code;
  }
}
