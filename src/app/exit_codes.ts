import EXIT_CODES from "./exit_codes.json" with { type: "json" };

/** Exit codes: those of sysexits.h, and 0 to 3 for the results of `lookup`, `batch`, `grep`, `check` and `db`. */
export const EXIT = EXIT_CODES;

/** Ends the program with an exit code; the message is one line for the user, or empty to end without a word. */
export class ExitError extends Error {
  readonly code: number;

  constructor(code: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ExitError";
    this.code = code;
  }
}
