import type { Address } from "#address";
import type { Exchange } from "./exchange.ts";
import type { HttpDeps } from "./http_deps.ts";
import { HttpProblem } from "./http_problem.ts";
import { reportUrlOf } from "./report_url.ts";

/**
 * What a mirror says of everything that only the full service can do: it leads there, if it knows where that is, to the
 * report of the address, or to the front page in the language of the request.
 */
export function notHere(
  { mirror }: Pick<HttpDeps, "mirror">,
  { language }: Pick<Exchange, "language">,
  { reason, address }: { readonly reason?: "refresh" | "write"; readonly address?: Address },
): HttpProblem {
  const origin = mirror?.primaryUrl;
  const data = {
    ...(reason === undefined ? {} : { reason }),
    ...(origin === undefined ? { primary: false } : {}),
  };
  if (origin === undefined) return new HttpProblem("not_in_mirror", { data });
  const front = `${origin}${language === "en" ? "/en" : "/"}`;
  const reportUrl = address === undefined ? front : reportUrlOf(origin, address.text, language);
  return new HttpProblem("not_in_mirror", { data, reportUrl });
}
