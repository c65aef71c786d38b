import type { Address } from "#address";
import type { Refusal } from "#limits";
import type { Answer, LookupRequest, LookupResult } from "#lookup";
import { noteLimit, takeLookup } from "./admit.ts";
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
  readonly request: LookupRequest;
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
  return {
    wish,
    request: {
      address,
      refresh,
      client: exchange.client,
      ...(pass === undefined ? {} : { passId: pass.id }),
    },
    settle(result) {
      for (const limit of result.limits) noteLimit(exchange, limit);
      if (result.kind === "answer") return result.answer;
      refund();
      if (result.kind === "not_in_mirror") throw notHere(deps, exchange, { address });
      if (result.kind === "overloaded")
        throw new HttpProblem("overloaded", { retryAfterMs: result.retryAfterMs });
      throw problemOf(result.refusal, address, reportUrlOf(deps.baseUrl, address.text, exchange.language));
    },
  };
}

function problemOf(refusal: Refusal, address: Address, reportUrl: string): HttpProblem {
  const { code, reason, limit, retryAfterMs = RETRY_AFTER_MS } = refusal;
  const data = { reason, limit };
  if (code !== "verification_required") return new HttpProblem(code, { data, retryAfterMs });
  return new HttpProblem(code, { data, reportUrl, check: { address: address.text, action: "lookup" } });
}
