import { describe, expect, test } from "bun:test";
import { parseAddress } from "#address";
import type { SourceRun, Survey } from "#evidence";
import { localize } from "#locale";
import { assess } from "#lookup";
import {
  renderBadge,
  renderComparePage,
  renderLine,
  renderMarkdown,
  renderReportPage,
  renderTerminal,
  renderText,
} from "#render";
import type { Language, Report } from "#report";
import { boundObservation } from "../../../src/sources/outcome.ts";
import { fillSurvey } from "../../render/full_reports.ts";
import { ARCHETYPES } from "../../scoring/archetypes.ts";
import { listPlaces } from "../../sources/places.ts";
import { goodAnswers, READERS } from "../faults/fuzz_sources.ts";

const ATTACKS = [
  `<pwn3d onx='"></script><!--`,
  `"onpwn3d='x'>&lt;`,
  `\u001b]0;pwn3d\u0007\u009b1m\u202e\r\nx`,
  "[pwn3d](javascript:pwn3d) | `#",
];
const ADDRESS = parseAddress("203.0.113.7");

/** Controls, what turns text, and what is not seen. */
const ACTING =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/u;

/** The answer with one text or one key of it followed by an attack, for each of them. */
function* poison(answer: unknown, attack: string): Generator<unknown> {
  for (const { value, put } of listPlaces(answer)) {
    if (typeof value === "string") {
      yield put(value + attack);
      yield put(attack);
    } else if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      for (const [key, item] of Object.entries(value)) yield put({ ...value, [key + attack]: item });
    }
  }
}

function surveyWith(run: SourceRun): Survey {
  const survey = fillSurvey(ARCHETYPES.vpn_abused, "heard");
  return { ...survey, runs: [...survey.runs.filter(({ id }) => id !== run.id), run] };
}

function say(survey: Survey, language: Language): Report {
  const prefix = language === "en" ? "/en" : "";
  const reportUrl = `https://limpid.test${prefix}/ip/${survey.address}`;
  return localize(assess(survey), { language, tier: "fresh", stale: false, reportUrl });
}

function expectHarmless(report: Report, language: Language, field: string): void {
  const compared = renderComparePage({
    reports: [report, report],
    asked: [report.ip, report.ip],
    language,
    problems: [],
  });
  for (const page of [renderReportPage(report), compared]) {
    expect(page, field).not.toContain("<pwn3d");
    const shown = page.replaceAll(/<script type="application\/(?:ld\+)?json"[^>]*>[^<]*<\/script>/g, "");
    expect(shown, field).not.toMatch(/"onpwn3d|="\s*javascript:|<script type="app/);
    expect(page, field).not.toMatch(ACTING);
    expect(page.match(/<script/g)?.length ?? 0, field).toBe(page.match(/<\/script>/g)?.length ?? 0);
  }
  const colourless = renderTerminal(report, { colour: true }).replaceAll(/\u001b\[[0-9;]*m/g, "");
  for (const text of [
    renderText(report),
    colourless,
    renderLine(report),
    renderMarkdown(report),
    renderBadge(report),
  ])
    expect(text, field).not.toMatch(ACTING);
  // Code is shown as it is.
  const bare = renderMarkdown(report).replaceAll(/(?<!`)(`+)(?!`)[^\n]*?[^`]\1(?!`)/g, "");
  expect(bare, field).not.toMatch(/(?<!\\)<pwn3d|(?<!\\)\[pwn3d(?<!\\)\]\(/);
  expect(renderBadge(report), field).not.toContain("pwn3d");
  expect(renderLine(report).trimEnd(), field).not.toContain("\n");
}

describe("every text in the answer of a source", () => {
  let heard = 0;
  let tried = 0;

  test.each(READERS.map((source) => [source.id, source] as const))(
    "of %s is harmless in every format",
    (_id, source) => {
      if (ADDRESS === undefined) throw new Error("Cannot parse the address");
      const { id, name, kind, family, matters, weight, zone } = source;
      const seen = new Set<string>();
      for (const good of goodAnswers(source)) {
        for (const attack of ATTACKS) {
          for (const bad of poison(good, attack)) {
            tried++;
            let observation: ReturnType<typeof boundObservation>;
            try {
              const word = source.read(bad, ADDRESS);
              observation = word === undefined ? undefined : boundObservation(word);
            } catch {
              // Refused: nothing is shown of it.
              continue;
            }
            const written = JSON.stringify(observation ?? {});
            if (observation === undefined || !/pwn3d/.test(written) || seen.has(written)) continue;
            seen.add(written);
            heard++;
            expect(written).not.toMatch(ACTING);
            const run = {
              id,
              name,
              kind,
              family,
              matters,
              weight,
              local: false,
              state: "answered" as const,
              ms: 5,
              observation,
            };
            const survey = surveyWith(zone === undefined ? run : { ...run, zone });
            const language = heard % 2 === 0 ? "en" : "zh";
            expectHarmless(say(survey, language), language, `${id} ${written.slice(0, 200)}`);
          }
        }
      }
    },
  );

  test("were many, and many of them reached the report", () => {
    expect(tried).toBeGreaterThan(1_000);
    expect(heard).toBeGreaterThan(100);
  });
});
