import { type AnyElysia, Elysia } from "elysia";
import { takeLookup } from "../admit.ts";
import { createBody } from "../body.ts";
import { ChallengeQuerySchema, LanguageQuerySchema, VerifyBodySchema } from "../contract.ts";
import type { HttpDeps } from "../http_deps.ts";
import { HttpProblem } from "../http_problem.ts";
import { notHere } from "../not_here.ts";
import { passCookie } from "../pass_cookie.ts";
import { readAddress } from "../read_address.ts";
import { readQuery } from "../read_query.ts";
import { createReply, type Reply } from "../reply.ts";
import { reportUrlOf } from "../report_url.ts";
import { mount, mountPost } from "../serve.ts";

/** `/api/challenge` and `POST /api/verify`: the human check and what it opens. Each costs one lookup. */
export function verifyRoutes(deps: HttpDeps): AnyElysia {
  return new Elysia({ name: "routes/verify" })
    .use(
      mount(deps, "/api/challenge", async (exchange) => {
        if (deps.mirror !== undefined) throw notHere(deps, exchange, { reason: "write" });
        takeLookup(deps, exchange);
        const { ip, action } = readQuery(exchange.query, ChallengeQuerySchema);
        const challenge = await deps.verification.createChallenge({ address: readAddress(ip).text, action });
        if (challenge === undefined) throw new HttpProblem("not_found");
        return ownReply(challenge);
      }),
    )
    .use(
      mountPost(deps, "/api/verify", VerifyBodySchema, async (exchange, { ip, action, payload }) => {
        readQuery(exchange.query, LanguageQuerySchema);
        const address = readAddress(ip).text;
        const result = await deps.verification.verify({ address, action }, payload);
        if (result !== "passed") {
          const reportUrl = reportUrlOf(deps.baseUrl, address, exchange.language);
          throw new HttpProblem("verification_required", { data: { reason: result }, reportUrl });
        }
        const { pass, cookie } = deps.passes.issue();
        const body = { verified: true, expiresAt: new Date(pass.expiresAt).toISOString() };
        return ownReply(body, { "set-cookie": passCookie(cookie, pass, deps) });
      }),
    );
}

/** A document for the pages of this site alone. */
function ownReply(value: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  const body = createBody("application/json; charset=utf-8", JSON.stringify(value));
  return createReply({ status: 200, body, keeping: "no-store", shared: false, headers });
}
