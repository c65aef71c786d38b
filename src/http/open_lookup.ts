import type { Address } from "#address";
import type { Refusal } from "#gate";
import type { Answer, LookupOptions, LookupResult } from "#lookup";
import { askForSurvey, takeLookup } from "./admit.ts";
import type { Exchange } from "./exchange.ts";
import type { HttpDeps } from "./http_deps.ts";
import { HttpProblem } from "./http_problem.ts";
import { notHere } from "./not_here.ts";
import { readPass } from "./read_pass.ts";
import { reportUrlOf } from "./report_url.ts";

/** Told where a refusal that must name a moment has none. */
const RETRY_AFTER_MS = 60_000;

/** What a request wants to know. */
export interface Wish {
  readonly address: Address;
  readonly refresh: boolean;
}

/** A lookup that has been let in. */
export interface OpenLookup<Wanted extends Wish> {
  readonly wish: Wanted;
  readonly options: LookupOptions;
  /** The answer; @throws {HttpProblem} for everything that is none, and then the lookup is given back. */
  readonly settle: (result: LookupResult) => Answer;
}

/**
 * Lets a request in: takes one of the client's lookups, reads what it wants, and asks for a pass where one is needed.
 * `readWish` runs after the limits were charged, so that a malformed request costs one lookup too.
 * @throws {HttpProblem} `rate_limited`, `verification_required`, and whatever `readWish` throws.
 */
export function openLookup<Wanted extends Wish>(
  deps: HttpDeps,
  exchange: Exchange,
  readWish: () => Wanted,
): OpenLookup<Wanted> {
  const refund = takeLookup(deps, exchange);
  const wish = readWish();
  const { address, refresh } = wish;
  if (refresh && deps.mirror !== undefined) {
    refund();
    throw notHere(deps, exchange, { reason: "refresh", address });
  }
  const pass = readPass(deps, exchange);
  if (refresh && pass === undefined && !exchange.client.exempt) {
    refund();
    throw new HttpProblem("verification_required", {
      data: { reason: "refresh" },
      reportUrl: reportUrlOf(deps.baseUrl, address.text, exchange.language),
      check: { address: address.text, action: "refresh" },
    });
  }
  const { admit, refusal } = askForSurvey(deps, exchange, {
    kind: refresh ? "refresh" : "new-ip",
    ...(pass === undefined ? {} : { pass: pass.id }),
  });
  return {
    wish,
    options: { refresh, admit },
    settle(result) {
      if (result.kind === "answer") return result.answer;
      refund();
      if (result.kind === "elsewhere") throw notHere(deps, exchange, { address });
      if (result.kind === "overloaded")
        throw new HttpProblem("overloaded", { retryAfterMs: result.retryAfterMs });
      throw problemOf(refusal(), address, reportUrlOf(deps.baseUrl, address.text, exchange.language));
    },
  };
}

function problemOf(refusal: Refusal | undefined, address: Address, reportUrl: string): HttpProblem {
  if (refusal === undefined) throw new TypeError("Cannot refuse a lookup: nobody said why");
  const { code, reason, limit, retryAfterMs = RETRY_AFTER_MS } = refusal;
  const data = { reason, limit };
  if (code !== "verification_required") return new HttpProblem(code, { data, retryAfterMs });
  return new HttpProblem(code, { data, reportUrl, check: { address: address.text, action: "lookup" } });
}
