import { describe, expect, test } from "bun:test";
import { parseAddress } from "#address";
import { mergeEvidence, type Observation } from "#evidence";
import MERGED from "../fixtures/evidence/merged.json";
import { completeRun, type PartialRun } from "../scoring/surveys.ts";

/** What differs in a run from {@link completeRun}, the parts of the evidence by their paths, and the address if it matters. */
type Row = readonly [
  runs: readonly PartialRun[],
  expected: Readonly<Record<string, unknown>>,
  address?: string,
];

/** Each run has a name of its own, so that a name is never taken for an id. */
const complete = (run: PartialRun) =>
  completeRun({ name: `Name of ${run.id}`, matters: ["network"], ...run });

function merge(runs: readonly PartialRun[], text = "81.2.69.10") {
  const { version } = parseAddress(text) ?? expect.unreachable(text);
  return mergeEvidence({ address: text, version, surveyedAt: "", runs: runs.map(complete) });
}

describe.each(Object.entries(MERGED as object as Readonly<Record<string, Record<string, readonly Row[]>>>))(
  "mergeEvidence() on %s",
  (_, cases) => {
    test.each(Object.entries(cases))("%s", (_, rows) => {
      for (const [runs, expected, address] of rows) {
        const evidence = merge(runs, address);
        for (const [path, value] of Object.entries(expected)) {
          let found: unknown = evidence;
          for (const key of path.split(".")) found = Object(found)[key];
          expect<unknown>(found ?? null, `${path} of ${JSON.stringify(runs)}`).toEqual(value);
        }
      }
    });
  },
);

test("mergeEvidence() uses an ageing source in full, and counts half of its weight as answered", () => {
  const vpn: Observation = { flags: { isVpn: true } };
  const other = { id: "b", observation: {} };
  const fresh = merge([{ id: "a", observation: vpn, weight: 3 }, other]);
  const aged = merge([{ id: "a", observation: { ...vpn, ageing: true }, weight: 3 }, other]);
  expect(fresh.coverage).toMatchObject({ expectedWeight: 4, answeredWeight: 4, unanswered: [] });
  expect(aged).toEqual({
    ...fresh,
    coverage: {
      ...fresh.coverage,
      answeredWeight: 2.5,
      obtained: { ...fresh.coverage.obtained, total: 2.5 / 4, network: 2.5 / 4 },
    },
  });
});
