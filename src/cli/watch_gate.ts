import type { Metrics } from "#metrics";
import type { OpenGate } from "./open_gate.ts";

/** The same gate, with surveys asked for, human checks and votes counted. */
export function watchGate<Gate extends OpenGate>(gate: Gate, metrics: Metrics): Gate {
  const { admissions, verification, ballots } = gate;
  return {
    ...gate,
    admissions: {
      async ask(wish) {
        const leave = await admissions.ask(wish);
        metrics.admitted(wish.kind, leave.admitted ? "admitted" : leave.refusal.reason);
        return leave;
      },
      remaining: (client) => admissions.remaining(client),
    },
    verification: {
      ...verification,
      async verify(matter, payload) {
        const result = await verification.verify(matter, payload);
        metrics.verified(result);
        return result;
      },
    },
    ballots: {
      async cast(ballot) {
        await ballots.cast(ballot);
        metrics.voted();
      },
      read: (address) => ballots.read(address),
    },
  };
}
