import { expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { addressFromWords } from "#address";
import { openDatasets } from "#datasets";
import { FEEDS } from "#feeds";
import { readAddress, runs } from "#kit";
import { assess, createTableClassifier } from "#lookup";
import { createTableSurvey, NO_SETTINGS, SOURCES } from "#sources";
import { exitCodeOf, factsOfAnswer } from "../../../src/cli/batch/rows.ts";
import { createMatch } from "../../../src/cli/grep.ts";
import { NO_VOTES, openApp } from "../../http/kit/open_app.ts";

const PROXY = "203.0.113.9";
const tables = createTableSurvey(SOURCES, {
  datasets: openDatasets({ directory: join(import.meta.dir, "../../../seed") }),
  settings: { ...NO_SETTINGS, off: new Set(FEEDS.map(({ id }) => id)) },
  now: Date.now,
});
const classifier = createTableClassifier(tables);

/** An installation without live sources. Every answer comes from the same tables. */
const app = openApp({
  live: false,
  trustedProxies: [`${PROXY}/32`],
  exempt: ["0.0.0.0/0"],
  lookup: async ({ address }) => ({ kind: "answer", limits: [], answer: answerOf(address) }),
});

function answerOf(address: Parameters<typeof tables.survey>[0]) {
  const assessment = assess(tables.survey(address));
  return { tier: "store" as const, stale: false, assessment, votes: NO_VOTES, liveAnswers: 0 };
}

// Servers, a home, a public resolver, reserved space, a VPN operator, a mobile carrier.
const KNOWN = ["46.4.84.25", "1.2.3.4", "8.8.8.8", "192.0.2.1", "185.65.134.66", "2a03:1b20:1:f011::e0f"];
const OUTCOMES = { 0: "PASS", 1: "FAIL", 3: "UNKNOWN" } as const;

test("gate, auth, lookup, batch and grep decide equally about one address and one policy", async () => {
  const seen = new Set<string>();
  const read = (text: string) => readAddress(text);
  const address = fc.oneof(
    fc.constantFrom(...KNOWN).map(read),
    fc.nat(0xffffffff).map((word) => addressFromWords(4, [word])),
  );
  await fc.assert(
    fc.asyncProperty(address, fc.integer({ min: 0, max: 100 }), async (asked, min) => {
      const gate = (await (await app.ask(`/gate/${asked.text}?min=${min}`)).text()).split(/\s/)[0] ?? "";
      const facts = factsOfAnswer(answerOf(asked), false);
      const codeOf = (code: number) => OUTCOMES[code as keyof typeof OUTCOMES];
      const auth = await app.ask(`/auth?min=${min}`, { headers: { "x-forwarded-for": asked.text } });
      const verdict = { pass: "PASS", unknown: "UNKNOWN", "deny min": "FAIL" }[
        auth.headers.get("x-ip-verdict") ?? ""
      ];
      const isMatch = createMatch({ min, deny: [], allow: [] }, classifier)(asked.text);
      seen.add(gate);
      expect({
        auth: verdict,
        lookup: codeOf(exitCodeOf(facts, min)),
        batch: codeOf(exitCodeOf(classifier.classify(asked), min)),
        grep: isMatch ? "FAIL" : "no match",
      }).toMatchObject({
        auth: gate,
        lookup: gate,
        batch: gate,
        grep: gate === "FAIL" ? "FAIL" : "no match",
      });
    }),
    {
      numRuns: runs(300),
      examples: [
        [read("46.4.84.25"), 90],
        [read("46.4.84.25"), 70],
        [read("46.4.84.25"), 50],
      ],
    },
  );
  expect([...seen].sort()).toEqual(["FAIL", "PASS", "UNKNOWN"]);
});
