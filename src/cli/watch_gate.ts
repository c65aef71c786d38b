import type { Admissions } from "#limits";
import type { Metrics } from "#metrics";
import type { OpenGate } from "./open_gate.ts";

/** The same admissions, with every request counted. */
export function watchAdmissions(admissions: Admissions, metrics: Metrics): Admissions {
  return {
    ...admissions,
    async request(request) {
      const admission = await admissions.request(request);
      metrics.admitted(request.kind, admission.admitted ? "admitted" : admission.refusal.reason);
      return admission;
    },
  };
}

/** The same gate, with human checks and votes counted. */
export function watchGate<Gate extends OpenGate>(gate: Gate, metrics: Metrics): Gate {
  const { verification, votes } = gate;
  return {
    ...gate,
    verification: {
      ...verification,
      async verify(matter, payload) {
        const result = await verification.verify(matter, payload);
        metrics.verified(result);
        return result;
      },
    },
    votes: {
      async cast(vote, mostVoters) {
        const isKept = await votes.cast(vote, mostVoters);
        metrics.voted(isKept ? "kept" : "refused");
        return isKept;
      },
      read: (address) => votes.read(address),
    },
  };
}
