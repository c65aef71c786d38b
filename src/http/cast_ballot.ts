import { isBogon } from "#address";
import type { Answer } from "#lookup";
import type { ScenarioId } from "#report";
import { addressOf } from "./address_of.ts";
import type { Exchange } from "./exchange.ts";
import type { HttpDeps } from "./http_deps.ts";
import { HttpProblem } from "./http_problem.ts";
import { readPass } from "./read_pass.ts";
import { reportUrlOf } from "./report_url.ts";

const DAY_MS = 86_400_000;

/**
 * Keeps the client's vote on the address it comes from; a later one of the same client and UTC day replaces it,
 * whatever browser or pass sends it.
 * @returns all votes on the address by now.
 * @throws {HttpProblem} `invalid_ip` from special-purpose space, `verification_required` without a pass.
 */
export async function castBallot(
  deps: HttpDeps,
  exchange: Exchange,
  scenario: ScenarioId,
  rating: number,
): Promise<Answer["votes"]> {
  const own = addressOf(exchange);
  if (isBogon(own)) throw new HttpProblem("invalid_ip", { data: { input: own.text } });
  if (readPass(deps, exchange) === undefined) {
    throw new HttpProblem("verification_required", {
      data: { reason: "feedback" },
      reportUrl: reportUrlOf(deps.baseUrl, own.text, exchange.language),
    });
  }
  const day = Math.floor(deps.now() / DAY_MS);
  const voter = deps.clientNames.voterOf(exchange.client.key, day);
  await deps.ballots.cast({ address: own.text, scenario, voter, day, rating });
  return deps.ballots.read(own.text);
}
