import { assessmentOf, NO_VOTES, openApp, type TestLookup } from "../../http/kit/open_app.ts";

/** An app that gives every kind of answer: known, surveyed, refused, overloaded, and events. */
export function openFuzzApp() {
  let turn = 0;
  const lookup: TestLookup = async (request, _signal, admissions) => {
    const { address, client, passId, refresh, watch } = request;
    turn++;
    const assessment = assessmentOf(address.text, address.version);
    const answer = { stale: turn % 5 === 0, assessment, votes: NO_VOTES, liveAnswers: turn % 4 };
    if (turn % 50 === 0) return { kind: "overloaded", retryAfterMs: 1_500, limits: [] };
    if (!refresh && turn % 3 !== 0)
      return { kind: "answer", limits: [], answer: { ...answer, tier: turn % 2 === 0 ? "cache" : "store" } };
    const admission = await admissions.request({
      client,
      kind: refresh ? "refresh" : "new-ip",
      ...(passId === undefined ? {} : { passId }),
    });
    if (!admission.admitted) return { kind: "refused", refusal: admission.refusal, limits: admission.limits };
    watch?.({ kind: "admitted", limits: admission.limits });
    watch?.({ kind: "queued" });
    watch?.({ kind: "started", sources: [{ id: "a", name: "Source A" }] });
    watch?.({ kind: "source", id: "a", name: "Source A", state: "answered", ms: 3 });
    const limits = turn % 7 === 0 ? admissions.refund(admission) : admission.limits;
    return { kind: "answer", limits, answer: { ...answer, tier: "fresh" } };
  };
  const testApp = openApp({
    lookup,
    limits: { lookups: 60, fresh: 4, refreshes: 2, openPerDay: 5, openPerMinute: 12, openDailyTotal: 500 },
    trustedProxies: ["192.0.2.0/24"],
    findKnown: async (address) =>
      address.text.endsWith("7")
        ? {
            tier: "store",
            stale: false,
            assessment: assessmentOf(address.text, address.version),
            votes: NO_VOTES,
            liveAnswers: 3,
          }
        : undefined,
  });
  let asked = 0;
  return {
    testApp,
    async send(request: Request): Promise<Response> {
      asked++;
      // Another client, later, so that limits are reached and expire.
      testApp.from(asked % 9 === 0 ? "192.0.2.9" : `203.0.113.${asked % 200}`);
      testApp.clock.advance(asked % 1_000 === 0 ? 86_400_000 : 40);
      if (asked % 100 === 0) {
        testApp.logs.splice(0);
        testApp.calls.splice(0);
      }
      if (asked % 11 === 0) request.headers.set("cookie", testApp.newPass().cookie);
      // Elysia's types name another library's Response; at run time it is Bun's.
      return (await testApp.app.handle(request)) as Response;
    },
  };
}
