import type { Address } from "#address";
import type { Answer } from "#lookup";
import { admit, rateLimited } from "./admit.ts";
import type { Exchange } from "./exchange.ts";
import type { HttpDeps } from "./http_deps.ts";
import { HttpProblem } from "./http_problem.ts";
import { reportUrlOf } from "./report_url.ts";

/** What a request wants to know. */
export interface Wish {
  readonly address: Address;
  readonly refresh: boolean;
}

/**
 * The one way from a request to an answer, shared by all shapes of a report.
 * `readWish` runs after the limits were charged, so that a malformed request costs one lookup too.
 * @throws {HttpProblem} for everything that is not an answer.
 */
export async function lookUp(deps: HttpDeps, exchange: Exchange, readWish: () => Wish): Promise<Answer> {
  const admission = admit(deps, exchange);
  const wish = readWish();
  if (wish.refresh && !exchange.client.exempt) {
    admission.refund();
    throw new HttpProblem("verification_required", {
      data: { reason: "refresh" },
      reportUrl: reportUrlOf(deps.baseUrl, wish.address.text, exchange.language),
    });
  }
  const result = await deps.lookup(
    wish.address,
    { refresh: wish.refresh, admit: admission.admitSurvey },
    exchange.request.signal,
  );
  if (result.kind === "answer") return result.answer;
  admission.refund();
  if (result.kind === "denied") throw rateLimited(deps.gate.fresh, result.retryAfterMs);
  throw new HttpProblem("overloaded", { retryAfterMs: result.retryAfterMs });
}
