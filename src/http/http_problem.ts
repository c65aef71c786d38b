import type { Data, ProblemCode } from "#report";
import type { VerificationSubject } from "#verification";

const STATUS: Readonly<Record<ProblemCode, number>> = {
  invalid_ip: 400,
  invalid_parameter: 400,
  unauthorized: 401,
  verification_required: 403,
  not_found: 404,
  not_in_mirror: 404,
  method_not_allowed: 405,
  too_large: 414,
  rate_limited: 429,
  open_rate_limited: 429,
  internal: 500,
  overloaded: 503,
};

/** What a problem may carry beside its code: facts for its sentence, and what the answer's head must say. */
export interface ProblemDetails {
  readonly data?: Data;
  readonly reportUrl?: string;
  readonly retryAfterMs?: number;
  readonly allow?: readonly string[];
  /** The human check that opens the way; a page shows it. */
  readonly check?: VerificationSubject;
  /** Where the code has more than one. */
  readonly status?: number;
}

/** A request that gets an error answer; thrown by handlers and turned into one in a single place. */
export class HttpProblem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly details: ProblemDetails;

  constructor(code: ProblemCode, details: ProblemDetails = {}) {
    super(code);
    this.name = "HttpProblem";
    this.code = code;
    this.status = details.status ?? STATUS[code];
    this.details = details;
  }
}
