import { type AnyElysia, Elysia } from "elysia";
import { createBody } from "../body.ts";
import { GateQuerySchema } from "../contract.ts";
import type { HttpDeps } from "../http_deps.ts";
import { type GateRule, judgeGate } from "../judge_gate.ts";
import { lookUp } from "../look_up.ts";
import { readAddress } from "../read_address.ts";
import { readLastPart } from "../read_last_part.ts";
import { readQuery } from "../read_query.ts";
import { createReply } from "../reply.ts";
import { mount } from "../serve.ts";

const DEFAULT_MIN = 70;

/** Answers that nobody live stood behind are not kept longer than this. */
const UNHEARD_SECONDS = 30;

const STATUS = { PASS: 200, FAIL: 409, UNKNOWN: 503 } as const;

/** `/gate/{ip}?scenario=&min=&status=`: one word for scripts and proxy clients, told by status and body alike. */
export function gateRoutes(deps: HttpDeps): AnyElysia {
  return new Elysia({ name: "routes/gate" }).use(
    mount(deps, "/gate/:ip", async (exchange) => {
      const { answer, wish } = await lookUp(deps, exchange, () => {
        const { scenario, min = DEFAULT_MIN, status } = readQuery(exchange.query, GateQuerySchema);
        const rule: GateRule = { min, ...(scenario === undefined ? {} : { scenario }) };
        return { address: readAddress(readLastPart(exchange.path)), refresh: false, rule, status };
      });
      const { outcome, line, isUnheard } = judgeGate(answer, wish.rule, deps.live);
      return createReply({
        status: wish.status === undefined ? STATUS[outcome] : 200,
        keeping: "no-store",
        shared: true,
        body: createBody("text/plain; charset=utf-8", `${line}\n`),
        ...(isUnheard ? { headers: { "retry-after": String(UNHEARD_SECONDS) } } : {}),
      });
    }),
  );
}
